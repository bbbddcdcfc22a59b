"""The runner of mutants: which tests judge a line, what is left out, what came of it, without what it installs."""

import re
from contextlib import nullcontext
from dataclasses import replace
from queue import SimpleQueue

import pytest

from tests.mutants import run
from tests.mutants.run import Judged, change_of, report
from tests.mutants.selection import WHOLE_ENGINE, header_of, judges_of, runners_of
from tests.mutants.server import Answer, Server
from tests.mutants.work_list import Mutant, names_of, sampled, untestable
from tests.repository_files import ROOT, text_of, tracked

FILES = (
    "tests/core/test_units.py", "tests/core/cost/test_total.py", "tests/core/cost/conftest.py",
    "tests/core/cost/bill/test_batch.py", "tests/core/cost/bill/test_tiers.py", "tests/core/cost/cash/test_cash.py",
    "tests/gui/charts/test_geometry.py", "tests/gui/charts/kinds/test_figures.py", *WHOLE_ENGINE,
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("core/cost/bill/tiers.py", ["cost/bill/test_tiers.py", "cost/bill/test_batch.py", "cost/test_total.py"]),
        (
            "core/cost/parts/energy.py",
            ["bill/test_batch.py", "bill/test_tiers.py", "cash/test_cash.py", "test_total.py"],
        ),
        ("core/units.py", ["core/test_units.py"]),
    ],
)
def test_the_tests_of_a_room_come_before_those_of_the_whole(path: str, tests: list[str]) -> None:
    chosen = judges_of(path, FILES)
    assert [name for name, end in zip(chosen, tests, strict=False) if name.endswith(end)] == list(chosen[: len(tests)])
    assert chosen[len(tests) :] == WHOLE_ENGINE


def test_a_chart_is_judged_by_the_tests_of_charts() -> None:
    assert judges_of("gui/charts/kinds/memory_stack.py", FILES) == (
        "tests/gui/charts/kinds/test_figures.py",
        "tests/gui/charts/test_geometry.py",
    )


def test_what_is_named_is_there() -> None:
    assert set(WHOLE_ENGINE) <= set(tracked())


SOURCE = """
from typing import TYPE_CHECKING, cast
if TYPE_CHECKING:
    TOP = 11
@cache(maxsize=12)
def é(x: int | None = 1, *, y: "é | 13" = 2) -> int | None:
    log.warning("%d", 14)
    pairs = zip(x, y, strict=True)
    wide: int | None = cast(int | None, 15) or 3
    return wide + 4
class One:
    def __repr__(self) -> str:
        return str(16)
    def shown(self) -> str:
        try:
            return str(5)
        except (zipfile.BadZipFile, OSError):
            return "é" + str(6) + str(17000000)
"""


def test_only_what_a_test_can_tell_is_left() -> None:
    """Of the numbers those below 10; of ``|``, ``True`` and dotted names none."""
    left_out, kept = set(), set()
    for number, line in enumerate(SOURCE.splitlines(), start=1):
        for match in re.finditer(r"\d+|\||True|zipfile|OSError", line):
            position = (number, match.start())
            is_out = any(first <= position < last for first, last in untestable(SOURCE))
            (left_out if is_out else kept).add(match.group())
    assert kept == {"1", "2", "3", "4", "5", "6", "OSError"}
    assert left_out == {"11", "12", "13", "14", "15", "16", "17000000", "|", "True", "zipfile"}


def _mutant(path: str, line: int, operator: str, occurrence: int = 0) -> Mutant:
    return Mutant(path, (line, 0), operator, occurrence, f"line {line}")


def test_a_sample_is_the_same_for_a_seed_and_weighs_places_alike() -> None:
    mutants = [_mutant("a.py", line, "NumberReplacer", n) for line in range(50) for n in range(1 + line % 3)]
    once, again, other = sampled(mutants, 10, 1), sampled(reversed(mutants), 10, 1), sampled(mutants, 10, 2)
    assert once == again != other
    assert len({mutant.start for mutant in once}) == 10
    assert {mutant.start for mutant in sampled(mutants, 999, 1)} == {mutant.start for mutant in mutants}
    assert len({mutant.occurrence for mutant in sampled(mutants, 999, 1)}) > 1


def test_a_sample_stays_when_lines_are_added_elsewhere() -> None:
    mutants = [_mutant("a.py", line, "NumberReplacer") for line in range(50)]
    moved = [replace(mutant, start=(mutant.start[0] + 7, 4), occurrence=3) for mutant in mutants]
    assert [mutant.place for mutant in sampled(moved, 10, 1)] == [mutant.place for mutant in sampled(mutants, 10, 1)]
    added = [*mutants, *(replace(mutant, path="b.py") for mutant in mutants[:2])]
    assert len(set(sampled(added, 10, 1)) & set(sampled(mutants, 10, 1))) >= 8


def test_lines_of_the_same_words_are_told_apart() -> None:
    assert names_of("a = 1\n  a = 1\nb\n") == ["a = 1 0", "a = 1 1", "b 0"]


def test_an_environment_that_changed_meanwhile_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def run(self, tests: list[str], limit_s: float) -> Answer:
            return Answer(int(tests == ["bad"]), 0.0, {})

    monkeypatch.setattr(run, "N_PROCESSES", 1)
    for test in ("good", "bad"):
        servers: SimpleQueue[Gone] = SimpleQueue()
        servers.put(Gone())
        with pytest.raises(SystemExit, match="the environment changed") if test == "bad" else nullcontext():
            run._still_pass(servers, test)  # type: ignore[arg-type]


def test_a_change_is_told_in_one_line() -> None:
    before, after = "a = 1\nb = [\n  2,\n]\n", "a = 1\nb = [\n  3,\n]\n"
    assert change_of(_mutant("a.py", 3, "NumberReplacer"), before, after) == "3: 2, → 3,"


def test_the_report_counts_by_package_and_lists_what_was_not_killed() -> None:
    judged = [
        Judged(_mutant("core/cost/bill/a.py", 7, "x"), "survived", "7: a → b"),
        Judged(_mutant("core/cost/b.py", 1, "x"), "killed", "1: c → d"),
        Judged(_mutant("core/units.py", 2, "x"), "timeout", "2: e → f"),
    ]
    lines = [re.sub(r" +", " ", line) for line in report(judged).splitlines()]
    assert lines == [
        "package killed survived timeout",
        "core 0 0 1",
        "core/cost 1 1 0",
        "all 1 1 1",
        "survived core/cost/bill/a.py:7: a → b",
        "timeout core/units.py:2: e → f",
    ]


STATEMENTS = """
def one(
    a=1,
):
    if (
        a
        > 2
    ):
        return [
            a,
            3,
        ]
    return a
"""


@pytest.mark.parametrize(
    ("line", "lines"), [(3, {2, 3, 4}), (6, {5, 6, 7, 8}), (7, {5, 6, 7, 8}), (11, {9, 10, 11, 12}), (13, {13})]
)
def test_a_statement_ran_when_one_of_its_own_lines_did(line: int, lines: set[int]) -> None:
    assert header_of(STATEMENTS, line) == sum(1 << number for number in lines)


def test_who_runs_the_line_judges_the_nearest_and_quickest_first() -> None:
    seconds = {"tests/core/far.py": 1.0, "tests/core/a/test_x.py": 9.0, "tests/core/a/slow.py": 5.0}
    seconds |= {"tests/core/a/quick.py": 4.0, "tests/core/a/elsewhere.py": 0.1, "tests/core/all.py": 170.0}
    runs = {name: Answer(0, took, {"core/a/x.py": 2 if "elsewhere" in name else 4}) for name, took in seconds.items()}
    near = ("tests/core/a/slow.py", "tests/core/a/test_x.py", "tests/core/a/quick.py", "tests/core/a/elsewhere.py")
    assert runners_of("core/a/x.py", 4, near, runs) == (
        "tests/core/a/test_x.py", "tests/core/a/quick.py", "tests/core/a/slow.py", "tests/core/far.py",
    )  # fmt: skip
    assert runners_of("core/a/x.py", 8, near, runs) == near


def test_answers_of_whole_plans_come_early_for_their_time() -> None:
    whole = WHOLE_ENGINE[0]
    runs = {
        name: Answer(0, took, {"core/x.py": 4}) for name, took in ((whole, 10.0), ("a", 1.0), ("b", 5.0), ("c", 200.0))
    }
    assert runners_of("core/x.py", 4, tuple(runs), runs) == ("a", whole, "b", "c")


def test_tests_of_a_line_take_a_tenth_of_the_time_of_all() -> None:
    runs = {f"tests/core/{took}.py": Answer(0, took, {"core/x.py": 4}) for took in (85, 6, 5, 4)}
    assert runners_of("core/x.py", 4, (), runs) == tuple(f"tests/core/{took}.py" for took in (4, 5, 6))


def test_a_process_runs_tests_in_children_of_its_own() -> None:
    server = Server(ROOT)
    try:
        assert server.run(["tests/core/test_rows.py"], 300.0).status == 0
        assert server.run(["tests/core/test_that_is_not_there.py"], 300.0).status not in (0, None)
        assert server.run(["tests/core/test_rows.py"], 0.0).status is None
    finally:
        server.close()


def _pinned(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([^ ;]+)", text_of(name), re.MULTILINE))


def test_what_the_runner_needs_is_pinned_with_hashes_and_agrees_with_the_rest() -> None:
    """It is installed beside the program's own requirements, so that no version of those may move."""
    blocks = re.split(r"\n(?=\S)", text_of("tests/mutants/requirements.txt").strip())
    assert [block.split()[0] for block in blocks if "==" not in block or "--hash=sha256:" not in block] == []
    own, shared = _pinned("tests/mutants/requirements.txt"), _pinned("requirements.txt")
    assert "cosmic-ray" in own
    assert {name: version for name, version in own.items() if shared.get(name, version) != version} == {}
