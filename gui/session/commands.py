"""One undo step: from one whole plan to another. Plans are immutable and share what did not change."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

from PySide6.QtGui import QUndoCommand

from core.catalogue.own.layers import PriceBook
from core.comparison.missing import missing_facts
from core.plan.fields import field_at
from core.plan.plan import Plan


class PlanCommand(QUndoCommand):
    """Replaces the plan. Edits of the same field one after the other become one step."""

    def __init__(self, show: Callable[[Plan], None], before: Plan, after: Plan, label: str, merge_key: str) -> None:
        super().__init__(label)
        self._show = show
        self.before = before
        self.after = after
        self.merge_key = merge_key

    def id(self) -> int:
        """Equal for edits that may merge; -1 for none."""
        return crc32(self.merge_key.encode()) & 0x7FFFFFFF if self.merge_key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Takes the later edit of the same field in; a field typed back to where it was leaves no step."""
        if not isinstance(other, PlanCommand) or other.merge_key != self.merge_key:
            return False
        self.after = other.after
        vars(other).clear()  # PySide keeps it for ever, and it shall keep nothing
        self.setObsolete(self.after == self.before)
        return True

    def redo(self) -> None:
        """Show the later plan."""
        self._show(self.after)

    def undo(self) -> None:
        """Show the earlier plan."""
        self._show(self.before)


class BookCommand(QUndoCommand):
    """Replaces the price book, which is no part of the plan: it makes nothing unsaved."""

    def __init__(self, show: Callable[[PriceBook], None], before: PriceBook, after: PriceBook, label: str) -> None:
        super().__init__(label)
        self._show = show
        self.before = before
        self.after = after

    def redo(self) -> None:
        """Show the later book."""
        self._show(self.after)

    def undo(self) -> None:
        """Show the earlier book."""
        self._show(self.before)


def edit_label(plan: Plan, path: str) -> str:
    """The step's name in the history: the title that the form gives the field."""
    info = field_at(plan, path)
    title = info.title if info else path.rsplit(".", 1)[-1].replace("_", " ")
    return f"Change {title[:1].lower()}{title[1:]}"


def unanswered(plan: Plan) -> list[tuple[str, ...]]:
    """What was never entered, workload by workload: a default that is entered as an answer changes only this."""
    return [missing_facts(profile) for profile in plan.profiles]
