"""What the import of prices shows: the file, the questions about it, and the table of changes."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.catalogue.catalogue import Catalogue
from core.plan.price_import import GROUP_WORDS, Group, Preview, PreviewRow, Recognised, skipped_words
from core.units import counted, grouped
from gui.dialogs.prices.import_questions import PriceQuestions
from gui.tables.text_table import TextColumn, TextRow, TextTable
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label, caption

PRICES = (
    TextColumn("Chips and host", 250),
    TextColumn("Provider, place, way to pay", 220),
    TextColumn("Now", 72, True),
    TextColumn("New", 72, True),
    TextColumn("Change", 80, True),
    TextColumn("Remark", 290),
)
SKIPPED = (TextColumn("Reason", 380), TextColumn("Rows", 70, True), TextColumn("Row numbers", 380))
HOW = "A vms.csv of SkyPilot, a CSV or zip of gpuhunt, or a table of offers as this program writes it."


class ImportPreview(QWidget):
    """``question_changed``: something that the reading depends on; ``choice_changed``: only what is taken."""

    file_wanted = Signal()
    question_changed = Signal()
    choice_changed = Signal()

    def __init__(self, themes: ThemeManager, dialog: QDialog) -> None:
        super().__init__(dialog)
        self._themes = themes
        self._seen: Preview | None = None
        self._build()
        box = QVBoxLayout(dialog)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self)

    @property
    def left_out(self) -> set[str]:
        """Ids of the offers whose box was cleared."""
        return self.table.rows.unticked

    def show_busy(self, words: str) -> None:
        """Something is read."""
        self.bar.setRange(0, 0)
        self.bar.show()
        self._say(words)
        self._show_table(None)

    def show_share(self, share: float) -> None:
        """How much of what is read is done, from 0 to 1."""
        self.bar.setRange(0, 100)
        self.bar.setValue(round(100 * share))

    def show_trouble(self, words: str) -> None:
        """Why there is nothing to see; nothing was changed."""
        self.bar.hide()
        self._say(words, is_error=True)
        self._show_table(None)

    def show_question(self, words: str) -> None:
        """Something must be said before there is anything to see."""
        self.bar.hide()
        self._say(words)
        self._show_table(None)

    def begin_file(self, name: str) -> None:
        """Another file: what was told and asked of the one before goes."""
        self.file.setText(name)
        self.kind.setText("")
        self.ask.hide()

    def show_file(self, price_file: Recognised, catalogue: Catalogue) -> None:
        """What was recognised, and the questions that are left."""
        self.file.setText(price_file.path.name)
        tables = "" if len(price_file.sources) == 1 else f", {len(price_file.sources)} tables"
        self.kind.setText(f"{price_file.kind}{tables}, {counted(price_file.n_rows, 'row')}")
        self.ask.show_file(price_file, catalogue)

    def show_preview(self, seen: Preview) -> None:
        """The table of changes, with what most deserves a look first."""
        self.bar.hide()
        self.table.rows.forget_ticks(seen.changes.older)
        self._show_table(seen)
        self._say(_summary(seen))

    def show_group(self, group: Group) -> None:
        """Lists one group of the preview."""
        if self._seen is None:
            return
        self._button_of(group).setChecked(True)
        if group == "skipped":
            self.table.show_rows(_skipped_rows(self._seen), SKIPPED)
        else:
            self.table.show_rows([_price_row(row) for row in self._seen.of(group)], PRICES)

    def name_button(self, words: str, can_take: bool) -> None:
        """What accepting does."""
        self.take.setText(words)
        self.take.setEnabled(can_take)

    def _show_table(self, seen: Preview | None) -> None:
        self._seen = seen
        self.table.setVisible(seen is not None)
        for group in GROUP_WORDS:
            button = self._button_of(group)
            count = seen.count(group) if seen else 0
            button.setVisible(count > 0)
            button.setText(caption(f"{GROUP_WORDS[group]} {grouped(count)}"))
        if seen is not None:
            order: tuple[Group, ...] = ("flagged", "changed", "new", "removed", "same", "skipped")
            self.show_group(next((group for group in order if seen.count(group)), "changed"))

    def _show_detail(self) -> None:
        """The whole remark of the selected row, which the column may cut."""
        index = self.table.currentIndex()
        words = self.table.rows.rows[index.row()].cells[-1] if index.isValid() else ""
        self.detail.setText(words)
        self.detail.setVisible(bool(words))

    def _button_of(self, group: Group) -> QPushButton:
        button = self.groups.button(list(GROUP_WORDS).index(group))
        assert isinstance(button, QPushButton)
        return button

    def _say(self, words: str, is_error: bool = False) -> None:
        self.message.setProperty("kind", "err" if is_error else "ink2")
        self.message.style().polish(self.message)
        self.message.setText(words)

    def _build(self) -> None:
        self.ask = PriceQuestions(self)
        self.ask.changed.connect(self.question_changed)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.message = named(Label(HOW), "prices-message", kind="ink2")
        self.message.setWordWrap(True)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = TextTable("prices-table", "Changes", PRICES)
        self.table.rows.colour = self._themes.theme.color("warn")
        self.table.rows.ticked.connect(self.choice_changed)
        self.table.selectionModel().currentChanged.connect(self._show_detail)
        self.table.rows.modelReset.connect(self._show_detail)
        self.table.hide()
        self.detail = named(Label(), "prices-detail", kind="small")
        self.detail.setWordWrap(True)
        self.detail.hide()
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 14, 20, 14)
        column.setSpacing(10)
        column.addLayout(self._file_row())
        column.addWidget(self.ask)
        column.addWidget(self.bar)
        column.addWidget(self.message)
        column.addLayout(self._group_row())
        column.addWidget(self.table, 1)
        column.addWidget(self.detail)
        column.addStretch(0)
        column.addLayout(self._ending())

    def _file_row(self) -> QHBoxLayout:
        self.file = named(Label("No file yet"), "prices-file", kind="strong")
        self.kind = named(Label(), "prices-kind", kind="small")
        self.choose = named(QPushButton("Choose a file…"), "prices-choose", "Choose a file")
        self.choose.setAutoDefault(False)
        self.choose.clicked.connect(self.file_wanted)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.file)
        row.addWidget(self.kind, 1)
        row.addWidget(self.choose)
        return row

    def _group_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        self.groups = QButtonGroup(self)
        self.groups.setExclusive(True)
        for number, (group, words) in enumerate(GROUP_WORDS.items()):
            button = named(QPushButton(caption(words)), f"prices-{group}", words, "choice")
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.clicked.connect(partial(self.show_group, group))
            button.hide()
            self.groups.addButton(button, number)
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _ending(self) -> QHBoxLayout:
        self.cancel = named(QPushButton("Cancel"), "prices-cancel", "Cancel")
        self.cancel.setAutoDefault(False)
        self.shows_removed = named(QCheckBox("Also what is no longer listed"), "prices-removed")
        self.shows_removed.toggled.connect(self.question_changed)
        self.take = named(QPushButton("Take prices"), "prices-take", "Take prices", "primary")
        self.take.setDefault(True)
        row = QHBoxLayout()
        row.addWidget(self.shows_removed)
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.take)
        return row


def _summary(seen: Preview) -> str:
    price_list = seen.price_list
    taken = f"{counted(len(price_list.offers), 'price')} from {counted(price_list.n_rows, 'row')}"
    skipped = f", {counted(len(price_list.skipped), 'row')} skipped" if price_list.skipped else ""
    hosts = f", {counted(len(price_list.hosts), 'new host')}" if price_list.hosts else ""
    n_older = len(seen.changes.older)
    older = f" {counted(n_older, 'price')} older than those in use: tick a box to take one anyway." if n_older else ""
    is_more = seen.count("flagged") > n_older
    look = " Prices to look at are ticked; clear the box of one to leave it out." if is_more else ""
    return f"{taken}{skipped}{hosts}. Prices are per chip and hour.{look}{older}"


def _price_row(row: PreviewRow) -> TextRow:
    can_tick = row.group in ("new", "changed", "same") and bool(row.reason)
    cells = (row.what, row.where, row.now, row.new, row.change, _sentence(row.reason))
    return TextRow(row.offer_id, cells, can_tick, bool(row.reason))


def _skipped_rows(seen: Preview) -> list[TextRow]:
    return [
        TextRow("", (_sentence(reason), grouped(number), rows))
        for reason, number, rows in skipped_words(seen.price_list)
    ]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"
