#!/bin/sh
# Makes a Debian package from a built app. Usage: packaging/build_deb.sh DIST_FOLDER  (which holds the folder roofplan)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dist=$(cd "$1" && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../pyproject.toml" | head -n 1)
architecture=$(dpkg --print-architecture)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"

install -d "$tree/DEBIAN" "$tree/opt" "$tree/usr/bin" "$tree/usr/share/doc/roofplan"
cp -a "$dist/roofplan" "$tree/opt/roofplan"
ln -s /opt/roofplan/roofplan "$tree/usr/bin/roofplan"
install -Dm644 "$here/linux/roofplan.desktop" "$tree/usr/share/applications/roofplan.desktop"
install -Dm644 "$here/linux/roofplan-mime.xml" "$tree/usr/share/mime/packages/roofplan.xml"
install -Dm644 "$here/../LICENSE" "$tree/usr/share/doc/roofplan/copyright"
for size in 16 32 48 64 128 256 512; do
    install -Dm644 "$here/icons/roofplan-$size.png" "$tree/usr/share/icons/hicolor/${size}x${size}/apps/roofplan.png"
done
install -Dm644 "$here/icons/roofplan.svg" "$tree/usr/share/icons/hicolor/scalable/apps/roofplan.svg"

cat > "$tree/DEBIAN/control" <<EOF
Package: roofplan
Version: $version
Architecture: $architecture
Maintainer: The Roofplan authors <maintainers@roofplan.invalid>
Installed-Size: $(du -sk "$tree/opt" | cut -f1)
Depends: libc6 (>= 2.36), libgl1, libegl1, libxkbcommon0, libglib2.0-0 | libglib2.0-0t64, libdbus-1-3, libfontconfig1, libxcb-cursor0, libxcb-icccm4, libxcb-keysyms1, libxcb-shape0, libxcb-xkb1, libxkbcommon-x11-0, libxcb-image0, libxcb-render-util0, shared-mime-info, desktop-file-utils
Section: science
Priority: optional
Description: Plan AI accelerators: your job on GPU and TPU in days, dollars and lock-in
 Describe a training or serving workload and compare every GPU and TPU option in
 throughput, cost and flexibility, offline, with ranges and sources, and write a
 PDF comparison plan.
EOF
dpkg-deb --root-owner-group -Zxz --build "$tree" "$dist/roofplan_${version}_$architecture.deb"
