"""Prometheus text of GPU exporters: ratios and base units, labels by any name, several scrapes, counters left out."""

import json
from pathlib import Path

import pytest

from core.logs import text
from tests.core.logs.written import assert_refused, means_of, record_of


def _dcgm(power: float, stamp: str = "") -> str:
    labels = 'gpu="{}",UUID="GPU-{}", device="nvidia{}",modelName="NVIDIA H100 80GB HBM3",Hostname="n1"'
    chips = [labels.format(n, n, n) for n in range(2)]
    lines = ["# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).", "# TYPE DCGM_FI_DEV_POWER_USAGE gauge"]
    lines += [f"DCGM_FI_DEV_POWER_USAGE{{{chip}}} {power}{stamp}" for chip in chips]
    lines += [f"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{{{chip}}} 0.25{stamp}" for chip in chips]
    lines += ["# TYPE DCGM_FI_PROF_NVLINK_TX_BYTES counter"]
    lines += [f"DCGM_FI_PROF_NVLINK_TX_BYTES{{{chip}}} 99{stamp}" for chip in chips]
    lines += [f"DCGM_FI_DEV_FB_USED{{{chip}}} 1024{stamp}" for chip in chips]
    lines += [f"DCGM_FI_DEV_FB_FREE{{{chip}}} 3072{stamp}" for chip in chips]
    lines += [f'DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{chips[0]},GPU_I_ID="3"}} 0.5', "..."]
    return "\n".join(lines) + "\n"


def test_scrapes_of_dcgm_are_a_series(tmp_path: Path) -> None:
    record = record_of(tmp_path, _dcgm(300, " 1752480000000") + _dcgm(500, " 1752480030000"))
    assert (record.format, record.accelerator_id, record.n_accelerators) == ("prometheus-gpu", "h100-sxm", 2)
    assert record.time_s.tolist() == [0.0, 30.0]
    assert record.series["power_w"].tolist() == [300.0, 500.0]
    means = means_of(record)
    assert (means["tensor_active_pct"], means["memory_used_gib"], means["memory_total_gib"]) == (25.0, 1.0, 4.0)
    assert "link_out_gb_per_s" not in means and "utilization_pct" not in means
    assert record.skipped == {"sample of a part of a GPU": 2}


def test_the_exporter_of_nvidia_smi_is_in_base_units(tmp_path: Path) -> None:
    label = '{uuid="00-1"}'
    text = "\n".join(
        [
            'nvidia_smi_gpu_info{name="NVIDIA L40S",uuid="00-1"} 1',
            "nvidia_smi_failed_scrapes_total 0",
            f"nvidia_smi_utilization_gpu_ratio{label} 0.5",
            f"nvidia_smi_utilization_memory_ratio{label} 0.25",
            f"nvidia_smi_memory_used_bytes{label} 2.147483648e+09",
            f"nvidia_smi_clocks_current_sm_clock_hz{label} 1.98e+09",
            f"nvidia_smi_clocks_event_reasons_sw_power_cap{label} 1",
            f"nvidia_smi_clocks_event_reasons_hw_slowdown{label} 0",
            f"nvidia_smi_power_draw_watts{label} NaN",
        ]
    )
    record = record_of(tmp_path, text + "\n")
    assert record.accelerator_id == "l40s"
    assert means_of(record) == {
        "utilization_pct": 50.0, "memory_busy_pct": 25.0,
        "memory_used_gib": 2.0, "sm_clock_mhz": 1980.0, "throttled_pct": 100.0,
    }  # fmt: skip


def test_a_list_of_fields_is_no_data(tmp_path: Path) -> None:
    assert_refused(tmp_path, "# Clocks\nDCGM_FI_DEV_SM_CLOCK, gauge, SM clock frequency (in MHz)\n", "list of fields")


@pytest.mark.parametrize("prefix", ["", "amd_"])
def test_the_exporter_of_amd(tmp_path: Path, prefix: str) -> None:
    labels = '{{card_model="AMD Instinct MI300X",gpu_id="{}",hostname="n1",serial_number="x"}}'
    metrics = {"gpu_gfx_activity": 98, "gpu_package_power": 700, "gpu_used_vram": 98304, "gpu_total_vram": 196608}
    text = "".join(
        f"# HELP {prefix}{name} x\n# TYPE {prefix}{name} gauge\n"
        + "".join(f"{prefix}{name}{labels.format(gpu)} {value}\n" for gpu in range(8))
        for name, value in metrics.items()
    )
    record = record_of(tmp_path, text)
    assert (record.format, record.accelerator_id, record.n_accelerators) == ("prometheus-gpu", "mi300x", 8)
    assert means_of(record) == {
        "utilization_pct": 98.0, "power_w": 700.0, "memory_used_gib": 96.0, "memory_total_gib": 192.0,
    }  # fmt: skip


def test_other_metrics_of_gpus_are_not_taken_for_amds(tmp_path: Path) -> None:
    assert_refused(tmp_path, 'gpu_requests_total{app="a"} 7\n', "as its first line")


def test_an_answer_to_a_query_is_a_series_with_times(tmp_path: Path) -> None:
    def series(metric: str, gpu: int, values: list[float]) -> dict[str, object]:
        labels = {"__name__": metric, "gpu": str(gpu), "modelName": "NVIDIA H100 80GB HBM3", "Hostname": "n1"}
        return {"metric": labels, "values": [[1_700_000_000 + 15 * n, str(one)] for n, one in enumerate(values)]}

    result = [series("DCGM_FI_DEV_POWER_USAGE", gpu, [600.0, 620.0]) for gpu in range(2)]
    result += [series("DCGM_FI_DEV_GPU_UTIL", 0, [90.0, 80.0]), series("up", 0, [1.0, 1.0])]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    record = record_of(tmp_path, json.dumps(answer))
    assert (record.accelerator_id, record.n_accelerators, record.duration_s) == ("h100-sxm", 2, 15.0)
    assert record.series["power_w"].tolist() == [600.0, 620.0]
    assert record.quantities["utilization_pct"].n == 2 and means_of(record)["utilization_pct"] == 85.0
    assert means_of(record)["energy_kwh"] == pytest.approx(2 * 610 * 15 / 3.6e6)


def test_an_instant_of_a_query_and_an_expression(tmp_path: Path) -> None:
    labels = {"__name__": "DCGM_FI_DEV_GPU_UTIL", "gpu": "0"}
    result = [{"metric": labels, "value": [1_700_000_000.5, "90"]}, {"metric": {"gpu": "1"}, "value": [0, "5"]}, 7]
    record = record_of(tmp_path, json.dumps({"data": {"result": result}}))
    assert (record.n_accelerators, means_of(record)) == (1, {"utilization_pct": 90.0})
    assert_refused(tmp_path, json.dumps({"data": {"result": result[1:]}}), "as its first line")


@pytest.mark.parametrize("begin", ["", "["])
def test_a_long_answer_on_one_line_keeps_its_lists(begin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_LINE_CHARS", 500)
    values = [[1_700_000_000 + 15 * n, "90"] for n in range(200)]
    one = {"data": {"result": [{"metric": {"__name__": "DCGM_FI_DEV_GPU_UTIL", "gpu": "0"}, "values": values}]}}
    instants = [{"gpus": [{"index": 0, "utilization.gpu": 90, "memory.used": 1024}]} for _ in range(200)]
    record = record_of(tmp_path, json.dumps(instants if begin else one) + "\n")
    assert means_of(record)["utilization_pct"] == 90.0 and record.quantities["utilization_pct"].n == 200


def test_a_line_beyond_every_limit_is_no_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_LINE_CHARS", 500)
    monkeypatch.setattr(text, "MOST_JSON_BYTES", 1000)
    instants = [{"gpus": [{"index": 0, "utilization.gpu": 90, "memory.used": 1024}]} for _ in range(200)]
    assert_refused(tmp_path, json.dumps(instants) + "\n", "more than")
