#!/bin/sh
# Makes a Debian package from a built app. Usage: packaging/build_deb.sh DIST_FOLDER  (which holds the folder roofplan)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dist=$(cd "$1" && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../pyproject.toml" | head -n 1)
architecture=$(dpkg --print-architecture)
date=$(sed -n "s/^## $version - \([0-9-]*\)$/\1/p" "$here/../CHANGELOG.md")
fill() { sed -e "s/@VERSION@/$version/" -e "s/@DATE@/${date:-$(date -u +%F)}/" "$1"; }
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"

install -d "$tree/DEBIAN" "$tree/usr/lib" "$tree/usr/bin" "$tree/usr/share/doc/roofplan" "$tree/usr/share/man/man1" \
    "$tree/usr/share/metainfo"
cp -a "$dist/roofplan" "$tree/usr/lib/roofplan"
ln -s ../lib/roofplan/roofplan "$tree/usr/bin/roofplan"
install -Dm644 "$here/linux/roofplan.desktop" "$tree/usr/share/applications/roofplan.desktop"
install -Dm644 "$here/linux/roofplan-mime.xml" "$tree/usr/share/mime/packages/roofplan.xml"
install -Dm644 "$here/linux/copyright" "$tree/usr/share/doc/roofplan/copyright"
gzip -9n < "$here/../CHANGELOG.md" > "$tree/usr/share/doc/roofplan/changelog.gz"
fill "$here/linux/roofplan.1" | gzip -9n > "$tree/usr/share/man/man1/roofplan.1.gz"
fill "$here/linux/roofplan.metainfo.xml" > "$tree/usr/share/metainfo/app.roofplan.roofplan.metainfo.xml"
install -m755 "$here/linux/refresh_desktop.sh" "$tree/DEBIAN/postinst"
install -m755 "$here/linux/refresh_desktop.sh" "$tree/DEBIAN/postrm"
for size in 16 32 48 64 128 256 512; do
    install -Dm644 "$here/icons/roofplan-$size.png" "$tree/usr/share/icons/hicolor/${size}x${size}/apps/roofplan.png"
done
install -Dm644 "$here/icons/roofplan.svg" "$tree/usr/share/icons/hicolor/scalable/apps/roofplan.svg"

cat > "$tree/DEBIAN/control" <<EOF
Package: roofplan
Version: $version
Architecture: $architecture
Maintainer: The Roofplan authors <maintainers@roofplan.invalid>
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Depends: libc6 (>= $(getconf GNU_LIBC_VERSION | cut -d" " -f2)), libgl1, libegl1, libxkbcommon0, libglib2.0-0 | libglib2.0-0t64, libdbus-1-3, libfontconfig1, libxcb-cursor0, libxcb-icccm4, libxcb-keysyms1, libxcb-shape0, libxcb-xkb1, libxkbcommon-x11-0, libxcb-image0, libxcb-render-util0
Recommends: shared-mime-info, desktop-file-utils, hicolor-icon-theme, xdg-utils, libfile-mimeinfo-perl
Section: science
Priority: optional
Description: Plan AI accelerators: your job on GPU and TPU in days, dollars and lock-in
 Describe a training or serving workload and compare every GPU and TPU option in
 throughput, cost and flexibility, offline, with ranges and sources, and write a
 PDF comparison plan.
EOF
(cd "$tree" && find usr -type f -exec md5sum {} +) > "$tree/DEBIAN/md5sums"
chmod -R u+rwX,go+rX,go-w "$tree"
dpkg-deb --root-owner-group -Zxz --build "$tree" "$dist/roofplan_${version}_$architecture.deb"
