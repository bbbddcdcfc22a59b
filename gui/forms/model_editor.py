"""Choosing a model: a known language model or network, one of the user's own, or one read from a config.json."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.plan.fields import Bounds, FieldInfo
from core.workload.models.known import network_of, networks, preset_of, presets
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel
from gui.forms.choice_editors import ComboEditor
from gui.theme.plain import as_text

OWN = "own"
OWN_NETWORK = "own network"
FROM_FILE = "file"
_OWN_WORDS = {OWN: "Own model", OWN_NETWORK: "Own network: vision, diffusion…"}
MODEL_INFO = FieldInfo(
    "model", "Model", "", "Known models, or your own shape", "What runs", True, "choice", False, Bounds(), {}, None
)

AnyModel = TransformerModel | NetworkModel


class ModelEditor(ComboEditor):
    """A combo box of known models and networks; the user's own of either kind has an entry, and reading a file."""

    config_wanted = Signal()

    def __init__(self, info: FieldInfo = MODEL_INFO, parent: QWidget | None = None) -> None:
        super().__init__(info, parent)
        self._model: AnyModel = TransformerModel()
        self.combo.setPlaceholderText("Choose a model")
        for names in (presets(), networks()):
            for name in names:
                self.combo.addItem(as_text(name), name)
            self.combo.insertSeparator(self.combo.count())
        for entry, words in _OWN_WORDS.items():
            self.combo.addItem(as_text(words), entry)
        self.combo.addItem("From config.json…", FROM_FILE)

    def show_value(self, value: Any) -> None:
        """Shows a model by its name; none while nobody has chosen one."""
        self._model = value
        entry = OWN_NETWORK if isinstance(value, NetworkModel) else OWN
        is_chosen, known = bool(value.model_fields_set), _is_known(value)
        for own, words in _OWN_WORDS.items():
            is_this = own == entry and is_chosen and not known
            self.combo.setItemText(self.combo.findData(own), as_text(value.name if is_this else words))
        chosen = self.combo.findData(value.name if known else entry)
        self.combo.setCurrentIndex(chosen if is_chosen else -1)

    def tell_chosen(self, index: int) -> None:
        """Tells of the model that was chosen; a file is asked for first."""
        chosen = self.combo.itemData(index)
        if chosen == FROM_FILE:
            self.show_value(self._model)
            self.config_wanted.emit()
        else:
            self.edited.emit(self._picked(chosen))
        self.finished.emit()

    def _picked(self, chosen: str) -> AnyModel:
        """The model of an entry; the user's own starts from what is shown when it is of that kind."""
        kinds: dict[str, type[AnyModel]] = {OWN: TransformerModel, OWN_NETWORK: NetworkModel}
        if chosen in kinds:
            fresh = kinds[chosen]()
            start = self._model if isinstance(self._model, kinds[chosen]) else fresh
            return start.model_copy(update={"name": start.name})
        return presets()[chosen].model if chosen in presets() else networks()[chosen].model


def _is_known(model: AnyModel) -> bool:
    if isinstance(model, NetworkModel):
        return model.name in networks() and network_of(model) is not None
    return model.name in presets() and preset_of(model) is not None
