"""Ties one row to one field of the session's plan: edits go in, changes come back, neither echoes."""

from __future__ import annotations

from datetime import date
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import QObject, QSignalBlocker

from core.catalogue.places.known_places import refusal
from core.errors import InputError
from core.plan.edit import get_value
from core.plan.fields import FieldInfo, value_words
from core.plan.scenario import BASE
from core.workload.doubts import Doubt
from core.workload.models.known import usual_of
from gui.forms.field_row import FieldRow
from gui.forms.number_text import shown_number
from gui.session.plan_session import PlanSession

_UNSEEN = object()
_UNANSWERED = object()


class FieldLink(QObject):
    """Lives as long as its row. ``path`` is relative to the workload on screen."""

    def __init__(self, session: PlanSession, path: str, row: FieldRow, marks_default: bool = True) -> None:
        super().__init__(row)
        self._session, self.path, self.row = session, path, row
        self._marks_default = marks_default
        self._seen: Any = _UNSEEN
        self._error = ""
        self._is_taking_back = False
        self._doubt: Doubt | None = None
        row.editor.edited.connect(self._on_edited)
        row.editor.refused.connect(self._on_refused)
        row.editor.finished.connect(session.end_step)
        row.reset_wanted.connect(self._on_reset)
        row.repair_wanted.connect(self._on_repair)

    @property
    def is_changed(self) -> bool:
        """True when the value differs from what it is compared with: the default, or Base in another scenario."""
        return self.row.is_changed

    def say(self, text: str, severity: str) -> None:
        """A remark below the field that is no problem of the plan; it stays until the value changes."""
        self.row.show_message(text, severity)

    def show(self, doubt: Doubt | None, is_unanswered: bool = False) -> None:
        """Repaints what differs from the last time. A fact that was never entered shows as an empty field."""
        value = self._value()
        if self._is_taking_back:
            self._seen = _UNANSWERED if is_unanswered else value
        elif is_unanswered and self._seen is not _UNANSWERED:
            self._show_value(None)
            self._seen = _UNANSWERED
        elif not is_unanswered and value != self._seen:
            self._show_value(value)
        if not is_unanswered:
            self.row.editor.follow(value)
        if doubt != self._doubt:
            self._doubt = doubt
            self._show_message()
        self.row.show_changed(self._changed_words())

    def _show_value(self, value: Any) -> None:
        self._clear_error()
        if self._seen is not _UNSEEN:
            self._show_message()
        self._seen = value
        with QSignalBlocker(self.row.editor):
            self.row.editor.show_value(value)

    def _value(self) -> Any:
        return get_value(self._session.shown_plan, self._session.path(self.path))

    def _reference(self) -> Any:
        return reference(self._session, self.row.info)

    def _changed_words(self) -> str:
        if not is_changed(self._session, self.row.info, self._marks_default):
            return ""
        where = "" if self._session.scenario_id == BASE else " in Base"
        return f"Changed from {words_of(self.row.editor.info, self._reference())}{where}"

    def _on_edited(self, value: Any) -> None:
        self._clear_error()
        if unknown := refusal(self._session.catalogue, self.path, value):
            self._on_refused(unknown)
            return
        before, self._seen = self._seen, value
        error = self._session.edit(self._session.path(self.path), value)
        if error:
            self._seen, self._error = before, error
            self._take_back()

    def _on_refused(self, sentence: str) -> None:
        self._error = sentence
        self._session.report(self._session.path(self.path), f"{self.row.info.title}: {sentence}")
        self._take_back()

    def _take_back(self) -> None:
        """The text stays, the plan does not keep what its beginning stood for.

        While one types, each text that is a value counts at once, so that the charts move. Whether it is whole shows
        only afterwards: ``1e4`` is a value until it goes on to ``1e40``. Therefore a text that becomes no value, or one
        out of bounds, undoes its whole step of typing. ``refresh`` shall not put the old value over the text.
        """
        self._is_taking_back = True
        self._session.take_back(self._session.path(self.path))
        self._is_taking_back = False
        self._show_message()

    def _on_reset(self) -> None:
        self._take(self._reference())

    def _on_repair(self, value: Any) -> None:
        self._take(value)

    def _take(self, value: Any) -> None:
        """A value that did not come from typing: it is shown even where text stood."""
        self._clear_error()
        self._seen = _UNSEEN
        self._session.end_step()
        self._session.edit(self._session.path(self.path), value)
        self._session.end_step()
        self._show_value(self._value())

    def _clear_error(self) -> None:
        if self._error:
            self._error = ""
            self._session.settle(self._session.path(self.path))
            self._show_message()

    def _show_message(self) -> None:
        if self._error:
            self.row.show_message(self._error)
        elif self._doubt:
            repair = self._doubt.repair
            words = "" if repair is None else f"Use {words_of(self.row.info, repair)}"
            self.row.show_message(f"{self._doubt.text}.", "warning", repair, words)
        else:
            self.row.show_message("")


def reference(session: PlanSession, info: FieldInfo) -> Any:
    """What the value of a field is compared with, and reset to: the default, or Base in another scenario."""
    if session.scenario_id == BASE:
        return _usual(session, info)
    try:
        return get_value(session.plan, session.path(info.path))
    except InputError:
        return info.default


def _usual(session: PlanSession, info: FieldInfo) -> Any:
    """The default; of a field of the model that of the known model which was chosen."""
    whole, _, name = info.path.partition(".")
    profile = session.profile
    if whole != "model" or not name or profile is None:
        return info.default
    return getattr(usual_of(profile.model), name, info.default)


def is_changed(session: PlanSession, info: FieldInfo, marks_default: bool) -> bool:
    """True when a field carries the mark of change; in Base not where there is no usual value."""
    if session.scenario_id == BASE and not marks_default:
        return False
    return bool(get_value(session.shown_plan, session.path(info.path)) != reference(session, info))


def words_of(info: FieldInfo, value: Any) -> str:
    """A value as the form writes it: ``1 trillion tokens``, ``8 192``, ``Stable``; of none what empty means."""
    if value is None:
        return info.empty[:1].lower() + info.empty[1:]
    if info.type in ("number", "whole"):
        shown = shown_number(info, value)
        return f"{shown.text} {shown.suffix}" if shown.scale > 1 else shown.text
    if isinstance(value, date):
        return f"{value.day} {value:%b %Y}"
    if isinstance(value, BaseModel):
        return str(getattr(value, "name", "another"))
    return value_words(info, value)
