"""An engine that no chip runs is told at its field, with one that does."""

from core.catalogue.details.engine_doubts import engine_doubts
from core.catalogue.loading import load_catalogue
from core.workload.doubts import Doubt
from core.workload.jobs.base import ENGINE_WORDS
from core.workload.jobs.kinds import BatchInference, OnlineServing, PreTraining
from core.workload.library import load_profiles, more_profiles
from core.workload.models.known import networks
from core.workload.profile import Profile

GONE = Doubt("job.engine", "JetStream runs on no chip of the catalogue; take vLLM through tpu-inference", "vllm")


def test_an_archived_engine_is_told_and_replaced_by_one_that_runs() -> None:
    catalogue = load_catalogue()
    for job in (OnlineServing(engine="jetstream"), BatchInference(engine="jetstream")):
        assert engine_doubts(Profile(job=job), catalogue) == (GONE,)
        assert engine_doubts(Profile(job=job, model=networks()["ResNet-50"].model), catalogue) == ()


def test_engines_that_run_somewhere_are_not_doubted() -> None:
    catalogue = load_catalogue()
    running = [OnlineServing.model_validate({"engine": name}) for name in ENGINE_WORDS if name != "jetstream"]
    assert [engine_doubts(Profile(job=job), catalogue) for job in (*running, PreTraining())] == [()] * 5


def test_no_shipped_workload_rests_on_an_engine_that_is_gone() -> None:
    catalogue, shipped = load_catalogue(), load_profiles() | more_profiles()
    assert [name for name, profile in shipped.items() if engine_doubts(profile, catalogue)] == []
