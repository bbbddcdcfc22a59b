"""Choosing a model: a known one, one of the user's own, or one read from a config.json."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.plan.fields import Bounds, FieldInfo
from core.workload.model import TransformerModel
from core.workload.presets import preset_of, presets
from gui.forms.choice_editors import CalmCombo
from gui.forms.editor import Editor

OWN = "own"
FROM_FILE = "file"
MODEL_INFO = FieldInfo(
    "model", "Model", "", "Known models, or your own shape", "What runs", True, "choice", False, Bounds(), {}, None
)


class ModelEditor(Editor):
    """A combo box of known models; the user's own shape has an entry of its own, and so has reading a file."""

    config_wanted = Signal()

    def __init__(self, info: FieldInfo = MODEL_INFO, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        self._model = TransformerModel()
        self.combo = CalmCombo()
        self.combo.setMaxVisibleItems(24)
        self.combo.setPlaceholderText("Choose a model")
        for name in presets():
            self.combo.addItem(name, name)
        self.combo.insertSeparator(self.combo.count())
        self.combo.addItem("Own model", OWN)
        self.combo.addItem("From config.json…", FROM_FILE)
        self.add(self.combo)
        self.combo.activated.connect(self._on_chosen)

    def show_value(self, value: Any) -> None:
        """Shows a model by its name; none while nobody has chosen one."""
        self._model = value
        is_known = value.name in presets() and preset_of(value) is not None
        own = self.combo.findData(OWN)
        is_chosen = bool(value.model_fields_set)
        self.combo.setItemText(own, value.name if is_chosen and not is_known else "Own model")
        chosen = self.combo.findData(value.name) if is_known else own
        self.combo.setCurrentIndex(chosen if is_chosen else -1)

    def target(self) -> QWidget:
        """The combo box."""
        return self.combo

    def set_state(self, state: str) -> None:
        """Colours the border."""
        self.combo.setProperty("state", state)
        self.combo.style().polish(self.combo)

    def _on_chosen(self, index: int) -> None:
        chosen = self.combo.itemData(index)
        if chosen == FROM_FILE:
            self.show_value(self._model)
            self.config_wanted.emit()
        elif chosen == OWN:
            self.edited.emit(self._model.model_copy(update={"name": self._model.name}))
        else:
            self.edited.emit(presets()[chosen].model)
        self.finished.emit()
