"""The roofline of samples by hand: every coefficient 1, so that what is left is FLOPs, bytes and counts."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from core.throughput.parameters import Parameters, shipped_parameters
from core.throughput.samples.quantities import (
    CLASSES,
    FAMILIES,
    STACKS,
    SampleChips,
    SampleWork,
    architectures,
    work_of,
)
from core.throughput.samples.step import SampleRun, samples_per_s, server_share, step_terms
from core.workload.models.known import networks

WORK = {
    "conv_flops": 4e9, "conv_channels": 64.0, "matmul_flops": 2e9, "attention_flops": 1e9, "values": 1e6,
    "n_kernels": 10.0, "passes": 1.0, "once_flops": 0.0, "dense_params": 1e6, "lookup_values": 0.0,
    "exchange_values": 0.0, "input_bytes": 1e5, "attention_tokens": 0.0, "passes_at_once": 1.0,
    "host_s": 0.0, "tokens_written": 0.0, "writer_params": 0.0, "writer_kernels": 0.0, "remembered": 0.0,
}  # fmt: skip
CHIPS = {
    "n_chips": 1.0, "peak_flops": 1e12, "achievable": 0.5, "memory_bytes_per_s": 1e11, "inner_bytes_per_s": 1e10,
    "outer_bytes_per_s": 1e9, "host_bytes_per_s": 1e12, "domain_chips": 1.0, "is_switched": 1.0, "power_share": 1.0,
    "value_bytes": 2.0, "is_recent": 0.0, "short_sums": 1.0, "attention": 1.0, "plain_attention": 1.0,
}  # fmt: skip
NONE = dict.fromkeys(("conv_flops", "matmul_flops", "attention_flops", "values", "dense_params", "n_kernels"), 0.0)


def _known(**values: float) -> Parameters:
    """Every coefficient 1 but for nothing that comes with the years and no channels lost; some of them otherwise."""
    plain = {"launch_growth_a_year": 0.0, "channels_half": 0.0} | values
    return Parameters(tuple(replace(row, value=plain.get(row.name, 1.0)) for row in shipped_parameters("samples").rows))


def _work(family: str = "vision", **figures: float) -> SampleWork:
    values: dict[str, Any] = {name: np.array([value]) for name, value in (WORK | figures).items()}
    return SampleWork(**values, family=np.array([FAMILIES.index(family)]))


def _chips(precision: str = "half", architecture: str = "default", **figures: float) -> SampleChips:
    values: dict[str, Any] = {name: np.array([value]) for name, value in (CHIPS | figures).items()}
    kinds = {"precision": CLASSES.index(precision), "architecture": architectures().index(architecture)}
    return SampleChips(**values, **{name: np.array([index]) for name, index in kinds.items()})


def _run(
    batch: float = 8.0, training: bool = False, stack: str = "vendor", year: float = 2024.0, server: bool = False
) -> SampleRun:
    numbers = (np.array([float(value)]) for value in (batch, training, year, server))
    samples, is_training, of_year, is_server = numbers
    return SampleRun(samples, is_training, np.array([STACKS.index(stack)]), of_year, is_server)


def _terms(
    work: SampleWork | None = None, chips: SampleChips | None = None, run: SampleRun | None = None, **known: float
) -> dict[str, float]:
    terms = step_terms(work or _work(), chips or _chips(), run or _run(), _known(**known))
    return {name: float(value[0]) for name, value in terms.items()}


def test_answering_by_hand() -> None:
    """8 samples of 7 GFLOP at 0.5 TFLOP/s: 112 ms. 16 MB of values and 2 MB of weights at 100 GB/s: 0.18 ms.
    Ten kernels a microsecond apart; nothing waits for host, network or input."""
    terms = _terms()
    assert terms["compute"] == pytest.approx(0.112)
    assert terms["memory"] == pytest.approx(18e6 / 1e11)
    assert terms["overhead"] == pytest.approx(10e-6)
    assert (terms["host"], terms["input"], terms["network"]) == (0.0, 0.0, 0.0)


def test_training_by_hand() -> None:
    """Forward and backward: products three times, fused attention 3.5 times; weights by 20 bytes of the optimiser;
    three kernels a layer."""
    terms = _terms(run=_run(training=True))
    assert terms["compute"] == pytest.approx(8 * (3 * 6e9 + 3.5 * 1e9) / 0.5e12)
    assert terms["memory"] == pytest.approx((16e6 + 20e6) / 1e11)
    assert terms["overhead"] == pytest.approx(30e-6)


@pytest.mark.parametrize(
    ("name", "value", "seconds"),
    [
        ("conv", 0.5, 8 * (8e9 + 3e9) / 0.5e12),
        ("matmul", 0.5, 8 * (4e9 + 4e9 + 1e9) / 0.5e12),
        ("attention", 0.25, 8 * (6e9 + 4e9) / 0.5e12),
        ("channels_half", 64.0, 8 * (8e9 + 3e9) / 0.5e12),
        ("channels_half", 192.0, 8 * (16e9 + 3e9) / 0.5e12),
        ("compute_default", 0.5, 0.224),
        ("rate_half", 0.25, 0.448),
    ],
)
def test_each_class_of_operation_runs_at_its_own_rate(name: str, value: float, seconds: float) -> None:
    assert _terms(**{name: value})["compute"] == pytest.approx(seconds)


def test_a_power_limited_board_loses_by_its_exponent() -> None:
    assert _terms(chips=_chips(power_share=0.25), power_exponent=0.5)["compute"] == pytest.approx(0.224)


def test_two_kinds_of_work_overlap_in_part() -> None:
    """3 s and 4 s together by squares: 5 s, told apart in their shares of 7."""
    work = _work(conv_flops=1.5e12 / 8, matmul_flops=0.0, attention_flops=0.0, dense_params=0.0, values=4e11 / 16)
    terms = _terms(work, overlap_power=2.0)
    assert (terms["compute"], terms["memory"]) == pytest.approx((5 * 3 / 7, 5 * 4 / 7))


def test_denoising_passes_repeat_the_forward_pass_when_answering_only() -> None:
    """Five passes and 2 GFLOP once: (5 x 7 + 2) GFLOP; training takes one pass and nothing once."""
    work = _work(passes=5.0, once_flops=2e9)
    assert _terms(work)["compute"] == pytest.approx(8 * 37e9 / 0.5e12)
    assert _terms(work)["memory"] == pytest.approx(5 * 18e6 / 1e11)
    assert _terms(work)["overhead"] == pytest.approx(50e-6)
    assert _terms(work, run=_run(training=True))["compute"] == pytest.approx(8 * 21.5e9 / 0.5e12)


def test_quantised_diffusion_keeps_a_share_wide_and_its_scores_at_half_the_rate() -> None:
    """int8: 1 + (1 - 0.5) times the products, scores twice; in two bytes nothing of it."""
    work = _work("diffusion")
    eight = _terms(work, _chips("int8", value_bytes=1.0), quantised_diffusion=0.5)
    assert eight["compute"] == pytest.approx(8 * (1.5 * 6e9 + 2e9) / 0.5e12)
    fp8 = _terms(work, _chips("fp8", value_bytes=1.0), quantised_diffusion=0.5)
    assert fp8["compute"] == pytest.approx(8 * (1.5 * 6e9 + 1e9) / 0.5e12)
    assert _terms(work, quantised_diffusion=0.5)["compute"] == pytest.approx(0.112)
    vision = _terms(_work(), _chips("int8", value_bytes=1.0), quantised_diffusion=0.5)
    assert vision["compute"] == pytest.approx(0.112)


def test_quantised_denoisers_of_transformer_blocks_keep_nothing_wide() -> None:
    """No convolutions: 2 GFLOP of products and 1 of scores at 0.5 TFLOP/s."""
    work, chips = _work("diffusion", conv_flops=0.0), _chips("fp8", value_bytes=1.0)
    assert _terms(work, chips, quantised_diffusion=0.5)["compute"] == pytest.approx(8 * 3e9 / 0.5e12)


@pytest.mark.parametrize(("stack", "faster"), [("vendor", 2.0), ("compiled", 1.0), ("eager", 1.0)])
def test_fused_engines_sum_in_sixteen_bits(stack: str, faster: float) -> None:
    terms = _terms(chips=_chips(short_sums=2.0), run=_run(stack=stack))
    assert terms["compute"] == pytest.approx(0.112 / faster)


@pytest.mark.parametrize(
    ("family", "value_bytes", "held"), [("vision", 1.0, 1.0), ("encoder", 1.0, 2.0), ("vision", 4.0, 4.0)]
)
def test_convolution_nets_keep_values_as_computed(family: str, value_bytes: float, held: float) -> None:
    """Others keep them in 16 bits at least."""
    terms = _terms(_work(family), _chips(value_bytes=value_bytes))
    assert terms["memory"] == pytest.approx((8e6 * held + 1e6 * value_bytes) / 1e11)


@pytest.mark.parametrize(("stack", "passes"), [("vendor", 2.0), ("compiled", 3.0), ("eager", 5.0)])
def test_traffic_of_answering_is_that_of_the_stack(stack: str, passes: float) -> None:
    known = {"traffic_vendor": 2.0, "traffic_compiled": 3.0, "traffic_eager": 5.0}
    assert _terms(run=_run(stack=stack), **known)["memory"] == pytest.approx((16e6 * passes + 2e6) / 1e11)


def test_traffic_of_training_is_a_mean_by_kind_of_work_and_grows_unfused() -> None:
    """4 of 6 GFLOP are convolutions: 4/6 x 10 + 2/6 x 4 = 8 passes; eager reads 5 over 2, 0.2 of it: x 1.3."""
    known = {"traffic_training": 10.0, "traffic_training_matmul": 4.0, "traffic_vendor": 2.0, "traffic_eager": 5.0}
    for stack, passes in (("vendor", 8.0), ("eager", 8.0 * 1.3)):
        terms = _terms(run=_run(stack=stack, training=True), unfused_training=0.2, **known)
        assert terms["memory"] == pytest.approx((16e6 * passes + 20e6) / 1e11)


def test_gathered_values_are_read_and_when_trained_read_and_written_again() -> None:
    """8 x 1000 values of 4 bytes, at half the bandwidth; three times as much when a recommender is trained."""
    only_tables = dict.fromkeys(("values", "dense_params"), 0.0) | {"lookup_values": 1e3}
    for family, training, passes in (("recommender", False, 1), ("recommender", True, 3), ("graph", True, 1)):
        terms = _terms(_work(family, **only_tables), run=_run(training=training), gather=0.5)
        assert terms["memory"] == pytest.approx(8e3 * 4 * passes / 0.5 / 1e11)


@pytest.mark.parametrize(
    ("stack", "training", "tpu", "gap_us"),
    [
        ("vendor", False, False, 7.0 * 0.5),
        ("eager", False, False, 7.0),
        ("vendor", True, False, 11.0 * 0.5 * 3),
        ("vendor", False, True, 2.0 * 0.5),
    ],
)
def test_gaps_between_kernels(stack: str, training: bool, tpu: bool, gap_us: float) -> None:
    known = {"gap_us": 11.0, "gap_us_answering": 7.0, "gap_us_tpu": 2.0, "fused_vendor": 0.5}
    chips = _chips(architecture="tpu" if tpu else "default")
    assert _terms(chips=chips, run=_run(stack=stack, training=training), **known)["overhead"] == pytest.approx(
        10 * gap_us * 1e-6
    )


def test_the_host_shows_only_where_it_is_slower_than_the_chip() -> None:
    """Ten launches of 5 ms are 50 ms beside 10 us of gaps; training launches half as many again."""
    idle = _work(**NONE | {"n_kernels": 10.0})
    assert _terms(idle, launch_us_vendor=5000.0)["host"] == pytest.approx(0.05 - 10e-6)
    trained = _terms(idle, run=_run(training=True), launch_us_vendor=5000.0)
    assert trained["host"] == pytest.approx(0.075 - 30e-6)
    assert _terms(launch_us_vendor=5000.0)["host"] == 0.0


def test_input_shows_only_where_the_link_is_slower_than_the_chip() -> None:
    """8 x 100 kB at half of 1 MB/s: 1.6 s."""
    terms = _terms(_work(**NONE), _chips(host_bytes_per_s=1e6), host_link=0.5)
    assert terms["input"] == pytest.approx(1.6)
    busy = _terms(chips=_chips(host_bytes_per_s=1e7), host_link=0.5)
    assert busy["input"] == pytest.approx(0.16 - 0.112 - 18e-5 - 10e-6)


def test_gradients_go_round_in_the_domain_then_between_domains() -> None:
    """2 MB: 2 x 2e6 x (7/8 / 1e10 + 3/4 / 8 / 1e9) over 4 domains of 8, of which 0.4 shows; none when answering."""
    chips = _chips(n_chips=32.0, domain_chips=8.0)
    expected = 0.4 * 2 * 2e6 * (7 / 8 / 1e10 + 3 / 4 / 8 / 1e9)
    assert _terms(chips=chips, run=_run(training=True), reduce_exposed=0.4)["network"] == pytest.approx(expected)
    assert _terms(chips=chips)["network"] == 0.0
    wide = _terms(chips=_chips(n_chips=32.0, domain_chips=8.0, value_bytes=4.0), run=_run(training=True))
    assert wide["network"] == pytest.approx(expected / 0.4)


def test_links_reach_their_shares() -> None:
    """Switch, PCIe and network each at half of its rate takes twice as long where it is used."""
    inside = {"n_chips": 8.0, "domain_chips": 8.0}
    across = {"n_chips": 8.0, "domain_chips": 1.0}
    for figures, name in ((inside, "inner_link"), (inside | {"is_switched": 0.0}, "pcie_link"), (across, "outer_link")):
        run = _run(training=True)
        full, half = (_terms(chips=_chips(**figures), run=run, **{name: share}) for share in (1.0, 0.5))
        assert half["network"] == pytest.approx(2 * full["network"])


def test_table_values_are_exchanged_with_chips_inside_and_away() -> None:
    """8 x 1000 values of 2 bytes to 31 others, 24 of 32 away: 16 kB x (7/8 x 1/4 / 1e10 + 3/4 / 1e9), over the share
    0.5 of the exchange; back again when trained; in one byte still two."""
    work = _work("recommender", **NONE | {"exchange_values": 1e3})
    figures = {"n_chips": 32.0, "domain_chips": 8.0}
    seconds = 16e3 * (7 / 8 / 4 / 1e10 + 3 / 4 / 1e9) / 0.5
    assert _terms(work, _chips(**figures), exchange_link=0.5)["network"] == pytest.approx(seconds)
    trained = _terms(work, _chips(**figures), _run(training=True), exchange_link=0.5)
    assert trained["network"] == pytest.approx(2 * seconds)
    narrow = _terms(work, _chips(**figures | {"value_bytes": 1.0}), exchange_link=0.5)
    assert narrow["network"] == pytest.approx(seconds)


def test_training_waits_for_the_slowest_of_many_chips() -> None:
    """32 chips are five doublings of 20 us and 0.01 of the time on the chip each."""
    one, many = (
        _terms(_work(dense_params=0.0), _chips(n_chips=n), _run(training=True), sync_us=20.0, straggle=0.01)
        for n in (1.0, 32.0)
    )
    on_chip = one["compute"] + one["memory"] + one["overhead"]
    assert many["overhead"] - one["overhead"] == pytest.approx(5 * (20e-6 + 0.01 * on_chip))
    answering = _terms(chips=_chips(n_chips=32.0), sync_us=20.0, straggle=0.01)
    assert answering["overhead"] == pytest.approx(10e-6)


def test_a_latency_limit_costs_every_term_its_share() -> None:
    free, held = (_terms(run=_run(server=server), server_vision=0.8, server_encoder=0.5) for server in (False, True))
    for name in ("compute", "memory", "overhead"):
        assert held[name] == pytest.approx(free[name] / 0.8)
    known = _known(server_vision=0.8, server_gain_ada=1.1)
    family = np.array([FAMILIES.index("vision")])
    assert server_share(family, _chips(architecture="ada"), known) == pytest.approx([0.88])
    assert server_share(family, _chips(), known) == pytest.approx([0.8])


def test_every_chip_finishes_its_batch_in_the_same_step() -> None:
    terms = {"compute": np.array([0.3]), "memory": np.array([0.1])}
    assert samples_per_s(terms, _run(batch=8.0), _chips(n_chips=4.0)) == pytest.approx([80.0])


def test_counts_of_networks_become_single_units_beside_each_other() -> None:
    """FLOPs of GFLOPs, values and weights of millions, bytes of kB."""
    models = [networks()[name].model for name in ("ResNet-50", "DLRM-DCNv2", "Stable Diffusion XL", "Whisper small")]
    work = work_of(models)
    for n, one in enumerate(models):
        told = {field.name: float(getattr(work, field.name)[n]) for field in fields(SampleWork)}
        assert told == pytest.approx({
            "conv_flops": one.conv_gflops * 1e9, "conv_channels": one.conv_channels,
            "matmul_flops": one.matmul_gflops * 1e9, "attention_flops": one.attention_gflops * 1e9,
            "values": one.activation_millions * 1e6, "n_kernels": one.n_kernels, "passes": one.passes,
            "once_flops": one.once_gflops * 1e9, "dense_params": one.params_millions * 1e6,
            "lookup_values": one.lookup_values, "exchange_values": one.exchange_values,
            "attention_tokens": one.attention_tokens, "passes_at_once": one.passes_at_once,
            "input_bytes": one.input_kb * 1e3, "family": FAMILIES.index(one.family),
            "host_s": one.host_ms * 1e-3, "tokens_written": one.tokens_written,
            "writer_params": one.writer_millions * 1e6, "writer_kernels": one.writer_kernels,
            "remembered": one.remembered_millions * 1e6,
        })  # fmt: skip


def test_long_attention_runs_more_like_a_product() -> None:
    only = {**NONE, "attention_flops": 1e9}
    times = [
        _terms(_work(**(only | {"attention_tokens": tokens})), attention=0.25)["compute"]
        for tokens in (0.0, 2048.0, 1e9)
    ]
    assert times == pytest.approx([0.064, 0.0256, 0.016], rel=1e-3)


def test_long_attention_runs_as_training_has_it() -> None:
    """Half as fast as products by frameworks' kernels, at their rate by the vendor's."""
    work = _work(**(NONE | {"attention_flops": 1e9, "attention_tokens": 1e9}))
    chips = _chips(attention=1.0, plain_attention=0.5)
    tuned, plain = (_terms(work, chips, _run(stack=stack), matmul=0.5)["compute"] for stack in ("vendor", "eager"))
    assert (tuned, plain) == pytest.approx((0.032, 0.064), rel=1e-3)


def test_passes_side_by_side_share_their_launches() -> None:
    apart = _terms(_work(passes=40.0, n_kernels=1000.0))
    beside = _terms(_work(passes=40.0, n_kernels=1000.0, passes_at_once=2.0))
    assert beside["overhead"] == pytest.approx(apart["overhead"] / 2)
    assert beside["compute"] == pytest.approx(apart["compute"])


def test_newer_hosts_launch_faster() -> None:
    work = _work(**(NONE | {"n_kernels": 1000.0}))
    old, new = (
        _terms(work, launch_us_vendor=10.0),
        _terms(work, _chips(is_recent=1.0), launch_us_vendor=10.0, launch_recent=0.5),
    )
    assert new["host"] + new["overhead"] == pytest.approx((old["host"] + old["overhead"]) / 2)


def test_chips_that_share_a_sample_exchange_in_every_pass() -> None:
    chips = _chips(n_chips=2.0, domain_chips=2.0)
    once, often = (
        _terms(_work(exchange_values=1e6, passes=passes), chips, _run(batch=0.5))["network"] for passes in (1.0, 30.0)
    )
    assert often == pytest.approx(30 * once)


WRITES = {**NONE, "tokens_written": 100.0, "dense_params": 1e6, "writer_params": 1e6, "writer_kernels": 20.0}


def test_a_written_token_reads_the_writer_once_and_what_each_sample_remembers() -> None:
    """100 tokens of 2 MB, and 8 samples of 1 MB, at 100 GB/s; 16 MFLOP at 0.5 TFLOP/s; 20 kernels a microsecond apart.
    The first pass reads no weight of the writer."""
    terms = _terms(_work(**(WRITES | {"values": 0.0, "remembered": 0.5e6})))
    assert terms["memory"] == pytest.approx(100 * 10e6 / 1e11)
    assert terms["compute"] == pytest.approx(100 * 16e6 / 0.5e12)
    assert terms["overhead"] == pytest.approx(100 * 20e-6)
    assert terms["host"] == 0.0


def test_tokens_wait_for_each_other_so_that_slow_launches_show() -> None:
    """20 launches of 5 us a token, less the 20 us of gaps and what the token takes; the encoder hides none of them."""
    work = _work(**(WRITES | {"values": 0.0, "matmul_flops": 1e12}))
    terms = _terms(work, launch_us_vendor=5.0)
    assert terms["host"] == pytest.approx(100 * (100e-6 - 20e-6 - 2e6 / 1e11 - 16e6 / 0.5e12))


def test_training_reads_a_written_answer_at_once() -> None:
    work = _work(**(WRITES | {"values": 0.0}))
    assert _terms(work, run=_run(training=True))["compute"] == pytest.approx(8 * 3 * 200e6 / 0.5e12)
    assert _terms(work, run=_run(training=True), launch_us_vendor=50.0)["host"] == 0.0


def test_the_host_works_beside_the_chip_and_is_waited_for_when_slower() -> None:
    slow, quick = (_terms(_work(host_s=host_s, input_bytes=0.0))["input"] for host_s in (0.1, 1e-3))
    assert slow == pytest.approx(0.8 - sum(v for k, v in _terms().items() if k != "input"))
    assert quick == 0.0
    assert _terms(_work(host_s=0.1, input_bytes=0.0), run=_run(training=True))["input"] == 0.0


def test_products_outside_the_matrix_units_reach_their_own_share_on_any_chip() -> None:
    """An architecture's share is that of the matrix units; the board's power limit is felt by all, here by half."""
    weak = {"compute_turing": 0.5, "power_exponent": 1.0, "rate_wide": 0.8}
    board = {"power_share": 0.5, "peak_flops": 1e12}
    wide = _terms(chips=_chips("wide", "turing", **board), **weak)["compute"]
    half = _terms(chips=_chips("half", "turing", **board), **weak)["compute"]
    assert wide == pytest.approx(0.056 / 0.8 / 0.5)
    assert half == pytest.approx(0.056 / 0.5 / 0.5 / 0.5)


def test_outside_the_matrix_units_scores_are_products_and_channels_fill_nothing() -> None:
    units = {"attention": 0.25, "channels_half": 64.0, "matmul": 0.5}
    wide = _terms(chips=_chips("wide"), **units)["compute"]
    assert wide == pytest.approx(8 * (4e9 + 4e9 + 2e9) / 1e12)
    assert _terms(chips=_chips("half"), **units)["compute"] == pytest.approx(8 * (8e9 + 4e9 + 4e9) / 0.5e12)


@pytest.mark.parametrize(("year", "times"), [(2024.0, 1.0), (2022.0, 1.44), (2026.0, 1 / 1.44)])
def test_earlier_hosts_and_frameworks_launch_slower(year: float, times: float) -> None:
    work = _work(**(NONE | {"n_kernels": 1000.0}))
    terms = _terms(work, run=_run(year=year), launch_us_vendor=10.0, launch_growth_a_year=0.2)
    assert terms["host"] + terms["overhead"] == pytest.approx(0.01 * times)
