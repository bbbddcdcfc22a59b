#!/bin/sh
# Tries a Debian package on a bare Debian: installed with what it recommends, checked, a plan opened by xdg-open on a
# virtual screen, the journey of tests/e2e driven in it, removed; what it left is told, and is nothing.
# Usage, as root: packaging/try_deb.sh DEB [FOLDER]   Needs debootstrap, Xvfb, openbox, xdotool and the network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
deb=$(realpath "${1:?the Debian package: packaging/try_deb.sh DEB [FOLDER]}")
bare=$(realpath -m "${2:-$(mktemp -d /tmp/bare-debian-XXXX)}")
work=$(mktemp -d /tmp/roofplan-try-XXXX)
screen="" keeper=""
say() { echo "== $*"; }
inside() { chroot "$bare" /usr/bin/env -i HOME=/root PATH=/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
end() {
    [ -z "$keeper" ] || kill "$keeper" 2>/dev/null || true
    [ -z "$screen" ] || kill "$screen" 2>/dev/null || true
    for place in "$bare$work" "$bare$root/tests/data/logs" "$bare/proc"; do
        if mountpoint -q "$place"; then umount "$place"; fi
    done
    rm -rf "$work"
}
trap end EXIT
listed() { (cd "$bare" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./root -o -path ./var/cache -o -path ./var/lib/apt \
    -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./run -o -path ".$root" \) -prune -o -print | sort); }

[ -d "$bare/usr/bin" ] || { say "debootstrap into $bare"; debootstrap --variant=minbase bookworm "$bare" > "$work/debootstrap.log"; }
mkdir -p "$bare/proc" "$bare$work" "$bare$root/tests/data/logs"
mountpoint -q "$bare/proc" || mount -t proc proc "$bare/proc"
mount --bind "$work" "$bare$work"
mount --bind "$root/tests/data/logs" "$bare$root/tests/data/logs"
cp /etc/resolv.conf "$bare/etc/resolv.conf"
inside apt-get update -qq
say "what it needs and recommends, without itself"
needed=$(dpkg-deb --field "$deb" Depends Recommends | sed -e 's/^[A-Za-z]*: //' -e 's/([^)]*)//g' -e 's/|[^,]*//g' | tr ',\n' '  ')
# shellcheck disable=SC2086
inside apt-get install -y -qq $needed > "$work/apt.log" 2>&1
listed > "$work/before"

say "install"
cp "$deb" "$work/roofplan.deb"
inside apt-get install -y -qq "$work/roofplan.deb" > "$work/apt.log" 2>&1
inside desktop-file-validate /usr/share/applications/roofplan.desktop
inside roofplan --version
inside roofplan selftest

say "the MIME database, with and without the extension"
inside roofplan compare /usr/lib/roofplan/_internal/profiles/llama3-70b-pretraining.json --out "$work/plan.roofplan" > /dev/null
cp "$work/plan.roofplan" "$work/nameless"
for file in plan.roofplan nameless; do
    kind=$(inside xdg-mime query filetype "$work/$file")
    [ "$kind" = application/x-roofplan ] || { echo "$file is taken for $kind"; exit 1; }
done
[ "$(inside xdg-mime query default application/x-roofplan)" = roofplan.desktop ]

say "xdg-open plan.roofplan on a virtual screen"
mkfifo "$work/number" "$work/ready"
Xvfb -displayfd 9 -screen 0 1440x900x24 -nolisten tcp 9> "$work/number" 2> /dev/null &
screen=$!
read -r number < "$work/number"
exec 8<> "$work/ready"
inside DISPLAY=":$number" ROOFPLAN_READY_FILE="$work/ready" setsid xdg-open "$work/plan.roofplan" &
told=""
while [ "${told#results}" = "$told" ]; do
    told=$(timeout 60 sh -c 'read -r line <&8 && echo "$line"') || { echo "the window told nothing"; exit 1; }
    echo "$told"
done
pid=$(pgrep -f "^/usr/bin/roofplan $work/plan.roofplan")
echo "process $pid: $(tr '\0' ' ' < "/proc/$pid/cmdline")"
DISPLAY=":$number" xdotool search --onlyvisible --name "Roofplan$" getwindowname
kill "$pid"

say "the journey: open, type, import a log, save, reopen, export a PDF"
cat > "$work/roofplan" <<PROGRAM
#!/bin/sh
exec /usr/sbin/chroot "$bare" /usr/bin/roofplan "\$@"
PROGRAM
chmod +x "$work/roofplan"
(cd "$root" && ROOFPLAN_APP="$work/roofplan" .venv/bin/python -m pytest -q -p no:cacheprovider --basetemp "$work/journey" \
    tests/e2e/test_journey.py -k packaged)

say "remove"
inside apt-get purge -y -qq roofplan > "$work/apt.log" 2>&1
listed > "$work/after"
diff "$work/before" "$work/after" && echo "nothing is left"
