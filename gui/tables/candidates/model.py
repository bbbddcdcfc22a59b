"""Candidates as a Qt table model: rows in rank order until a column is clicked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from core.catalogue.prices.age import price_line
from core.catalogue.prices.dates import OLD_PRICE_DAYS
from core.comparison.questions.distance_to_users import route_line
from core.comparison.recommendation.warnings import warnings_of
from core.comparison.result import CandidateResult, ResultSet
from core.lazy_sequence import LazySequence
from core.learning.glossary import meaning_of
from core.report.having_words import having_line, sources_line, wait_line
from gui.charts.figure.texts import reason_text
from gui.tables.candidates.columns import FIRST_SPANNED, Column, columns_of
from gui.tables.candidates.filters import Filters, Words, listed_rows
from gui.tables.style import Index
from gui.theme.plain import tip

RESULT_ROLE = Qt.ItemDataRole.UserRole
COLUMN_ROLE = Qt.ItemDataRole.UserRole + 1
_NOWHERE = QModelIndex()
_TOLD = ("price_estimate", "price_undated", "on_paper", "plausible")
"""Warnings that the lines of the price and of what can be had say already."""


class CandidateModel(QAbstractTableModel):
    """The rows that :func:`gui.tables.candidates.filters.listed_rows` lets through.

    Prices count as old after ``old_price_days``.
    """

    def __init__(self) -> None:
        super().__init__()
        self.columns: tuple[Column, ...] = ()
        self.order: list[int] = []
        self.rows: Sequence[CandidateResult] = ()
        self.pinned: tuple[str, ...] = ()
        self.old_price_days = OLD_PRICE_DAYS
        self._sorted_by: tuple[int, bool] | None = None
        self._results: ResultSet | None = None
        self._words: Words | None = None
        self._layout: tuple[list[tuple[str, str, int]], list[bool]] = [], []

    def show(self, results: ResultSet, filters: Filters, selected_id: str | None, pinned: tuple[str, ...]) -> bool:
        """Take over new results. True where the table was laid out anew: other columns, or rows that fit or do not;
        else what its cells say may be other, which :meth:`tell_changed` is for."""
        if self._words is None or not self._words.are_of(results):
            self._words = Words(results)
            self._results = results
        listed = listed_rows(results, filters, selected_id, self._words)
        columns = columns_of(results, self.old_price_days)
        layout = (
            [(one.key, one.title, one.width_px) for one in columns],
            results.columns.feasible[sorted(listed)].tolist(),
        )
        is_other = layout != self._layout
        if is_other:
            self.beginResetModel()
        self.columns, self.pinned, self._layout = columns, pinned, layout
        self._take(results, listed)
        if is_other:
            self.endResetModel()
        return is_other

    def tell_changed(self, cells: Iterable[tuple[int, int]]) -> None:
        """Some cells, row and column, look other than before; each is told alone, so that no other is painted."""
        for row, column in cells:
            self.dataChanged.emit(self.index(row, column), self.index(row, column))

    def _take(self, results: ResultSet, listed: list[int]) -> None:
        """List some results, by their places, in the order chosen; each is put together when it is painted."""
        order = self.order = self._in_order(results, listed)
        self.rows = LazySequence(len(order), lambda row: results.results[order[row]])

    def _in_order(self, results: ResultSet, rows: list[int]) -> list[int]:
        if self._sorted_by is None:
            return rows
        number, falling = self._sorted_by
        keys = self.columns[number].sort_keys(results)
        ordered = sorted(rows, key=keys.__getitem__, reverse=falling)
        feasible = results.columns.feasible
        return sorted(ordered, key=lambda row: (not feasible[row], keys[row] == math.inf))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Order by a column, rejected rows last and, of them as of the others, last what has no value there; a column
        below 0 restores the ranking."""
        self._sorted_by = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self.layoutAboutToBeChanged.emit()
        if self._results is not None:
            before = self.order
            self._take(self._results, sorted(before))
            self._follow(before)
        self.layoutChanged.emit()

    def _follow(self, before: list[int]) -> None:
        """Lets the selection go with its candidate to the row where it now stands."""
        held = self.persistentIndexList()
        now = {place: row for row, place in enumerate(self.order)} if held else {}
        moved = [self.index(now[before[index.row()]], index.column()) for index in held]
        self.changePersistentIndexList(held, moved)

    def row_of(self, candidate_id: str | None) -> int:
        """Row number of a candidate; -1 when it is not listed."""
        place = self._results.row_of.get(candidate_id or "") if self._results else None
        return self.order.index(place) if place in self.order else -1

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Number of candidates listed."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text of a cell; the result and the column themselves under their own roles."""
        result, column = self.rows[index.row()], self.columns[index.column()]
        if role == RESULT_ROLE:
            return result
        if role == COLUMN_ROLE:
            return column
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(result, column, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(result)
        return None

    def _text(self, result: CandidateResult, column: Column, number: int) -> str:
        if not result.feasible and number == FIRST_SPANNED:
            return f"Rejected: {reason_text(result)}"
        cell = column.cell(result)
        return f"{cell.text}, {cell.detail}" if cell.detail else cell.text

    def _tip(self, result: CandidateResult) -> str:
        candidate = result.candidate
        lines = [f"{candidate.name}, {candidate.place}", *candidate.region_lines]
        lines += [f"{reason.text} {reason.nearest_change}".strip() for reason in result.reasons]
        lines += [line for line in (having_line(result), sources_line(result), wait_line(result)) if line]
        lines.append(price_line(candidate.offer, date.today(), self.old_price_days, candidate.usd_per_chip_hour))
        lines += [route_line(result.route)] if result.route else []
        warned = warnings_of(self._results, result) if self._results else ()
        lines += [f"\u26a0 {reason.words}" for reason in warned if reason.code not in _TOLD]
        return tip("\n".join(lines))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Column titles."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self.columns[section].meaning or meaning_of(self.columns[section].title)) or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if self.columns[section].is_number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None
