"""Random plans: a default one with random fields set to random values that their descriptions allow."""

from datetime import date
from typing import Any

import pytest
from hypothesis import strategies as st

from core.calibration.accepted import AcceptedCalibration, Check
from core.errors import InputError
from core.logs.record import Subject
from core.plan.edit import set_job_kind, set_value
from core.plan.fields import FieldInfo, fields
from core.plan.plan import Choice, ImportedLog, Plan, Scenario
from core.workload.actuals import Baseline, Entry, Tracked
from core.workload.jobs.kinds import JOB_WORDS
from core.workload.phases import QUANTITY_WORDS, STAGE_WORDS, Measure, Phase
from core.workload.portfolio import Member, Pin, Portfolio
from core.workload.profile import Profile


def _number(info: FieldInfo) -> st.SearchStrategy[Any]:
    bounds = info.bounds
    low, high = (bounds.ge if bounds.gt is None else bounds.gt), (bounds.le if bounds.lt is None else bounds.lt)
    if info.type == "whole":
        return st.integers(int(low or 0), int(high or 0))
    outside = {"exclude_min": bounds.gt is not None, "exclude_max": bounds.lt is not None}
    return st.floats(low, high, allow_nan=False, **outside)


def value_for(info: FieldInfo) -> st.SearchStrategy[Any]:
    """Values that the description of a field allows."""
    match info.type:
        case "number" | "whole":
            found = _number(info)
        case "choice":
            found = st.sampled_from(sorted(info.choices))
        case "choices":
            found = st.lists(st.sampled_from(sorted(info.choices)), unique=True).map(tuple)
        case "texts":
            found = st.lists(st.text(max_size=8), max_size=3).map(tuple)
        case "yes_no":
            found = st.booleans()
        case "date":
            found = st.dates(date(2020, 1, 1), date(2040, 1, 1))
        case _ if info.path.endswith("load_by_hour"):
            hours = st.lists(st.integers(1, 99), min_size=24, max_size=24)
            found = st.just("") | hours.map(lambda day: " ".join(map(str, day)))
        case _ if info.path.endswith("_port_weeks"):
            weeks = st.lists(st.integers(0, 1000), min_size=3, max_size=3).map(sorted)
            found = st.just("") | weeks.map(lambda three: ", ".join(map(str, three)))
        case _ if info.bounds.pattern:
            found = st.from_regex(r"\A[a-z0-9][a-z0-9-]{0,20}\Z")
        case _:
            found = st.text(min_size=info.bounds.min_length or 0, max_size=40)
    return st.none() | found if info.optional else found


@st.composite
def _profiles(draw: st.DrawFn) -> Profile:
    plan = set_job_kind(Plan(id="p", profiles=(Profile(),)), 0, draw(st.sampled_from(sorted(JOB_WORDS))))
    infos = [info for info in fields(plan) if not info.path.endswith("kind")]
    for info in draw(st.lists(st.sampled_from(infos), max_size=12)):
        try:
            plan = set_value(plan, info.path, draw(value_for(info)))
        except InputError as error:
            assert "fits the rest" in str(error)
    return plan.profiles[0]


_numbers = st.floats(allow_nan=False, allow_infinity=False)
_positive = st.floats(1e-6, 1e12)
_readings = st.lists(_numbers | st.none(), max_size=5).map(tuple)
_scenarios = st.builds(
    Scenario,
    id=st.text(max_size=5),
    name=st.text(max_size=9),
    overrides=st.dictionaries(
        st.text(max_size=9), _numbers | st.booleans() | st.none() | st.text() | st.lists(st.text())
    ),
)
_logs = st.builds(
    ImportedLog,
    id=st.uuids().map(str),
    file_name=st.text(max_size=9),
    format=st.text(max_size=5),
    imported_at=st.text(),
    accelerator=st.none() | st.text(),
    n_accelerators=st.none() | st.integers(0, 9),
    n_lines=st.integers(0, 10**9),
    n_skipped=st.integers(0, 10**9),
    skipped_reasons=st.dictionaries(st.text(), st.integers(0, 99)),
    duration_s=_numbers,
    quantities=st.dictionaries(st.text(), st.dictionaries(st.text(), _numbers | st.text())),
    series_s=st.lists(_numbers, max_size=5).map(tuple),
    series=st.dictionaries(st.text(), _readings, max_size=3),
    subject=st.sampled_from(Subject),
    facts=st.dictionaries(st.text(), _numbers | st.text(), max_size=2),
    bands=st.dictionaries(st.sampled_from(["power_w", "other"]), st.tuples(_readings, _readings, _readings)),
    by_chip=st.dictionaries(st.just("power_w"), st.lists(_readings, min_size=1, max_size=3).map(tuple)),
)
_phases = st.builds(
    Phase,
    id=st.text(max_size=5),
    name=st.text(min_size=1, max_size=9),
    stage=st.sampled_from(sorted(STAGE_WORDS)),
    workload=st.text(max_size=5),
    days=st.none() | st.floats(0.1, 3650.0),
    start=st.none() | st.dates(date(2020, 1, 1), date(2040, 1, 1)),
    measures=st.lists(st.builds(Measure, quantity=st.sampled_from(sorted(QUANTITY_WORDS))), max_size=2).map(tuple),
)
_days = st.dates(date(2020, 1, 1), date(2040, 1, 1))
_tracked = st.builds(
    Tracked,
    workload=st.text(max_size=5),
    baseline=st.builds(
        Baseline, frozen_on=_days, candidate=st.text(), name=st.text(), place=st.text(), n_chips=st.integers(1, 9),
        usd_per_chip_hour=_positive, amount=_positive, work_begins=_days, work_days=_positive, rate_low=_positive,
        rate_high=_positive, cost_usd=_positive, cost_low_usd=_positive, cost_high_usd=_positive,
    ),
    entries=st.lists(st.builds(Entry, day=_days, done=st.none() | st.floats(0.0, 1e9)), max_size=2).map(tuple),
)  # fmt: skip


def _some(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=2).map(tuple)


_portfolios = st.builds(
    Portfolio,
    members=_some(
        st.builds(
            Member,
            workload=st.text(max_size=5),
            pool=st.text(max_size=5),
            use_pct=st.lists(st.floats(0.0, 1e4), max_size=3).map(tuple),
            every_months=st.none() | st.integers(1, 60),
            start_hour=st.none() | st.integers(0, 23),
        )
    ),
    pooling=st.sampled_from(["one", "split"]),
    provider=st.text(max_size=9),
    base_chips=st.none() | st.integers(0, 999),
    term=st.sampled_from(["best", "none", "commit_1y", "commit_3y"]),
    pins=_some(st.builds(Pin, workload=st.text(max_size=5), chip=st.integers(1, 99))),
)
_calibrations = st.builds(
    AcceptedCalibration,
    log_id=st.text(),
    profile_id=st.text(),
    accelerator_id=st.text(),
    n_chips=st.integers(1, 9999),
    work=st.sampled_from(["training", "inference"]),
    measured_tokens_per_s=_positive,
    predicted_tokens_per_s=_positive,
    factor=st.floats(1e-6, 1e6),
    spread=st.floats(0.0, 1e6),
    window_s=st.tuples(_numbers, _numbers),
    how=st.text(),
    predicted_spread=st.none() | st.floats(1e-3, 1e3),
    checks=st.lists(st.builds(Check, name=st.text(), before_pct=_numbers, after_pct=_numbers), max_size=2).map(tuple),
    is_on=st.booleans(),
)
_choices = st.builds(Choice, profile_id=st.text(), candidate_id=st.text(), reason=st.text())


@pytest.fixture(scope="session")
def plans() -> st.SearchStrategy[Plan]:
    """Plans with anything that a plan can hold."""
    return st.builds(
        Plan,
        id=st.text(min_size=1, max_size=9),
        name=st.text(max_size=20),
        note=st.text(),
        is_sample=st.booleans(),
        profiles=_some(_profiles()),
        scenarios=_some(_scenarios),
        logs=_some(_logs),
        calibrations=_some(_calibrations),
        choices=_some(_choices),
        report_pages=st.lists(st.text()).map(tuple),
        report_paper=st.sampled_from(["a4", "letter"]),
        phases=_some(_phases),
        actuals=_some(_tracked),
        portfolio=st.none() | _portfolios,
        phases_deadline=st.none() | st.dates(date(2020, 1, 1), date(2040, 1, 1)),
    )


@pytest.fixture(scope="session")
def values() -> Any:
    """From the description of a field to values that it allows."""
    return value_for
