"""A kind of job is added in one place: it answers every trait, and the few choices by kind refuse it until told."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.comparison.missing import missing_facts
from core.comparison.rank.board import LEAST_DAYS, least_time
from core.report.pages.context import job_text
from core.workload.field_description import Described
from core.workload.jobs.base import JobBase
from core.workload.jobs.kinds import JOB_KINDS, JOB_WORDS, InferenceJob, OnlineServing, TrainingJob
from core.workload.places import Places
from core.workload.profile import Profile
from core.workload.stack import Stack
from tests.core.further_kind import Evaluation
from tests.repository_files import ROOT, sources, text_of, tree_of

JOBS = "core/workload/jobs/"
KIND_NAMES = {kind.__name__ for kind in JOB_KINDS.values()} | {"JobBase", "TrainingJob", "InferenceJob"}
CHOICES = {
    "core/comparison/advice/about_work.py",
    "core/comparison/judge/durations.py",
    "core/comparison/questions/cash.py",
    "core/report/pages/context.py",
    "core/throughput/predict.py",
    "core/comparison/time_measure.py",
    "gui/frame/why/time_and_cost.py",
}
"""Where an algorithm is chosen by kind. A further one needs a reason: a trait of the job is asked instead."""


def outside() -> list[str]:
    """Files that name a kind of job and are none of its own."""
    named = re.compile("|".join(KIND_NAMES))
    return [name for name in sources("core", "gui") if not name.startswith(JOBS) and named.search(text_of(name))]


def names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def choices_by_kind(name: str) -> list[ast.Match]:
    matches = (node for node in ast.walk(tree_of(name)) if isinstance(node, ast.Match))
    return [node for node in matches if any(names_in(case.pattern) & KIND_NAMES for case in node.cases)]


@pytest.mark.parametrize("kind", JOB_KINDS.values())
def test_every_kind_answers_every_trait(kind: type[JobBase]) -> None:
    job = kind()
    answers = {name: getattr(job, name) for name in JobBase.__abstractmethods__}
    assert job.trains == (answers["training"] is job)
    assert job.answers_users == (answers["service"] is job)
    assert answers["quantity_field"] in kind.model_fields
    assert 0 < answers["mean_load_share"] <= 1
    assert answers["paid_tokens"] > 0 and answers["n_rounds"] > 0


def test_traits_are_no_fields() -> None:
    for kind in JOB_KINDS.values():
        assert not JobBase.__abstractmethods__ & (set(kind.model_fields) | set(kind().model_dump()))


def test_a_kind_that_leaves_all_open_is_refused_where_it_is_defined() -> None:
    every = ", ".join(sorted(JobBase.__abstractmethods__))
    with pytest.raises(TypeError, match=f"^Rendering is no kind of job yet, open: {every}$"):
        type("Rendering", (JobBase,), {"__module__": __name__, "__annotations__": {"kind": str}, "kind": "rendering"})


@pytest.mark.parametrize("trait", sorted(JobBase.__abstractmethods__))
def test_a_kind_that_leaves_one_trait_open_is_refused_by_its_name(trait: str) -> None:
    with pytest.raises(TypeError, match=f"Silent is no kind of job yet, open: {trait}$"):
        type("Silent", (Evaluation,), {"__module__": __name__, trait: getattr(JobBase, trait)})


def test_bases_of_several_kinds_are_no_jobs() -> None:
    for base in (JobBase, TrainingJob, InferenceJob):
        with pytest.raises(TypeError, match="abstract"):
            base()


def test_a_further_kind_is_asked_for_its_traits() -> None:
    profile = Profile().model_copy(update={"job": Evaluation()})
    assert missing_facts(profile) == ("Model", "Tokens scored")
    assert least_time(profile) == LEAST_DAYS


def test_a_choice_by_kind_refuses_a_further_kind_as_it_runs() -> None:
    with pytest.raises(AssertionError, match="unreachable"):
        job_text(Profile().model_copy(update={"job": Evaluation()}))


def test_no_other_place_looks_at_the_kind() -> None:
    asked = [
        f"{name}:{node.lineno}"
        for name in outside()
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "issubclass")
        and names_in(node.args[1]) & KIND_NAMES
    ]
    assert asked == []
    assert {name for name in outside() if choices_by_kind(name)} == CHOICES


def test_no_other_place_knows_a_kind_by_its_word() -> None:
    words = re.compile("|".join(f'"{kind}"' for kind in JOB_KINDS))
    others = [name for name in sources("core", "gui") if not name.startswith(JOBS)]
    assert [name for name in others if words.search(text_of(name))] == []


@pytest.mark.parametrize("name", sorted(CHOICES))
def test_a_choice_by_kind_ends_in_assert_never(name: str) -> None:
    for choice in choices_by_kind(name):
        last = choice.cases[-1]
        assert ast.unparse(last).startswith("case _:\n    assert_never(")


def test_a_further_kind_fails_to_type_check_where_a_choice_is_made(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    kinds = ROOT / JOBS / "kinds.py"
    text = kinds.read_text("utf-8")
    further = text.replace("AnyJob = ", "from tests.core.further_kind import Evaluation\n\nAnyJob = Evaluation | ")
    assert further != text
    (tmp_path / "kinds.py").write_text(further, "utf-8")
    cache = request.config.cache
    where = cache.mkdir("further-kind") if cache else tmp_path / "types"
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", f"--cache-dir={where}"]
    command += ["--shadow-file", str(kinds), str(tmp_path / "kinds.py"), *sorted(CHOICES)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    refused = re.findall(
        r'^(\S+):\d+: error: Argument 1 to "assert_never" has incompatible type "Evaluation"', said, re.M
    )
    assert set(refused) == CHOICES, said


def test_the_words_of_a_kind_stand_with_it() -> None:
    assert JOB_WORDS == {
        "pretraining": "Pre-training",
        "finetuning": "Fine-tuning",
        "reinforcement_learning": "Reinforcement learning",
        "batch_inference": "Batch inference",
        "online_serving": "Online serving",
    }


@pytest.mark.parametrize("part", [Stack, Places])
def test_fields_that_some_jobs_alone_give_a_meaning_name_a_trait(part: type[Described]) -> None:
    extras = [field.json_schema_extra for field in part.model_fields.values()]
    traits = {extra["job_trait"] for extra in extras if isinstance(extra, dict) and extra.get("job_trait")}
    assert traits
    assert all(isinstance(getattr(OnlineServing(), str(trait)), bool) for trait in traits)
