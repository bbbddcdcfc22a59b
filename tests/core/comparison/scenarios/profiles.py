"""The scenarios of the guides as profiles: each input of theirs in fields of ours.

| input of the guides                      | fields here                                                             |
|------------------------------------------|-------------------------------------------------------------------------|
| kind train, finetune, batch_infer, serve | PreTraining, FineTuning, BatchInference, OnlineServing                  |
| framework, custom_ops, custom_op_share   | stack.framework, custom_kernels (few 2, many 5), custom_op_pct          |
| change cadence of 10 or 30 days          | stack.maturity exploring; "standardised" is frozen                      |
| params_b, arch                           | the known model of that size; recsys DLRM-DCNv2, cnn ResNet-50          |
| run_hours, run_days, tokens_b            | n_tokens; the length of the run is an outcome, which the test checks    |
| clouds                                   | places.providers                                                        |
| place workstation, onprem, air_gapped    | must_be_on_prem, needed_places, air_gapped, way to pay owned            |
| requests a day, utilisation, burst       | peak_requests_per_s and mean_load_pct: burst 5 is a mean of 20 %        |
| ttft_p95_ms                              | ttft_limit_ms held for 95 of 100 requests                               |
| tokens a night                           | requests_per_batch x (input + output tokens)                            |
| context, concurrency                     | input_tokens, and a peak of as many answers at a time (Little's law)    |
| commit, billing fixed, capex             | places.purchase_models                                                  |
| portability none; latency none           | weights.flexibility 0; weights.time 0                                   |
| team junior, xla none, expert            | team.xla_experience, engineers, debug_need                              |
| team_xla expert, team_cuda expert        | stack.training_stack vendor (so for all that is standardised) or        |
|                                          | fsdp_compiled                                                           |
| explore 3 months, then a 6-month run     | days until the run is done count from today: 91, and 91 + 183           |
| porting weeks x engineers x rate         | team; kernels, shapes and skill such that the estimate comes to it      |
| storage_gbs, bytes_per_sample            | storage_gb_per_s, sample_kb                                             |
| chips n                                  | limits.max_chips, and the candidates of that number                     |
| nic_gbps, regions, hidden, seq           | varied by the test                                                      |
| months, demand_cv                        | job.months, job.traffic                                                 |
| notebook, budget 0                       | a budget of a dollar: no offer of the catalogue is a notebook           |
"""

from __future__ import annotations

from core.workload.jobs.kinds import BatchInference, FineTuning, OnlineServing, PreTraining
from core.workload.models.known import networks, presets
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Limits, Places, Profile, Stack, Team, Weights

GOOGLE = Places(providers=("gcp",))
NO_DEADLINE = Limits(deadline_days=None)


def known(name: str) -> TransformerModel:
    """A model of the shipped table."""
    return presets()[name].model


B1, B3, B7 = known("Llama 3.2 1B"), known("Llama 3.2 3B"), known("Llama 2 7B")
B8, B13, B70, B405 = (known(name) for name in ("Llama 3.1 8B", "Llama 2 13B", "Llama 3.1 70B", "Llama 3.1 405B"))
FROZEN_JAX_TUNED = Stack(framework="jax", maturity="frozen", training_stack="vendor")
COST_AND_TIME = Weights(cost=65, time=35, flexibility=0)
STEADY_8B = OnlineServing(
    input_tokens=512, output_tokens=128, peak_requests_per_s=657.0, mean_load_pct=88.0, ttft_limit_ms=None,
    tpot_limit_ms=None, months=12,
)  # fmt: skip
RECOMMENDER = networks()["DLRM-DCNv2"].model.model_copy(update={"table_millions": 250_000.0})

SC01 = Profile(
    id="sc01",
    job=PreTraining(n_tokens=5e9, sequence_length=2048, global_batch_sequences=128, dataset_gb=50),
    model=B1,
    stack=Stack(maturity="exploring", custom_kernels=2),
    team=Team(debug_need="high"),
    places=Places(needed_places=("public_cloud", "workstation")),
    limits=Limits(deadline_days=None, max_chips=64),
)
SC01B = Profile(
    id="sc01b",
    job=PreTraining(n_tokens=5e10, sequence_length=4096, global_batch_sequences=256, dataset_gb=200),
    model=B3,
    stack=Stack(framework="jax", maturity="exploring"),
    places=GOOGLE,
    limits=Limits(deadline_days=None, max_chips=256),
)
SC02 = Profile(
    id="sc02",
    job=PreTraining(n_tokens=1e12),
    model=B70,
    stack=FROZEN_JAX_TUNED,
    team=Team(xla_experience="expert"),
    places=GOOGLE,
    limits=NO_DEADLINE,
    weights=COST_AND_TIME,
)
SC14 = SC02.model_copy(update={"stack": Stack(framework="jax", maturity="frozen")})
SC04 = Profile(
    id="sc04",
    job=PreTraining(n_tokens=4e11, sequence_length=4096),
    model=B13,
    stack=Stack(custom_kernels=5, custom_op_pct=35, libraries=("flash-attention",), training_stack="fsdp_compiled"),
    team=Team(xla_experience="none"),
    places=GOOGLE,
    limits=NO_DEADLINE,
)
SC06 = Profile(
    id="sc06",
    job=OnlineServing(
        peak_requests_per_s=20, mean_load_pct=20, ttft_limit_ms=200, traffic="day_night", latency_percentile="p95"
    ),
    model=B8,
    places=Places(user_places=("new-york",)),
    limits=NO_DEADLINE,
)
SC07 = Profile(
    id="sc07",
    job=BatchInference(input_tokens=960, output_tokens=64, requests_per_batch=5e9 / 1024),
    model=B8,
    stack=Stack(framework="jax", maturity="stable"),
    places=GOOGLE,
    limits=NO_DEADLINE,
    weights=Weights(cost=50, time=0, flexibility=25),
)
SC08 = Profile(
    id="sc08",
    job=STEADY_8B,
    model=B8,
    stack=Stack(framework="jax"),
    places=Places(providers=("gcp",), purchase_models=("on_demand", "commit_1y")),
    limits=NO_DEADLINE,
)
SC10 = Profile(
    id="sc10",
    job=PreTraining(n_tokens=5e10, data_kind="images"),
    model=networks()["ViT-L/16"].model,
    stack=Stack(non_ml_use=True),
    limits=NO_DEADLINE,
)
SC12 = Profile(
    id="sc12",
    job=OnlineServing(peak_requests_per_s=0.02, mean_load_pct=50, ttft_limit_ms=None, tpot_limit_ms=None),
    model=B70,
    limits=NO_DEADLINE,
)
SC15 = Profile(
    id="sc15",
    job=PreTraining(n_tokens=4e9, global_batch_sequences=65_536, dataset_gb=1000, n_runs=30),
    model=RECOMMENDER,
    stack=Stack(framework="tensorflow"),
    places=GOOGLE,
    limits=NO_DEADLINE,
)
SC16 = Profile(
    id="sc16",
    job=PreTraining(n_tokens=5e11),
    model=B70,
    stack=Stack(framework="jax"),
    places=Places(providers=("aws", "azure")),
    limits=NO_DEADLINE,
)
SC17_EXPLORE = Profile(
    id="sc17-explore",
    job=PreTraining(n_tokens=2e10, n_runs=12, sequence_length=4096, global_batch_sequences=256),
    model=B3,
    stack=Stack(framework="jax", maturity="exploring"),
    team=Team(debug_need="high"),
    places=Places(needed_places=("public_cloud", "workstation")),
    limits=Limits(deadline_days=91, max_chips=64),
)
SC17_SCALE = Profile(
    id="sc17-scale",
    job=PreTraining(n_tokens=1.5e13),
    model=B70,
    stack=FROZEN_JAX_TUNED,
    places=GOOGLE,
    limits=Limits(deadline_days=274, max_chips=8192),
    weights=COST_AND_TIME,
)
SC18B = Profile(
    id="sc18b",
    job=OnlineServing(peak_requests_per_s=40, mean_load_pct=40, months=12),
    model=B8,
    stack=Stack(framework="jax", maturity="exploring"),
    limits=NO_DEADLINE,
)
SC19 = Profile(
    id="sc19",
    job=OnlineServing(peak_requests_per_s=100, mean_load_pct=40, traffic="day_night", months=12, ttft_limit_ms=2000),
    model=B8,
    limits=NO_DEADLINE,
)
SC21 = Profile(
    id="sc21",
    job=FineTuning(n_tokens=1e8, sequence_length=2048),
    model=B3,
    places=Places(must_be_on_prem=True, needed_places=("workstation",), purchase_models=("owned",)),
    limits=NO_DEADLINE,
)
SC22 = Profile(
    id="sc22",
    job=FineTuning(n_tokens=2e8, method="lora", sequence_length=4096),
    model=B8,
    team=Team(xla_experience="none", engineers=2, debug_need="high"),
    limits=NO_DEADLINE,
)
SC22B = Profile(
    id="sc22b",
    job=FineTuning(n_tokens=1e7, method="lora", sequence_length=1024),
    model=B1,
    limits=Limits(budget_usd=1.0),
)
SC23 = Profile(
    id="sc23",
    job=OnlineServing(peak_requests_per_s=60, mean_load_pct=75, months=36),
    model=B8,
    stack=Stack(maturity="stable"),
    places=Places(purchase_models=("on_demand", "dedicated_monthly", "commit_3y", "owned")),
    limits=NO_DEADLINE,
)
SC24 = Profile(
    id="sc24",
    job=OnlineServing(peak_requests_per_s=10, mean_load_pct=50),
    model=B8,
    places=Places(must_be_on_prem=True, air_gapped=True, purchase_models=("owned",)),
    limits=NO_DEADLINE,
)
SC25 = Profile(
    id="sc25",
    job=OnlineServing(peak_requests_per_s=20, mean_load_pct=40, ttft_limit_ms=3000, tpot_limit_ms=100),
    model=B405,
    stack=Stack(framework="jax"),
    places=GOOGLE,
    limits=NO_DEADLINE,
)
SC26 = Profile(
    id="sc26",
    job=PreTraining(
        n_tokens=1.2e8 * 90, data_kind="images", sample_kb=120, storage_gb_per_s=0.5, global_batch_sequences=4096
    ),
    model=networks()["ResNet-50"].model,
    limits=NO_DEADLINE,
)
SC27 = Profile(
    id="sc27",
    job=PreTraining(n_tokens=1e11),
    model=B8,
    stack=Stack(custom_kernels=2, dynamic_shapes="some"),
    team=Team(engineers=1, xla_experience="some"),
    limits=Limits(deadline_days=20),
)
SC27B = Profile(
    id="sc27b",
    job=FineTuning(n_tokens=2e10, global_batch_sequences=256),
    model=B8,
    stack=Stack(custom_kernels=2),
    team=Team(engineers=2, engineer_usd_per_week=4000, xla_experience="some"),
    limits=NO_DEADLINE,
)
SC28 = Profile(
    id="sc28",
    job=FineTuning(n_tokens=1e9, sequence_length=2048, global_batch_sequences=512),
    model=B7,
    limits=Limits(deadline_days=None, max_chips=256),
)
SC28B = Profile(id="sc28b")
SC29 = Profile(id="sc29", job=FineTuning(n_tokens=1e9), model=B70, limits=Limits(deadline_days=None, max_chips=8))
SC29B = Profile(
    id="sc29b",
    job=OnlineServing(
        input_tokens=130_560, output_tokens=512, peak_requests_per_s=5, mean_load_pct=50, ttft_limit_ms=None,
        tpot_limit_ms=200, weight_precision="fp8",
    ),
    model=B70,
    limits=Limits(deadline_days=None, max_chips=1024),
)  # fmt: skip
SC30 = Profile(
    id="sc30",
    job=PreTraining(n_tokens=5e11),
    model=B8,
    stack=Stack(framework="jax"),
    places=GOOGLE,
    team=Team(operations_h_per_month=None),
    limits=NO_DEADLINE,
)
SC31 = Profile(
    id="sc31",
    job=OnlineServing(peak_requests_per_s=60, mean_load_pct=60, months=12, dataset_gb=50_000),
    model=B8,
    places=Places(
        purchase_models=("on_demand", "commit_1y", "owned"),
        egress_gb_per_month=10_000,
        data_provider="aws",
        data_region="us-east-1",
    ),
    team=Team(operations_h_per_month=20, support_plan="business"),
    limits=NO_DEADLINE,
)
SC32 = Profile(id="sc32", job=PreTraining(n_tokens=1e11), model=B8, limits=NO_DEADLINE)
SC35 = Profile(id="sc35", job=PreTraining(n_tokens=1e11), model=B8, limits=NO_DEADLINE)
SC36 = Profile(
    id="sc36",
    job=PreTraining(n_tokens=1e12),
    model=B8,
    team=Team(xla_experience="none", engineers=2),
    places=Places(vendors=("NVIDIA", "AMD", "Intel", "Google")),
    limits=NO_DEADLINE,
)

PROFILES = {
    "SC01": SC01, "SC01b": SC01B, "SC02": SC02, "SC04": SC04, "SC06": SC06, "SC07": SC07, "SC08": SC08, "SC09": SC08,
    "SC10": SC10, "SC12": SC12, "SC13": SC32, "SC14": SC14, "SC15": SC15, "SC16": SC16, "SC17": SC17_SCALE,
    "SC18b": SC18B, "SC19": SC19, "SC21": SC21, "SC22": SC22, "SC22b": SC22B, "SC23": SC23, "SC24": SC24, "SC25": SC25,
    "SC26": SC26, "SC27": SC27, "SC27b": SC27B, "SC28": SC28, "SC28b": SC28B, "SC29": SC29, "SC29b": SC29B,
    "SC30": SC30, "SC31": SC31, "SC32": SC32, "SC35": SC35, "SC36": SC36,
}  # fmt: skip
"""The profile of each scenario; where a scenario is a series, the one that its test starts from."""
