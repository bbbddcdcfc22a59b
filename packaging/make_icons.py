"""Draws packaging/icons/roofplan.svg as PNG, ICO and ICNS beside it, and as the window's icon among the resources.

Run again after the drawing changed.
"""

from __future__ import annotations

import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).resolve().parent / "icons"
WINDOW_ICON = ICONS.parent.parent / "resources" / "icons" / "roofplan.png"
PNG_SIZES_PX = (16, 32, 48, 64, 128, 256, 512)
ICNS_TYPES = {b"ic11": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512}


def png(renderer: QSvgRenderer, size_px: int) -> bytes:
    image = QImage(size_px, size_px, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Windows icon: a directory of 16-byte entries, then the PNG files themselves (a size of 256 is written as 0)."""
    head = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)
    entries = b""
    for size_px, data in pictures.items():
        entries += struct.pack("<BBBBHHII", size_px % 256, size_px % 256, 0, 0, 1, 32, len(data), offset)
        offset += len(data)
    return head + entries + b"".join(pictures.values())


def icns(pictures: dict[int, bytes]) -> bytes:
    """macOS icon: type, length and PNG of each picture."""
    parts = [kind + struct.pack(">I", 8 + len(pictures[px])) + pictures[px] for kind, px in ICNS_TYPES.items()]
    body = b"".join(parts)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def main() -> None:
    app = QGuiApplication(["make_icons", "-platform", "offscreen"])
    renderer = QSvgRenderer(str(ICONS / "roofplan.svg"))
    pictures = {size_px: png(renderer, size_px) for size_px in PNG_SIZES_PX}
    for size_px, data in pictures.items():
        (ICONS / f"roofplan-{size_px}.png").write_bytes(data)
    (ICONS / "roofplan.ico").write_bytes(ico({px: data for px, data in pictures.items() if px <= 256}))
    (ICONS / "roofplan.icns").write_bytes(icns(pictures))
    WINDOW_ICON.write_bytes(pictures[256])
    app.quit()


if __name__ == "__main__":
    main()
