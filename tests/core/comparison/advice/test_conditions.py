"""Each condition of common advice at its threshold: it fires from there on and not just below."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.comparison.advice.conditions import CONDITIONS, Facts
from core.comparison.advice.rules import rule_book
from core.comparison.result import CandidateResult, RunLosses
from core.ranges import Range
from core.units import THIN
from core.workload.jobs.kinds import BatchInference, FineTuning, Job, OnlineServing, PreTraining
from core.workload.models.known import networks
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Outlook, Places, Profile, Stack, Team, Weights

THRESHOLDS = {
    "short_run_h": 24, "long_run_days": 7, "large_spend_usd": 10_000, "dense_params": 1e10, "tile": 128,
    "large_batch_tokens": 1e6, "scale_out_chips": 128, "tight_ttft_ms": 500, "bursty_mean_load_pct": 50,
    "steady_mean_load_pct": 70, "idle_mean_load_pct": 35, "buy_months": 24, "porting_share": 0.25,
    "portable_places": 2, "portable_weight_pct": 35, "seller_ratio": 3, "long_context_tokens": 32_768,
    "interval_loss": 0.01, "small_params": 1e9, "wide_replica_chips": 16, "way_share": 0.05, "commit_months": 12,
    "price_spread": 1.1, "tight_memory_share": 0.9, "request_share": 0.1, "small_team": 3, "fallback_slowdown": 10,
    "many_servers": 8, "part_share": 0.05, "large_energy_mwh": 100, "wasteful": 2, "close_cost": 1.15,
}  # fmt: skip
TRAIN = PreTraining(n_tokens=1e12)
DENSE = TransformerModel(name="d", n_layers=32, d_model=4096, n_heads=32, n_kv_heads=8, d_ff=14336)


def _says(name: str, profile: Profile, *ranked: CandidateResult, rejected: tuple[CandidateResult, ...] = ()) -> str:
    return str(CONDITIONS[name](Facts(profile, ranked, rejected, dict(THRESHOLDS)))).replace(THIN, " ")


def _serving(**job: object) -> Profile:
    asked = {"peak_requests_per_s": 1.0, "mean_load_pct": 60.0, "ttft_limit_ms": None}
    return Profile(job=OnlineServing.model_validate(asked | job), model=DENSE)


def test_the_thresholds_used_here_are_all_there_are() -> None:
    assert THRESHOLDS.keys() == set(rule_book().thresholds)


@pytest.mark.parametrize(
    ("name", "below", "at"),
    [
        ("is_latency_bound", {"ttft_limit_ms": 501.0}, {"ttft_limit_ms": 500.0}),
        ("is_latency_bound", {"mean_load_pct": 51.0}, {"mean_load_pct": 50.0}),
        ("volume_is_steady", {"mean_load_pct": 69.0}, {"mean_load_pct": 70.0}),
        ("volume_is_thin", {"mean_load_pct": 36.0}, {"mean_load_pct": 35.0}),
        ("pays_for_idle", {"mean_load_pct": 51.0}, {"mean_load_pct": 50.0}),
        ("pays_for_idle", {"mean_load_pct": 50.0, "autoscale": True}, {"mean_load_pct": 50.0, "autoscale": False}),
        ("use_is_long_and_steady", {"months": 23.0, "mean_load_pct": 70.0}, {"months": 24.0, "mean_load_pct": 70.0}),
        ("use_is_long_and_steady", {"months": 24.0, "mean_load_pct": 69.0}, {"months": 24.0, "mean_load_pct": 70.0}),
        ("context_is_long", {"input_tokens": 32_766, "output_tokens": 1}, {"input_tokens": 32_767, "output_tokens": 1}),
        ("works_round_the_clock", {"mean_load_pct": 69.0}, {"mean_load_pct": 70.0}),
        ("demand_is_even", {"mean_load_pct": 69.0}, {"mean_load_pct": 70.0}),
        ("demand_is_even", {"mean_load_pct": 70.0, "traffic": "office"}, {"mean_load_pct": 70.0}),
        ("demand_swings", {"mean_load_pct": 51.0}, {"mean_load_pct": 50.0}),
        ("demand_swings", {"mean_load_pct": 60.0}, {"mean_load_pct": 60.0, "traffic": "office"}),
        ("commitment_would_idle", {"mean_load_pct": 51.0}, {"mean_load_pct": 50.0}),
        ("commitment_would_be_used", {"mean_load_pct": 69.0}, {"mean_load_pct": 70.0}),
        ("commitment_would_be_used", {"mean_load_pct": 70.0, "months": 11.0}, {"mean_load_pct": 70.0, "months": 12.0}),
    ],
)  # fmt: skip
def test_thresholds_of_serving(name: str, below: dict[str, object], at: dict[str, object]) -> None:
    assert _says(name, _serving(**below)) == ""
    assert _says(name, _serving(**at)) != ""


def test_both_signs_of_a_tight_latency_are_told_together() -> None:
    words = _says("is_latency_bound", _serving(ttft_limit_ms=200.0, mean_load_pct=20.0))
    assert words == "First token within 200 ms and mean load is 20 % of the peak"
    assert _says("is_latency_bound", Profile(job=TRAIN)) == ""


@pytest.mark.parametrize("places", [Places(providers=("aws",)), Places(must_be_on_prem=True)])
def test_steady_volume_speaks_for_google_only_where_it_is_allowed(places: Places) -> None:
    for job in (OnlineServing(mean_load_pct=90.0), BatchInference()):
        assert _says("volume_is_steady", Profile(job=job)) != ""
        assert _says("volume_is_steady", Profile(job=job, places=places)) == ""
    assert _says("volume_is_steady", Profile(job=TRAIN)) == ""


@pytest.mark.parametrize(
    ("name", "jobs"),
    [
        ("context_is_long", {PreTraining(sequence_length=32_767): ""}),
        ("context_is_long", {PreTraining(sequence_length=32_768): "32 768 tokens of context"}),
        ("pays_for_idle", {TRAIN: ""}), ("volume_is_thin", {TRAIN: ""}), ("use_is_long_and_steady", {TRAIN: ""}),
    ],
)  # fmt: skip
def test_what_training_asks_for(name: str, jobs: dict[Job, str]) -> None:
    for job, words in jobs.items():
        assert _says(name, Profile(job=job)).replace("\u202f", " ") == words


def test_a_large_dense_transformer_is_heavy_in_products() -> None:
    at = 1e10 / DENSE.n_params
    for layers, fires in ((32, at <= 1), (64, True)):
        model = DENSE.model_copy(update={"n_layers": layers})
        assert bool(_says("is_matmul_heavy", Profile(job=TRAIN, model=model))) is (model.n_params >= 1e10) is fires
    mixture = DENSE.model_copy(update={"n_layers": 64, "n_experts": 8, "n_experts_per_token": 2})
    for profile in (
        Profile(job=TRAIN, model=mixture), Profile(job=TRAIN, model=networks()["ResNet-50"].model),
        Profile(job=OnlineServing(), model=DENSE.model_copy(update={"n_layers": 64})),
    ):  # fmt: skip
        assert _says("is_matmul_heavy", profile) == ""


@pytest.mark.parametrize(
    ("d_model", "d_ff", "fills"), [(4096, 14336, True), (4096, 14337, False), (4100, 14336, False)]
)
def test_sizes_fill_the_tiles_when_both_are_multiples(d_model: int, d_ff: int, fills: bool) -> None:
    model = DENSE.model_copy(update={"d_model": d_model, "d_ff": d_ff})
    assert bool(_says("wastes_tiles", Profile(job=TRAIN, model=model))) is not fills
    batch = PreTraining(n_tokens=1e12, global_batch_sequences=250, sequence_length=4000)
    assert bool(_says("fills_tiles", Profile(job=batch, model=model))) is fills
    offline = BatchInference(requests_per_batch=1e6)
    assert bool(_says("fills_tiles", Profile(job=offline, model=model))) is fills
    assert _says("fills_tiles", Profile(job=OnlineServing(), model=model)) == ""


def test_a_small_batch_does_not_fill_the_tiles() -> None:
    small = PreTraining(n_tokens=1e12, global_batch_sequences=249, sequence_length=4000)
    assert _says("fills_tiles", Profile(job=small, model=DENSE)) == ""


def _hours(result: CandidateResult, run_h: float) -> CandidateResult:
    return replace(result, run_h=Range(run_h, run_h, run_h))


def test_the_length_of_the_best_run(make_result) -> None:
    profile = Profile(job=TRAIN, stack=Stack(framework="jax"))
    pick = make_result("tpu-v6e", 10_000.0)
    for run_h, short, long in ((23.9, True, False), (24.0, False, False), (167.9, False, False), (168.0, False, True)):
        assert bool(_says("run_takes_hours", profile, _hours(pick, run_h))) is short
        assert bool(_says("run_is_long_and_costly", profile, _hours(pick, run_h))) is long
    assert _says("run_is_long_and_costly", profile, _hours(make_result("tpu-v6e", 9_999.0), 200.0)) == ""
    pytorch = Profile(job=TRAIN, stack=Stack(framework="pytorch"))
    assert _says("run_is_long_and_costly", pytorch, _hours(pick, 200.0)) == ""
    for name in ("run_takes_hours", "run_is_long_and_costly", "scales_wide"):
        assert _says(name, profile) == ""
        assert _says(name, Profile(job=OnlineServing(), stack=Stack(framework="jax")), _hours(pick, 1.0)) == ""


@pytest.mark.parametrize(("n_chips", "fires"), [(127, False), (128, True)])
def test_very_many_chips(make_result, n_chips: int, fires: bool) -> None:
    assert bool(_says("scales_wide", Profile(job=TRAIN), make_result(n_chips=n_chips))) is fires


@pytest.mark.parametrize(("porting_usd", "fires"), [(249.0, False), (250.0, True)])
def test_porting_of_a_quarter_of_the_bill_is_dear(make_result, porting_usd: float, fires: bool) -> None:
    """The best TPU that fits, else the first rejected one."""
    tpu, gpu = make_result("tpu-v6e", 1000.0, porting_usd=porting_usd), make_result("h100-sxm", 1000.0)
    assert bool(_says("porting_is_dear", Profile(job=TRAIN), gpu, tpu)) is fires
    assert bool(_says("porting_is_dear", Profile(job=TRAIN), gpu, rejected=(tpu,))) is fires
    assert _says("porting_is_dear", Profile(job=TRAIN), gpu) == ""
    assert bool(_says("pick_needs_porting", Profile(job=TRAIN), tpu)) is True
    assert _says("pick_needs_porting", Profile(job=TRAIN), gpu) == _says("pick_needs_porting", Profile(job=TRAIN)) == ""


@pytest.mark.parametrize(("days", "fires"), [(30.0, False), (30.5, True)])
def test_porting_of_more_than_half_of_the_time_misses_the_deadline(make_result, days: float, fires: bool) -> None:
    tpu = make_result("tpu-v6e", days=90, porting_days=days)
    until = Profile(job=TRAIN, limits=Limits(deadline_days=60))
    assert bool(_says("port_misses_deadline", until, tpu)) is fires
    assert _says("port_misses_deadline", Profile(job=TRAIN, limits=Limits(deadline_days=None)), tpu) == ""
    assert _says("port_misses_deadline", until, make_result("h100-sxm")) == ""


def test_three_times_as_many_sellers(make_result) -> None:
    gpus = [make_result("h100-sxm", provider=name) for name in ("gcp", "aws", "lambda")]
    tpu = make_result("tpu-v6e")
    assert _says("gpu_has_more_sellers", Profile(), *gpus, tpu) == "3 sellers of GPUs that fit, 1 of TPUs"
    assert _says("gpu_has_more_sellers", Profile(), *gpus[:2], tpu) == ""
    assert _says("gpu_has_more_sellers", Profile(), *gpus) == "3 sellers of GPUs that fit, 0 of TPUs"
    assert _says("gpu_has_more_sellers", Profile(), *gpus[:2], gpus[0]) == ""


@pytest.mark.parametrize(("model", "fires"), [("commit_1y", True), ("commit_3y", True), ("on_demand", False)])
def test_a_commitment_that_is_allowed_while_the_model_still_changes(model: str, fires: bool) -> None:
    places = Places.model_validate({"purchase_models": (model,)})
    explored, steady = (Profile(job=TRAIN, stack=Stack(maturity=one), places=places) for one in ("exploring", "stable"))
    assert bool(_says("commitment_would_idle", explored)) is fires
    assert _says("commitment_would_idle", steady) == ""
    used = steady.model_copy(update={"outlook": Outlook(use_pct=40.0)})
    assert _says("commitment_would_idle", used) == ("A commitment would be used 40 %" if fires else "")


def test_chips_that_wait_say_for_what(make_result) -> None:
    plain = make_result()
    told = {"input": "chips_wait_for_storage", "host": "chips_wait_for_hosts", "compute": ""}
    for bottleneck in told:
        speed = replace(plain.throughput, bottleneck=bottleneck, notes=("a", "Waits for storage: 1 come"))
        held = replace(plain, throughput=speed)
        for name in filter(None, told.values()):
            words = _says(name, Profile(job=TRAIN), held)
            assert words == ("Waits for storage: 1 come" if told[bottleneck] == name else "")
        assert _says("chips_wait_for_storage", Profile(job=OnlineServing()), held) == ""
        assert bool(_says("chips_wait_for_hosts", Profile(job=OnlineServing()), held)) is (bottleneck == "host")
    assert (
        _says("chips_wait_for_storage", Profile(job=TRAIN)) == _says("chips_wait_for_hosts", Profile(job=TRAIN)) == ""
    )


def _losing(result: CandidateResult, best_h: float = 1.0, stops_per_day: float = 0.96) -> CandidateResult:
    """Saving takes 72 s, one stop a day or so; the best interval as told."""
    kept = RunLosses(0.9, stops_per_day, save_s=72.0, restart_h=0.3, start_h=0.1, best_interval_h=best_h)
    return replace(result, losses=kept)


def test_an_interval_that_is_off_tells_what_the_best_would_spare(make_result) -> None:
    """``s / I + r I / 2`` with s 0.02 h and r 0.04 an hour: every 4 h 0.085, every hour 0.04; 4.5 % less."""
    pick = _losing(make_result(days=30.0))
    job = PreTraining(checkpoint_interval_h=4.0)
    words = _says("interval_is_off", Profile(job=job), pick)
    assert words == "A state every 1 h in place of 4 h would spare about 4.5 % of the run"
    near = PreTraining(checkpoint_interval_h=1.2)  # 0.0407: less than one per cent
    assert _says("interval_is_off", Profile(job=near), pick) == ""
    assert _says("interval_is_off", Profile(job=PreTraining(checkpoint_interval_h=0.0)), pick) == ""
    assert _says("interval_is_off", Profile(job=job), _losing(pick, stops_per_day=0.0)) == ""
    assert _says("interval_is_off", Profile(job=job), replace(pick, losses=None)) == ""
    assert _says("interval_is_off", Profile(job=OnlineServing()), pick) == ""


def test_no_interval_is_longer_than_the_run(make_result) -> None:
    pick = _hours(_losing(make_result(), best_h=50.0, stops_per_day=0.1), 2.0)
    words = _says("interval_is_off", Profile(job=PreTraining(checkpoint_interval_h=0.1)), pick)
    assert words.startswith("A state every 2 h in place of 0.1 h")


@pytest.mark.parametrize(
    ("name", "fires", "silent"),
    [
        ("framework_is_pytorch", {"framework": "pytorch"}, {"framework": "jax"}),
        ("framework_is_tensorflow", {"framework": "tensorflow"}, {"framework": "jax"}),
        ("framework_is_jax", {"framework": "jax"}, {"framework": "tensorflow"}),
        ("framework_is_translated", {"framework": "pytorch/xla"}, {"framework": "pytorch"}),
        ("trains_in_bf16", {"framework": "jax"}, {"framework": "pytorch"}),
        ("explores_what_compiles", {"framework": "jax", "maturity": "exploring"}, {"framework": "jax"}),
        ("explores_what_compiles", {"framework": "jax", "maturity": "exploring"}, {"maturity": "exploring"}),
        ("model_still_changes", {"maturity": "exploring"}, {"maturity": "stable"}),
        ("model_is_frozen", {"maturity": "frozen"}, {"maturity": "stable"}),
        ("has_custom_kernels", {"custom_kernels": 1}, {"custom_kernels": 0}),
        ("needs_driver", {"driver_access": True}, {"driver_access": False}),
        ("is_irregular", {"dynamic_shapes": "some"}, {}),
        ("is_irregular", {"control_flow": "heavy"}, {}),
        ("is_regular", {}, {"dynamic_shapes": "some"}),
        ("is_regular", {}, {"control_flow": "some"}),
        ("is_regular", {}, {"custom_kernels": 1}),
        ("has_other_uses", {"non_ml_use": True}, {"non_ml_use": False}),
        ("uses_gpu_libraries", {"libraries": ("deepspeed",)}, {"libraries": ("maxtext",)}),
        ("uses_gpu_parallelism", {"libraries": ("megatron-lm",)}, {"libraries": ("flash-attention",)}),
        ("uses_maxtext", {"libraries": ("maxtext",)}, {"libraries": ("deepspeed",)}),
    ],
)
def test_what_the_code_says(name: str, fires: dict[str, object], silent: dict[str, object]) -> None:
    made, quiet = (Profile(job=TRAIN, model=DENSE, stack=Stack.model_validate(one)) for one in (fires, silent))
    assert _says(name, made) != ""
    assert _says(name, quiet) == ""


@pytest.mark.parametrize(
    ("name", "fires", "silent"),
    [
        ("debugs_often", Team(debug_need="high"), Team(debug_need="normal")),
        ("no_xla_skill", Team(xla_experience="none"), Team(xla_experience="some")),
        ("xla_experts", Team(xla_experience="expert"), Team(xla_experience="some")),
        ("wants_managed", Team(delivery="managed"), Team(delivery="bare_metal")),
        ("few_are_new_to_it", Team(xla_experience="none", engineers=3), Team(xla_experience="none", engineers=4)),
        ("few_are_new_to_it", Team(xla_experience="none", engineers=3), Team(xla_experience="some", engineers=3)),
    ],
)
def test_what_the_team_says(name: str, fires: Team, silent: Team) -> None:
    assert _says(name, Profile(team=fires)) != ""
    assert _says(name, Profile(team=silent)) == ""
    if name == "wants_managed":
        assert _says(name, Profile(team=fires, places=Places(providers=("aws",)))) == ""


def test_kernels_of_one_s_own_are_counted_in_words() -> None:
    told = [_says("has_custom_kernels", Profile(stack=Stack(custom_kernels=n))) for n in (1, 2)]
    assert told == ["1 custom kernel in Triton or CUDA", "2 custom kernels in Triton or CUDA"]


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (Places(must_be_on_prem=True), "It must run on premises"),
        (Places(air_gapped=True), "It must run without a network"),
        (Places(needed_places=("workstation",)), ""),
        (Places(providers=("aws", "azure")), "Only aws, azure may be used"),
        (Places(providers=("gcp", "aws")), ""),
        (Places(), ""),
    ],
)
def test_places_that_exclude_tpus(places: Places, words: str) -> None:
    assert _says("place_excludes_tpu", Profile(places=places)) == words


def test_places_exclude_tpus_only_while_none_fits(make_result) -> None:
    """A TPU that is sold elsewhere one day is not ruled out by the place."""
    elsewhere = Profile(places=Places(providers=("aws",)))
    assert _says("place_excludes_tpu", elsewhere, make_result("h100-sxm"), make_result("tpu-v6e")) == ""


@pytest.mark.parametrize(
    ("name", "needed", "fires"),
    [
        ("needs_own_place", "workstation", True), ("needs_own_place", "on_prem", True),
        ("needs_own_place", "dedicated", False), ("develops_locally", "workstation", True),
        ("develops_locally", "on_prem", False),
    ],
)  # fmt: skip
def test_a_machine_of_one_s_own(name: str, needed: str, fires: bool) -> None:
    assert bool(_says(name, Profile(places=Places(needed_places=(needed,))))) is fires


def test_google_alone() -> None:
    assert _says("google_only", Profile(places=Places(providers=("gcp",)))) != ""
    assert _says("google_only", Profile(places=Places(providers=("gcp", "aws")))) == ""


@pytest.mark.parametrize(("flexibility", "fires"), [(34.0, False), (35.0, True)])
def test_flexibility_that_weighs_a_third(flexibility: float, fires: bool) -> None:
    weights = Weights(cost=60.0, time=40.0 - flexibility, flexibility=flexibility)
    assert bool(_says("must_be_portable", Profile(weights=weights))) is fires
    two = Places(needed_places=("public_cloud", "dedicated"))
    assert _says("must_be_portable", Profile(weights=weights, places=two)).endswith("in 2 kinds of place")


def test_engines_that_run_on_one_kind_of_chip() -> None:
    for job in (OnlineServing(engine="tensorrt-llm"), BatchInference(engine="tensorrt-llm")):
        assert _says("uses_gpu_libraries", Profile(job=job)) == "TensorRT-LLM in use"
    assert _says("uses_gpu_libraries", Profile(job=OnlineServing(engine="vllm"))) == "vLLM in use"
    assert _says("uses_gpu_libraries", Profile(job=OnlineServing(engine="jetstream"))) == ""
    in_samples = Profile(job=OnlineServing(engine="vllm"), model=networks()["ResNet-50"].model)
    assert _says("uses_gpu_libraries", in_samples) == ""
    assert _says("uses_maxtext", Profile(job=OnlineServing(engine="maxtext"))) == "MaxText is in use"
    assert _says("uses_maxtext", Profile(job=OnlineServing(engine="jetstream"))) == ""
    assert _says("uses_maxtext", Profile(job=FineTuning())) == ""
