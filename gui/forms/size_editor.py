"""The size of what an image or video network makes, typed as people say it; the work is counted anew."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from core.plan.fields import Bounds, FieldInfo
from core.workload.models.network import NetworkModel
from core.workload.models.sized import sized_of
from gui.forms.line_edit import plain_spaces
from gui.forms.typed_editors import TypedEditor

SIZE_PATH = "model.size"
LINE_PX = 280
SIZE_INFO = FieldInfo(
    "model", "Size", "", "Pixels, frames of a video, denoising steps; the work is counted anew", "What runs",
    True, "text", False, Bounds(),
)  # fmt: skip


class SizeEditor(TypedEditor):
    """A line such as ``1280 x 720, 81 frames, 50 steps``; its value is the model at that size."""

    is_wide = True

    def __init__(self, info: FieldInfo = SIZE_INFO, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        self.line.setObjectName(f"field-{SIZE_PATH}")
        self.line.setFixedWidth(LINE_PX)
        self.row.addStretch(1)

    def parse(self, text: str) -> NetworkModel:
        """The model at the size typed. Raises ValueError with a sentence for text that is no size."""
        known = sized_of(self._value)
        if known is None:
            raise ValueError("Choose a model that makes images or video")
        network, before = known
        return network.at(network.read(plain_spaces(text), before))

    def write(self, value: Any) -> None:
        """Puts the size of a model into the line."""
        known = sized_of(value) if isinstance(value, NetworkModel) else None
        self.line.setText(known[1].typed if known else "")
