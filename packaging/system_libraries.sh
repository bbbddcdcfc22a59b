#!/bin/sh
# Checks the Debian packages that Qt and the tests need. Installs the missing ones where it may, else prints the line.
# Usage: packaging/system_libraries.sh run|test
set -u

offscreen="libgl1 libegl1 libxkbcommon0 libglib2.0-0 libdbus-1-3 libfontconfig1"
window="libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0 libxcb-image0 libxcb-render-util0"
testing="xvfb xauth openbox xdotool x11-utils poppler-utils binutils"

wanted="$offscreen $window"
[ "${1:-run}" = test ] && wanted="$wanted $testing"

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "Not a Debian system: make sure that Qt 6's libraries are there (on Debian: $wanted)"
    exit 0
fi

missing=""
for package in $wanted; do
    # Debian 13 renamed some libraries with a t64 suffix.
    dpkg-query -W -f '${Status}\n' "$package" "${package}t64" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"
if command -v apt-get >/dev/null 2>&1 && { [ -z "$as_root" ] || sudo -n true 2>/dev/null; }; then
    echo "Installing missing system libraries:$missing"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086
    $as_root apt-get install -y -qq $missing >/dev/null 2>&1 && exit 0
    $as_root apt-get update -qq >/dev/null 2>&1
    # shellcheck disable=SC2086
    $as_root apt-get install -y -qq $missing >/dev/null && exit 0
fi
echo "Missing system libraries. Install them with:" >&2
echo "    sudo apt-get install -y$missing" >&2
[ "${1:-run}" = test ] && exit 1
exit 0
