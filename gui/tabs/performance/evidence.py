"""How well a speed is known, in words: the evidence meter, what stands behind the prediction, and its software."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from core.calibration.published_rows import n_published
from core.catalogue.entries import Accelerator
from core.comparison.result import CandidateResult
from core.ranges import Evidence
from core.throughput.samples.seen import is_seen
from core.units import counted
from core.workload.jobs.kinds import ENGINE_WORDS
from core.workload.models.network import NetworkModel
from core.workload.profile import TRAINING_STACK_WORDS, Profile
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.widgets.live import label

METER_BARS = 4
GAP_PX = 8
_METER_PX = QSize(METER_BARS * 5, 12)


def evidence_words(profile: Profile, result: CandidateResult) -> str:
    """Why the speed is known so well: own logs, rows of the chip that the engine was fitted on, software assumed."""
    chip = result.candidate.accelerator
    if result.evidence is Evidence.MEASURED_HERE:
        return "A log of your own, of this model on this chip, moved the prediction"
    behind = _rows_behind(profile, chip)
    if result.evidence is Evidence.TRANSFERRED:
        behind = f"A log of your own, of another model or chip of this architecture, moved it part of the way; {behind}"
    return f"{behind}; {stack_words(profile)}"


def _rows_behind(profile: Profile, chip: Accelerator) -> str:
    rows, name = n_published(profile.job.work, profile.is_in_samples)[chip.id], chip.short_name
    done, model = "trained" if profile.job.trains else "served", profile.model
    if isinstance(model, NetworkModel) and not is_seen(chip, model.family, profile.job.trains):
        return f"next to no published run {done} such a network on TPUs; told by data sheet and other work, range wider"
    if rows:
        return f"{counted(rows, 'published run')} {done} on {name} behind it"
    return f"no published run {done} on {name}: its data sheet and chips like it, so the range is wider"


def stack_words(profile: Profile) -> str:
    """The software that the prediction supposes."""
    year = profile.stack.software_year
    job = profile.job
    if job.serving_engine is None:
        stack = TRAINING_STACK_WORDS[profile.stack.training_stack].split(":")[0]
        return f"your stack: {stack[:1].lower()}{stack[1:]}, {year}".replace("fSDP", "FSDP")
    if profile.is_in_samples:
        return f"software of {year}"
    kind = "online" if job.answers_users else "in batches"
    return f"your engine: {ENGINE_WORDS[job.serving_engine]} of {year}, {kind}"


class EvidenceMeter(QWidget):
    """Four bars, as many filled as the evidence is strong."""

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes, self._strength = themes, 0
        self.setFixedSize(_METER_PX)

    def set_strength(self, strength: int) -> None:
        """Bars to fill, 0 to 4."""
        self._strength = strength
        self.setAccessibleName(f"Evidence {strength} of {METER_BARS}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Filled bars in ink, the rest in outline."""
        painter, theme = QPainter(self), self._themes.theme
        for bar in range(METER_BARS):
            if bar < self._strength:
                painter.fillRect(bar * 5, 1, 4, 10, theme.color("ink2"))
            else:
                painter.setPen(theme.color("line2"))
                painter.drawRect(bar * 5, 1, 3, 9)


class EvidenceLine(QWidget):
    """Meter, class and the words why, in one line that wraps."""

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.meter = named(EvidenceMeter(themes), "evidence-meter", "Evidence")
        self.words = label("", "ink2", "evidence-words", wraps=True)
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP_PX)
        row.addWidget(self.meter, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.words, 1)

    def show_result(self, profile: Profile, result: CandidateResult | None) -> None:
        """Tells the evidence of a candidate; hidden without one."""
        self.setVisible(result is not None and result.throughput.fits)
        if result is None:
            return
        self.meter.set_strength(result.evidence.strength)
        self.words.setText(self.words_of(profile, result))

    @staticmethod
    def words_of(profile: Profile, result: CandidateResult) -> str:
        """What the line says of a candidate; nothing of one that does not fit."""
        if not result.throughput.fits:
            return ""
        return f"{result.evidence.value.capitalize()}: {evidence_words(profile, result)}."

    @property
    def indent_px(self) -> int:
        """Room that the meter takes before the words."""
        return _METER_PX.width() + GAP_PX
