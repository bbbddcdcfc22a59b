"""The settings of a portfolio as fields beside each other; each edit is one of the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QVBoxLayout, QWidget

from core.catalogue.catalogue import Catalogue
from core.plan.edit import get_value
from core.plan.fields import FieldInfo, fields
from core.workload.portfolio import Portfolio
from gui.forms.choice_editors import ComboEditor
from gui.forms.editor import Editor
from gui.forms.editor_factory import editor_for
from gui.forms.known_values import known_values
from gui.session.plan_session import PlanSession
from gui.tabs.portfolio.edits import PATH, edit, settings_of
from gui.theme.naming import named
from gui.theme.plain import tip
from gui.theme.removal import take_away
from gui.widgets.live import label

Choices = Mapping[str, Mapping[str, str]]
CELL_PX, GAP_PX = 190, 16
CHEAPEST = "Where all cost least"
CHOSEN = ("chip", "provider", "region")
"""Fields of which one chooses from a list, however short it is."""
ANY_CHIP = "On which all cost least"


class SettingsForm(QWidget):
    """As many fields in a row as there is room for. While one types, what is a value counts at once; what becomes none
    is taken back, with a sentence below the field."""

    def __init__(self, session: PlanSession) -> None:
        super().__init__()
        named(self, "portfolio-settings", "Settings of the portfolio")
        self._session = session
        self.cells: dict[str, SettingCell] = {}
        self._infos: dict[str, FieldInfo] = {}
        self._catalogue: Catalogue | None = None
        self._known: Choices = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GAP_PX)
        self._grid.setVerticalSpacing(8)
        self._n_columns = 0

    def refresh(self) -> None:
        """Shows the settings as they are now; a field whose choices changed is made anew."""
        settings, catalogue = settings_of(self._session), self._session.catalogue
        if catalogue is not self._catalogue:
            self._catalogue, self._known = catalogue, choices_of(catalogue)
        infos = {one.path: one for one in setting_fields(settings, self._known)}
        for path, info in infos.items():
            if self._infos.get(path) != info:
                self._make(path, info)
        self._infos = infos
        for path, cell in self.cells.items():
            cell.setEnabled(not self._session.is_read_only and infos[path].relevant)
            cell.show_value(get_value(settings, path))
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fields go to the next row where there is no room."""
        super().resizeEvent(event)
        self._place()

    def _make(self, path: str, info: FieldInfo) -> None:
        if path in self.cells:
            take_away(self.cells.pop(path))
        self.cells[path] = SettingCell(info, self._session)
        self._n_columns = 0

    def _place(self) -> None:
        n_columns = max((self.width() + GAP_PX) // (CELL_PX + GAP_PX), 1)
        if n_columns == self._n_columns:
            return
        self._n_columns = n_columns
        for number, path in enumerate(self._infos):
            self._grid.addWidget(self.cells[path], number // n_columns, number % n_columns)
            self.cells[path].show()
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, 1 if column < n_columns else 0)


class SettingCell(QWidget):
    """A title over an editor over what is wrong."""

    def __init__(self, info: FieldInfo, session: PlanSession) -> None:
        super().__init__()
        self.info, self._session = info, session
        self.editor: Editor = ComboEditor(info) if info.path in CHOSEN else editor_for(info, {})
        self.message = label("", "err", f"message-{PATH}.{info.path}", wraps=True)
        self.message.hide()
        if isinstance(self.editor, ComboEditor):
            self.editor.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        title = label(info.title, "small", wraps=True)
        title.setBuddy(self.editor.target())
        self.setToolTip(tip(info.help or info.title))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for widget in (title, self.editor, self.message):
            column.addWidget(widget)
        column.addStretch(1)
        self.editor.edited.connect(self._on_edited)
        self.editor.refused.connect(self._on_refused)
        self.editor.finished.connect(session.end_step)

    def show_value(self, value: Any) -> None:
        """The value in the plan; a text that is none stays with its sentence."""
        if self.message.isHidden():
            with QSignalBlocker(self.editor):
                self.editor.show_value(value)

    def _on_edited(self, value: Any) -> None:
        self._say("")
        wrong = edit(self._session, self.info.path, value, f"{self.info.title} of the portfolio")
        if wrong:
            self._on_refused(wrong)

    def _on_refused(self, sentence: str) -> None:
        """The text stays, the plan goes back to before it was typed."""
        self._say(sentence)
        self._session.take_back(PATH)

    def _say(self, sentence: str) -> None:
        self.message.setText(sentence)
        self.message.setVisible(bool(sentence))
        self.editor.set_state("error" if sentence else "")


def setting_fields(settings: Portfolio, known: Choices) -> list[FieldInfo]:
    """The fields but those with a place of their own on the page; chip, seller and region are chosen, not typed."""
    regions = {"": CHEAPEST, **known.get(f"regions of {settings.provider}", {})}
    lists = dict(zip(CHOSEN, (known.get("chip", {}), known.get("provider", {}), regions), strict=True))
    infos = [info for info in fields(settings) if not info.path.startswith(("members", "pins"))]
    return [_listed(one, lists[one.path], getattr(settings, one.path)) if one.path in lists else one for one in infos]


def _listed(info: FieldInfo, words: Mapping[str, str], chosen: str) -> FieldInfo:
    """A field of which one chooses; what is chosen is always among them."""
    return replace(info, type="choice", choices={**words, chosen: words.get(chosen, chosen)})


def choices_of(catalogue: Catalogue) -> Choices:
    """Chips and sellers to choose from, and regions by seller."""
    known = known_values(catalogue)
    offered = {one.accelerator_id for one in catalogue.offers}
    chips = {one.id: one.short_name for one in catalogue.accelerators if one.id in offered}
    return {**known, "chip": {"": ANY_CHIP, **chips}, "provider": {"": CHEAPEST, **known["providers"]}}
