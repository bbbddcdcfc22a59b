#!/bin/sh
# The desktop learns of Roofplan's file type, menu entry and icon, or forgets them.
set -e
if command -v update-mime-database >/dev/null; then update-mime-database /usr/share/mime; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database -q; fi
if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -qtf /usr/share/icons/hicolor; fi
