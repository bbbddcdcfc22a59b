"""What a plan without phases may begin with: a card for each template, and what it would make of the workloads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.workload.phase_templates import TEMPLATES, Template, phases_from
from core.workload.phases import PLATFORM_WORDS, Phase
from core.workload.profile import Profile
from gui.theme.naming import named
from gui.widgets.live import PAGE_SIDE_PX, label

N_ACROSS, MOST_WIDE_PX, GAP_PX = 2, 860, 12
WITHOUT_WORK = "No phases yet: describe a workload first."
NO_PHASES = "No phases yet: begin with one of these, each of which can be changed, or add a phase."


class TemplateCards(QScrollArea):
    """``wanted`` carries the id of the template that is chosen. What a low window has no room for scrolls."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "phase-cards", "Templates of phases")
        self.words = label(NO_PHASES, "ink2", "phases-empty", wraps=True)
        self.cards = {one.id: _Card(one) for one in TEMPLATES}
        grid = QGridLayout()
        grid.setSpacing(GAP_PX)
        for number, (template_id, card) in enumerate(self.cards.items()):
            card.use.clicked.connect(partial(self.wanted.emit, template_id))
            grid.addWidget(card, number // N_ACROSS, number % N_ACROSS)
        inside = QWidget()
        inside.setMaximumWidth(MOST_WIDE_PX)
        column = QVBoxLayout(inside)
        column.setSpacing(GAP_PX)
        column.addWidget(self.words)
        column.addLayout(grid)
        page = QWidget()
        whole = QVBoxLayout(page)
        whole.setContentsMargins(PAGE_SIDE_PX, PAGE_SIDE_PX, PAGE_SIDE_PX, PAGE_SIDE_PX)
        whole.addWidget(inside)
        whole.addStretch(1)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(page)

    def show_for(self, profiles: Sequence[Profile], can_edit: bool) -> None:
        """The phases that each would make of the workloads."""
        self.words.setText(NO_PHASES if any(phases_from(one, profiles) for one in TEMPLATES) else WITHOUT_WORK)
        for one in TEMPLATES:
            self.cards[one.id].show_phases(phases_from(one, profiles), can_edit)


class _Card(QFrame):
    """A template: its title, why the guides advise it, the phases in their order."""

    def __init__(self, one: Template) -> None:
        super().__init__()
        named(self, f"template-{one.id}", one.title)
        self.setProperty("surface", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.phases = label("", "ink2", wraps=True)
        self.use = named(QPushButton("Use this"), f"use-{one.id}", f"Begin with: {one.title}")
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        for widget in (label(one.title, "section"), label(f"{one.why}.", wraps=True), self.phases):
            column.addWidget(widget)
        column.addStretch(1)
        column.addWidget(self.use, alignment=Qt.AlignmentFlag.AlignLeft)

    def show_phases(self, phases: Sequence[Phase], can_edit: bool) -> None:
        """In their order, with the kind of chip of each."""
        self.phases.setText(", ".join(map(_on, phases)))
        self.use.setEnabled(bool(phases) and can_edit)


def _on(phase: Phase) -> str:
    kind = PLATFORM_WORDS.get(phase.platform, "").removeprefix("Best ")
    return f"{phase.name} to {kind}" if phase.stage == "port" else f"{phase.name} on {kind}"
