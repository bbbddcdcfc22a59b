"""The form of a workload, made from the described fields: essential ones first, the rest when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.catalogue.details.engine_doubts import engine_doubts
from core.catalogue.places.known_places import place_doubts
from core.plan.fields import FieldInfo, fields
from core.units import shown_money
from core.workload.doubts import Doubt, doubts
from core.workload.models.network import NetworkModel
from core.workload.models.sized import sized_of
from core.workload.profile import Profile
from gui.forms.editor import Editor
from gui.forms.editor_factory import editor_for
from gui.forms.field_link import FieldLink, is_changed
from gui.forms.field_row import DOT_PX, FieldRow, Group, RowList
from gui.forms.model_editor import MODEL_INFO, ModelEditor
from gui.forms.size_editor import SIZE_INFO, SIZE_PATH, SizeEditor
from gui.session.plan_session import PlanSession
from gui.theme.icons import icon
from gui.theme.manager import ThemeManager
from gui.theme.naming import named
from gui.theme.plain import Label
from gui.theme.removal import take_away

NARROW_PX = 560
_ALWAYS_SHOWN = "Priorities"
CODE = "Your code"
_ORDER = (
    "Workload",
    "What runs",
    "Model",
    "A step",
    "Answering and training",
    "Decoding",
    "Numerics and memory",
    "Data",
    CODE,
    "Team",
    "Places and limits",
    "Who may sell",
    "Rent or buy",
    "Own hardware",
    "Flexibility score",
    "Priorities",
)
_HIDDEN = ("id",)
_UNMARKED = ("model", "job.kind")
"""Choices that decide what the other fields are: there is no usual one to go back to."""

Hints = Callable[[Profile], Mapping[str, str]]


class WorkloadForm(QWidget):
    """Every field of the workload on screen. ``config_wanted`` asks for a config.json, ``scan_wanted`` for a folder of
    sources to answer the questions about code from."""

    config_wanted = Signal()
    scan_wanted = Signal()

    def __init__(
        self,
        session: PlanSession,
        themes: ThemeManager,
        known: Mapping[str, Mapping[str, str]],
        hints: Hints,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._themes, self._known, self._hints = session, themes, known, hints
        self._links: dict[str, FieldLink] = {}
        self._has_rest = False
        self._infos: dict[str, FieldInfo] = {}
        self._in_more: list[str] = []
        self._money, self._is_behind = shown_money(), False
        self._build()
        for signal in (session.plan_changed, session.profile_changed, session.scenario_changed):
            signal.connect(self._on_change)
        themes.changed.connect(self._on_theme)
        self.refresh()

    def _on_change(self) -> None:
        """Doubts are told at once; rows that nobody sees wait until they are seen."""
        if self.isVisible():
            self.refresh()
        elif profile := self._session.profile:
            self._is_behind = True
            self._report(self._doubts(profile))

    def showEvent(self, event: QShowEvent) -> None:
        """Catches up with what changed meanwhile. The order of Tab is lost where a page takes the form in."""
        super().showEvent(event)
        if self._is_behind:
            self.refresh()
        self._chain_tabs()

    def refresh(self) -> None:
        """Shows the workload; rows are made anew only where other fields are asked for."""
        profile = self._session.profile
        if profile is None:
            return
        self._is_behind = False
        self._follow_money()
        infos = {path: self._with_choices(info, profile) for path, info in _asked(profile).items()}
        if infos != self._infos:
            self._rebuild(infos)
        open_doubts = self._doubts(profile)
        hints, unanswered = self._hints(profile), _unanswered(profile)
        for path, link in self._links.items():
            link.row.set_help(hints.get(path, link.row.info.help))
            link.show(open_doubts.get(path), path == unanswered)
        self._report(open_doubts)
        self._count_more()

    def _doubts(self, profile: Profile) -> dict[str, Doubt]:
        """Doubts by field, those about names that the catalogue does not know, or says are gone, among them."""
        catalogue = self._session.catalogue
        listed = (*place_doubts(profile, catalogue), *engine_doubts(profile, catalogue), *doubts(profile))
        return {one.path: one for one in listed}

    @property
    def links(self) -> dict[str, FieldLink]:
        """Every field by its path in the workload; the rest of them is made when it is first asked for."""
        self._make_rest()
        return self._links

    def _make_rest(self) -> None:
        if not self._has_rest:
            self._has_rest = True
            self._infos = {}
            self.refresh()

    def set_known(self, known: Mapping[str, Mapping[str, str]]) -> None:
        """Other values to choose from, such as places of one's own; rows of the fields that they concern are new."""
        changed = {name for name in {*self._known, *known} if self._known.get(name) != known.get(name)}
        self._known = known
        self._forget([path for path in self._infos if path.rsplit(".", 1)[-1] in changed])
        self.refresh()

    def _forget(self, paths: Sequence[str]) -> None:
        """Rows of these fields are made anew at the next refresh."""
        for path in paths:
            del self._infos[path]
            if path in self._links:
                take_away(self._links.pop(path).row)

    def _follow_money(self) -> None:
        """Amounts are typed in US dollars; where another currency is shown, the field says so."""
        if shown_money() != self._money:
            self._money = shown_money()
            self._forget([path for path, info in self._infos.items() if info.unit.startswith("USD")])

    def _with_choices(self, info: FieldInfo, profile: Profile) -> FieldInfo:
        """The region of the data is one of those of the provider that holds it."""
        if info.path != "places.data_region":
            return info
        return replace(info, choices=dict(self._known.get(f"regions of {profile.places.data_provider}", {})))

    def link(self, path: str) -> FieldLink | None:
        """The field at a path of the profile; a model's name is chosen with the model."""
        path = "model" if path == "model.name" else path
        return (self.links if path in self._in_more else self._links).get(path)

    def open_at(self, path: str) -> FieldRow | None:
        """Opens what hides a field and gives it the focus."""
        link = self.link(path)
        if link is None:
            return None
        if link.path in self._in_more:
            self.set_more(True)
        link.row.editor.target().setFocus()
        return link.row

    def set_more(self, is_open: bool) -> None:
        """Shows or hides the fields that are not essential."""
        if is_open:
            self._make_rest()
        self._more.setVisible(is_open)
        self._toggle.setChecked(is_open)
        self._show_toggle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Help moves below the field in a narrow form."""
        super().resizeEvent(event)
        self._place_help()

    def _build(self) -> None:
        self._essential, self._more = RowList(), RowList()
        for rows, name in ((self._essential, "form-scan"), (self._more, "form-scan-more")):
            rows.offers = {CODE: ("Scan source code\u2026", name, self.scan_wanted.emit)}
        self._more.hide()
        self._toggle = named(QPushButton("More fields"), "more-fields", "More fields", "quiet")
        self._toggle.setCheckable(True)
        self._toggle.setStyleSheet("font-weight: 600; text-align: left")
        self._toggle.toggled.connect(self.set_more)
        self._count = Label()
        self._count.setProperty("kind", "small")
        line = QHBoxLayout()
        line.setContentsMargins(DOT_PX - 6, 14, 0, 10)
        line.setSpacing(6)
        line.addWidget(self._toggle)
        line.addWidget(self._count, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._essential)
        column.addLayout(line)
        column.addWidget(self._more)
        column.addStretch(1)
        self._show_toggle()

    def _rebuild(self, infos: dict[str, FieldInfo]) -> None:
        for path in [path for path, link in self._links.items() if not _is_same(link.row.info, infos.get(path))]:
            take_away(self._links.pop(path).row)
        self._infos = infos
        self._in_more = [path for path, info in infos.items() if not _is_essential(info)]
        essential = [path for path in infos if path not in self._in_more]
        rest = self._in_more if self._has_rest else []
        self._links = {path: self._links.get(path) or self._made(infos[path]) for path in (*essential, *rest)}
        self._essential.set_groups(self._groups(essential))
        self._more.set_groups(self._groups(rest))
        self._place_help()
        self._chain_tabs()

    def _chain_tabs(self) -> None:
        """Tab goes down the rows as they stand, over "More fields" into the rest."""
        essential = [path for path in self._links if path not in self._in_more]
        rest = [path for path in self._links if path in self._in_more]
        stops = [*self._stops(self._essential, essential), self._toggle, *self._stops(self._more, rest)]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _stops(self, shown: RowList, paths: Sequence[str]) -> Iterator[QWidget]:
        """What Tab stops at in a list of rows, from the top down."""
        for title, rows in self._groups(paths):
            yield from (shown.links[title],) if title in shown.links else ()
            yield from (stop for row in rows for stop in row.stops())

    def _made(self, info: FieldInfo) -> FieldLink:
        editor = self._editor(info)
        row = FieldRow(info, editor, self._themes)
        row.setObjectName(f"row-{info.path}")
        return FieldLink(self._session, info.path, row, marks_default=self._has_usual(info.path))

    def _has_usual(self, path: str) -> bool:
        """False where a default stands in for what was not said yet, such as how much work there is."""
        profile = self._session.profile
        return path not in _UNMARKED and (profile is None or path != f"job.{profile.job.quantity_field}")

    def _editor(self, info: FieldInfo) -> Editor:
        if info is SIZE_INFO:
            return SizeEditor(info)
        if info is not MODEL_INFO:
            return editor_for(info, self._known)
        editor = ModelEditor(info)
        editor.config_wanted.connect(self.config_wanted)
        return editor

    def _groups(self, paths: Sequence[str]) -> list[Group]:
        groups: dict[str, list[FieldRow]] = {}
        for path in paths:
            groups.setdefault(self._infos[path].group, []).append(self._links[path].row)
        return sorted(groups.items(), key=lambda item: _ORDER.index(item[0]) if item[0] in _ORDER else len(_ORDER))

    def _report(self, open_doubts: Mapping[str, Doubt]) -> None:
        """Keeps the session's list of problems in step with the doubts; errors of the same field go first."""
        errors = {problem.path for problem in self._session.problems if problem.severity == "error"}
        wanted = {self._session.path(path): doubt.text for path, doubt in open_doubts.items()}
        told = {p.path: p.text for p in self._session.problems if p.severity == "warning"}
        for path in self._infos:
            full = self._session.path(path)
            if full in told and full not in wanted:
                self._session.settle(full)
            elif full in wanted and full not in errors and told.get(full) != wanted[full]:
                self._session.report(full, wanted[full], "warning")

    def _count_more(self) -> None:
        changed = sum(is_changed(self._session, self._infos[path], self._has_usual(path)) for path in self._in_more)
        words = "all at their defaults" if not changed else f"{changed} changed"
        self._count.setText(f"{len(self._in_more)}, {words}")

    def _place_help(self) -> None:
        for link in self._links.values():
            link.row.set_narrow(self.width() < NARROW_PX)

    def _show_toggle(self) -> None:
        name = "chevron-down" if self._toggle.isChecked() else "chevron-right"
        self._toggle.setIcon(icon(name, self._themes.theme.color("ink"), 12))

    def _on_theme(self) -> None:
        self._show_toggle()
        for link in self._links.values():
            link.row.refresh_colours()


def _asked(profile: Profile) -> dict[str, FieldInfo]:
    """The fields of a profile that mean something beside the others, in form order, the model after the kind of job."""
    infos = {info.path: info for info in fields(profile) if info.path not in (*_HIDDEN, "model.name") and info.relevant}
    kind = infos.pop("job.kind")
    is_sized = isinstance(profile.model, NetworkModel) and sized_of(profile.model) is not None
    size = {SIZE_PATH: SIZE_INFO} if is_sized else {}
    return {"job.kind": replace(kind, default=profile.job.kind), "model": MODEL_INFO, **size, **infos}


def _unanswered(profile: Profile) -> str:
    """Path of the amount of work while nobody has said it; its default is no answer."""
    name = profile.job.quantity_field
    return "" if name in profile.job.model_fields_set else f"job.{name}"


def _is_essential(info: FieldInfo) -> bool:
    return info.essential or info.group == _ALWAYS_SHOWN


def _is_same(old: FieldInfo, new: FieldInfo | None) -> bool:
    """The kind of job is compared with itself, so that its combo box outlives its own change."""
    return new is not None and (old == new or old.path == "job.kind")
