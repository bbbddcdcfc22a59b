"""What the engine says of the workload on screen at each maturity, asked while somebody looks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from core.comparison.result import ResultSet
from core.comparison.together.part import part_of
from core.comparison.together.workload_map import by_maturity, winner_of
from core.errors import RoofplanError
from gui.session.plan_session import PlanSession
from gui.session.road import Priority, stoppable
from gui.tabs.compare.map_along import AtMaturity

RESULTS, ANSWER = "workload map: maturities", "workload map: what costs less"


class ToldByMaturity(QObject):
    """``told`` by the name of a maturity, empty until all are known; ``changed`` when they are."""

    changed = Signal()

    def __init__(self, session: PlanSession) -> None:
        super().__init__()
        self._session = session
        self._asked: tuple[object, ...] = ()
        self._results: dict[str, ResultSet] = {}
        self.told: Mapping[str, AtMaturity] = {}

    def follow(self) -> None:
        """Asks where the workload differs in more than its maturity from the one that was asked about."""
        session, profile = self._session, self._session.profile
        profiles = by_maturity(profile) if profile is not None else {}
        asked = (session.catalogue, session.corrections, *profiles.values())
        if not profiles or self._is_asked(asked):
            return
        self.stop()
        self._asked = asked
        work = session.evaluate_aside(RESULTS, profiles, "")
        work.done.connect(self._on_results)
        work.ended.connect(self._on_ended)

    def stop(self) -> None:
        """Nobody looks any more, or at another workload."""
        for owner in (RESULTS, ANSWER):
            self._session.road.cancel(owner)
        self._asked, self._results, self.told = (), {}, {}

    def _is_asked(self, asked: tuple[object, ...]) -> bool:
        """Catalogue and corrections as they are, and not such as say the same: comparing these takes long."""
        last = self._asked
        return bool(last) and last[0] is asked[0] and last[1] is asked[1] and last[2:] == asked[2:]

    def _on_results(self, told: tuple[str, ResultSet | RoofplanError]) -> None:
        if isinstance(told[1], ResultSet):
            self._results[told[0]] = told[1]

    def _on_ended(self, *_: object) -> None:
        work = self._session.road.start(ANSWER, stoppable(partial(_answers, self._results)), priority=Priority.SOON)
        work.done.connect(self._on_answers)
        work.crashed.connect(self._session.crashed)
        self._results = {}

    def _on_answers(self, told: Mapping[str, AtMaturity]) -> None:
        self.told = told
        self.changed.emit()


def _answers(results: Mapping[str, ResultSet]) -> dict[str, AtMaturity]:
    """In the worker's thread."""
    return {name: _answer(one) for name, one in results.items()}


def _answer(results: ResultSet) -> AtMaturity:
    winner, gap = winner_of(part_of(results))
    pick = results.choice
    return AtMaturity(winner, gap, pick.candidate.name if pick is not None else "")
