"""One phase as text: its dates, its chips and what it must show, typed in a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from core.plan.drafts.kinds import Verdict
from core.plan.fields import FieldInfo, fields
from core.workload.phases import MOST_MEASURES, Measure, Phase
from core.workload.profile import Profile
from gui.dialogs.prices.form_dialog import FormDialog
from gui.forms.dialog_form import DialogForm
from gui.theme.manager import ThemeManager
from gui.theme.naming import named

_HIDDEN = ("id",)
BEST = "The best of the kind"
_OF_PORT = ("people",)
_OF_CHIPS = ("chips", "share_pct")


def phase_fields(profiles: tuple[Profile, ...], options: Mapping[str, str], phase: Phase) -> list[FieldInfo]:
    """The fields that mean something for a phase; its workload is one of the plan's, its option one of those named, of
    which nothing is known for other workloads."""
    names = {one.id: one.name for one in profiles}
    unfit = _OF_CHIPS if phase.stage == "port" else _OF_PORT
    infos = [info for info in fields(phase) if info.path not in (*_HIDDEN, *unfit)]
    offered = {"": BEST, **({phase.candidate: phase.candidate} if phase.candidate else {}), **options}
    lists = {"workload": names, "candidate": offered}
    return [replace(one, type="choice", choices=lists[one.path]) if one.path in lists else one for one in infos]


def ask_phase(
    phase: Phase,
    profiles: tuple[Profile, ...],
    options: Mapping[str, str],
    themes: ThemeManager,
    parent: QWidget,
) -> PhaseDialog:
    """The dialog over a phase; ``answered`` carries what was typed."""
    form = DialogForm(phase, themes, partial(phase_fields, profiles, options), parent=parent)
    return PhaseDialog("Phase", form, lambda _: Verdict({}), "Take", parent)


class PhaseDialog(FormDialog):
    """A form with a row of buttons for measures."""

    def extra_rows(self) -> list[QHBoxLayout]:
        """Measures come and go."""
        row = QHBoxLayout()
        self.add = named(QPushButton("Add a measure"), "measure-add", "Add a measure")
        self.remove = named(QPushButton("Remove the last measure"), "measure-remove", "Remove the last measure")
        for button, change in ((self.add, self._one_more), (self.remove, self._one_less)):
            button.setAutoDefault(False)
            button.clicked.connect(change)
            row.addWidget(button)
        row.addStretch(1)
        return [row]

    def _one_more(self) -> None:
        measures = self.form.value.measures
        self.form.put("measures", (*measures, Measure()) if len(measures) < MOST_MEASURES else measures)

    def _one_less(self) -> None:
        self.form.put("measures", self.form.value.measures[:-1])
