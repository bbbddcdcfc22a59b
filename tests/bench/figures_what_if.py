"""Speed of the what-if questions, in CPU seconds of the slowest shipped profile, and flips that all options deny."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import thread_time

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.what_if.checked import checked
from core.comparison.what_if.flips import Flip, flips, nearest_of
from core.comparison.what_if.heat_map import heat_map
from core.comparison.what_if.study import Study, verdict_in
from core.comparison.what_if.tornado import tornado
from core.plan.sample_plan import sample_plan
from core.workload.library import load_profiles, more_profiles


def _studies() -> Iterator[Study]:
    """Each shipped profile: the pick and the best of another chip."""
    catalogue = load_catalogue()
    for profile in (load_profiles() | more_profiles()).values():
        if study := _study_of(evaluate(profile, catalogue)):
            yield study


def _study_of(results: ResultSet) -> Study | None:
    pick = results.choice
    others = (
        one for one in results.best_trusted if pick and one.candidate.accelerator is not pick.candidate.accelerator
    )
    other = next(others, None)
    return Study(results, pick.id, other.id) if pick and other else None


def _slowest_s(work: Callable[[Study], object]) -> float:
    return max(_taken_s(work, study) for study in _studies())


def _taken_s(work: Callable[[Study], object], study: Study) -> float:
    start_s = thread_time()
    work(study)
    return thread_time() - start_s


def whatif_tornado_flips_s() -> float:
    """All rows of the tornado, and where each input flips the pick."""
    return _slowest_s(_first_look)


def whatif_tornado_flips_sample_s() -> float:
    """The same for the run of the sample plan."""
    study = _study_of(evaluate(sample_plan().profiles[0], load_catalogue()))
    assert study is not None
    return _taken_s(_first_look, study)


def _first_look(study: Study) -> object:
    return list(tornado(study, study.inputs)), list(flips(study.quick, study.inputs))


def whatif_heat_map_s() -> float:
    """A map of 30 x 30 over the speed of B and the price of B, or where B is owned the weight of cost."""

    def whole(study: Study) -> object:
        by_id = {one.id.split()[0]: one for one in study.inputs}
        return list(heat_map(study, by_id["speed"], by_id.get("price", by_id["weights.cost"])))

    return _slowest_s(whole)


def whatif_wrong_flips() -> float:
    """Flips, of all inputs and profiles, on either side of which an evaluation of all options picks another."""
    return float(sum(not _is_right(study, one) for study in _studies() for one in _told(study)))


def whatif_wrong_nevers() -> float:
    """Sides told never, and stretches from now to a flip, on which all options pick another chip at a value between."""
    return float(sum(len(_missed(study, one)) for study in _studies() for one in _told(study)))


def _told(study: Study) -> Iterator[Flip]:
    """Flips as the tab tells them in the end."""
    quick = study.quick
    return checked(study, (nearest_of(quick, one) for one in flips(quick, quick.inputs)))


def _is_right(study: Study, flip: Flip) -> bool:
    chip = study.verdict().chip
    for end in filter(None, (flip.down, flip.up)):
        beyond, before = (verdict_in(study.world((flip.input, at)), study.basis) for at in (end.value, end.before))
        if beyond.pick != end.new.pick or before.chip != chip:
            return False
    return True


def _missed(study: Study, flip: Flip) -> list[float]:
    """Values between now and what is told, on a grid, at which all options pick another chip."""
    one, chip = flip.input, study.verdict().chip
    ends = (flip.down.before if flip.down else one.least, flip.up.before if flip.up else one.most)
    values = {one.settled(one.now + share * (end - one.now)) for end in ends for share in _GRID} - {one.now}
    return [value for value in sorted(values) if study.verdict_of_all((one, value)).chip != chip]


_GRID = (0.2, 0.4, 0.6, 0.8, 1.0)


FIGURES = {
    "whatif_tornado_flips_s": (whatif_tornado_flips_s, "s"),
    "whatif_tornado_flips_sample_s": (whatif_tornado_flips_sample_s, "s"),
    "whatif_heat_map_s": (whatif_heat_map_s, "s"),
    "whatif_wrong_flips": (whatif_wrong_flips, "flips"),
    "whatif_wrong_nevers": (whatif_wrong_nevers, "values"),
}
