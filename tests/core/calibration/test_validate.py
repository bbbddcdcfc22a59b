"""Validation: what is read from a table, what is left out and why, the errors and the plain rule beside them."""

import json
from pathlib import Path

import pytest

from core.calibration.measured.model import model_of
from core.calibration.measured.table import MeasuredRow, read_table
from core.calibration.scored_rows import ScoredRow
from core.calibration.validate import ErrorSummary, summarise, validate_table
from core.catalogue.loading import load_catalogue
from core.cli.program import main
from core.errors import InputError
from core.workload.models.transformer import TransformerModel

TRAINING_HEADER = (
    "id,hardware,n_chips,model_family,model,params_b,n_layers,d_model,n_heads,n_kv_heads,d_ff,vocab,experts,seq_len,"
    "global_batch,micro_batch,precision,tp,pp,recompute,framework,tokens_per_s_per_chip,step_time_s,derived_fields,"
    "source_group,quality"
)
LLAMA = "llama,llama3-8b,8.03,32,4096,32,8,14336,128256,"
TRAINING_ROWS = [
    f"a,h100-sxm,8,{LLAMA},8192,64,1,bf16,1,1,,FSDP,9000,,step_time_s,one,A",
    f"b,h100-sxm,16,{LLAMA},8192,128,1,bf16,1,1,,FSDP,8800,7.4,,two,A",
    f"c,h100-sxm,8,{LLAMA},8192,64,,bf16,,,,NeMo,9500,,,three,A",
    f"d,h100-sxm,8,{LLAMA},8192,64,,bf16,,,,NeMo,9500,,,three,C",
    f"e,unknown-chip,8,{LLAMA},8192,64,,bf16,,,,NeMo,9500,,,three,A",
    "f,h100-sxm,8,bert,bert-large,0.34,24,1024,16,16,4096,30522,,512,64,,bf16,,,,x,9500,,,three,A",
    "g,h100-sxm,8,resnet50,resnet50,0.03,,,,,,,,,64,,bf16,,,,x,9500,,,three,A",
]
INFERENCE_HEADER = (
    "id,hardware,n_chips,model,params_b,active_params_b,n_layers,d_model,n_heads,n_kv_heads,d_ff,vocab,experts,"
    "weight_precision,kv_precision,tp,pp,ep,batch_or_concurrency,input_len,output_len,scenario,engine,"
    "output_tokens_per_s_total,total_tokens_per_s,samples_per_s,ttft_ms,tpot_ms,publisher"
)
SERVED = "h100-sxm,1,llama-3.1-8b,8.03,8.03,32,4096,32,8,14336,128256,,fp8,,1,1,1,16,1024,1024"
INFERENCE_ROWS = [
    f"a,{SERVED},server,vllm,1900,,,60,8.1,one",
    f"b,{SERVED},server-disaggregated,vllm,,,,60,8.1,one",
    "c,h100-sxm,1,llama-3.1-8b,8.03,8.03,32,4096,32,8,14336,128256,,fp8,,,,,,1024,1024,offline,trtllm,9000,,,,,two",
]


def _write(folder: Path, header: str, rows: list[str]) -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_training_table_is_predicted_and_the_rest_told_why(tmp_path: Path) -> None:
    report = validate_table(_write(tmp_path, TRAINING_HEADER, TRAINING_ROWS), load_catalogue())
    assert report.work == "training"
    reasons = {row.id: row.skipped for row in report.rows}
    assert reasons["a"] is reasons["b"] is reasons["c"] is None
    assert reasons["d"] == "quality C"
    assert "catalogue" in str(reasons["e"])
    assert reasons["f"] is None
    assert reasons["g"] == "no rate of this network"
    assert report.summary.n == 5
    assert report.n_skipped == 3
    for row in report.rows:
        if row.predicted is not None and row.low is not None and row.high is not None:
            assert row.low < row.predicted < row.high
            assert row.error_pct == pytest.approx(100 * (row.predicted / row.measured - 1))


def test_step_time_and_speed_of_one_row_agree(tmp_path: Path) -> None:
    report = validate_table(_write(tmp_path, TRAINING_HEADER, TRAINING_ROWS[1:2]), load_catalogue())
    found = {row.metric: row.predicted for row in report.rows}
    speed, step = found["tokens_per_s_per_chip"], found["step_time_s"]
    assert speed is not None and step is not None
    assert speed * step * 16 == pytest.approx(128 * 8192)


def test_a_derived_column_is_not_scored_twice(tmp_path: Path) -> None:
    row = TRAINING_ROWS[0].replace(",9000,,", ",9000,7.3,")
    report = validate_table(_write(tmp_path, TRAINING_HEADER, [row]), load_catalogue())
    assert [entry.metric for entry in report.rows] == ["tokens_per_s_per_chip"]


def test_an_inference_table_gives_every_measured_column(tmp_path: Path) -> None:
    report = validate_table(_write(tmp_path, INFERENCE_HEADER, INFERENCE_ROWS), load_catalogue())
    assert report.work == "inference"
    known = {(row.id, row.metric) for row in report.rows if row.skipped is None}
    assert known == {
        ("a", "output_tokens_per_s_total"), ("a", "ttft_ms"), ("a", "tpot_ms"), ("b", "ttft_ms"), ("b", "tpot_ms"),
        ("c", "output_tokens_per_s_total"),
    }  # fmt: skip
    together, apart = (
        next(row.predicted for row in report.rows if row.id == name and row.metric == "tpot_ms") for name in ("a", "b")
    )
    assert together is not None and apart is not None
    assert apart < together


def test_the_plain_rule_never_sees_the_source_that_it_judges(tmp_path: Path) -> None:
    rows = [TRAINING_ROWS[0].replace("a,h100", f"{n},h100").replace("one,A", f"s{n},A") for n in range(4)]
    slow = rows[:3] + [rows[3].replace("9000", "90")]
    even = validate_table(_write(tmp_path, TRAINING_HEADER, rows), load_catalogue()).baseline
    odd = validate_table(_write(tmp_path, TRAINING_HEADER, slow), load_catalogue()).baseline
    assert even.n == 4
    assert even.p90_abs_pct == pytest.approx(0.0, abs=1e-6)
    assert odd.p90_abs_pct is not None and odd.p90_abs_pct > 1000


@pytest.mark.parametrize(
    ("bad", "names"),
    [
        (TRAINING_ROWS[0].replace("h100-sxm,8,", "h100-sxm,eight,"), ("row 2", "n_chips", "eight")),
        (TRAINING_ROWS[0].replace("9000", "fast"), ("row 2", "tokens_per_s_per_chip", "fast")),
        ("a,b", ("row 2", "2 cells")),
    ],
)
def test_a_bad_cell_is_named_by_file_row_and_field(tmp_path: Path, bad: str, names: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        validate_table(_write(tmp_path, TRAINING_HEADER, [bad]), load_catalogue())
    assert all(name in str(caught.value) for name in ("table.csv", *names))


def test_a_table_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="header"):
        read_table(_write(tmp_path, "name,price", ["x,1"]))
    with pytest.raises(InputError, match="no such file"):
        read_table(tmp_path / "none.csv")


def _row(**cells: str) -> MeasuredRow:
    return MeasuredRow("t.csv", 2, cells)


def test_unstated_choices_follow_from_the_published_size() -> None:
    shape = {"n_layers": "32", "d_model": "4096", "n_heads": "32", "n_kv_heads": "8", "d_ff": "14336", "vocab": "32000"}
    mixtral = model_of(_row(model="mixtral-8x7b", experts="8", params_b="46.7", active_params_b="12.9", **shape))
    assert isinstance(mixtral, TransformerModel)
    assert (mixtral.n_experts_per_token, mixtral.gated_mlp, mixtral.d_head) == (2, True, 128)
    plain = model_of(_row(model="gpt", params_b="5.5", **shape))
    assert isinstance(plain, TransformerModel)
    assert not plain.gated_mlp


def test_latent_attention_and_dense_first_layers_come_with_the_family() -> None:
    row = _row(
        model="deepseek-v3", n_layers="61", d_model="7168", n_heads="128", n_kv_heads="128", d_ff="2048",
        vocab="129280", experts="256", experts_per_tok="8", params_b="671", active_params_b="37",
    )  # fmt: skip
    model = model_of(row)
    assert isinstance(model, TransformerModel)
    assert model.kv_values_per_token == 576
    assert model.n_params / 1e9 == pytest.approx(671, rel=0.002)


@pytest.mark.parametrize(
    ("name", "size_b", "expected_b"), [("gpt-18b", "18", 18.0), ("megatron-22b", "", 22.0), ("Mistral-7B", "", 7.24)]
)
def test_a_model_of_unknown_shape_is_the_known_one_or_usual_for_its_size(
    name: str, size_b: str, expected_b: float
) -> None:
    model = model_of(_row(model=name, params_b=size_b))
    assert isinstance(model, TransformerModel)
    assert model.n_params / 1e9 == pytest.approx(expected_b, rel=0.05)


@pytest.mark.parametrize("cells", [{"model": "mystery"}, {"model": "ling-1t", "params_b": "1000"}])
def test_a_model_that_cannot_be_told_is_not_guessed(cells: dict[str, str]) -> None:
    assert model_of(_row(**cells)) == "shape and size of the model unknown"


def test_an_empty_set_has_no_figures() -> None:
    assert summarise([]).median_abs_pct is None


def test_errors_and_ranges_of_a_set_are_counted_and_a_row_without_a_whole_range_is_not() -> None:
    """Measured 10 against ranges that hold it, that begin or end at it, that miss it, and half of one."""
    spans = [(8.0, 12.0), (10.0, 11.0), (9.0, 10.0), (10.1, 12.0), (8.0, None), (None, 12.0), (None, None)]
    errors = [-30.0, 20.0, -10.0, 5.0, 0.0, 25.0, 10.0]
    rows = [
        ScoredRow(f"{number}", "h100-sxm", "s", "tpot_ms", 10.0, 10.0, low, high, error, None)
        for number, ((low, high), error) in enumerate(zip(spans, errors, strict=True))
    ]
    told = summarise(rows)
    assert (told.n, told.median_abs_pct, told.interval_coverage_pct) == (7, 10.0, 75.0)
    assert told.within_20_pct == pytest.approx(100 * 5 / 7)
    assert told.p90_abs_pct == pytest.approx(27.0)
    assert summarise(rows[4:]).interval_coverage_pct is None


def test_the_command_prints_text_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _write(tmp_path, TRAINING_HEADER, TRAINING_ROWS)
    assert main(["validate", str(path)]) == 0
    text = capsys.readouterr().out
    assert "5 values predicted" in text and "plain rule" in text and "quality C" in text
    assert main(["validate", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["rows"][0]) == {
        "id", "hardware", "metric", "measured", "predicted", "low", "high", "error_pct", "skipped",
    }  # fmt: skip
    assert {
        "n",
        "skipped",
        "median_abs_pct",
        "p90_abs_pct",
        "within_20_pct",
        "interval_coverage_pct",
        "by_hardware",
    } <= set(found["summary"])
    assert main(["validate", str(tmp_path / "none.csv")]) == 1


def test_one_impossible_row_does_not_hold_up_its_table(tmp_path: Path) -> None:
    huge = "llama,huge,8.03,32,220160,1720,1720,14336,128256,"
    rows = [f"a,h100-sxm,8,{huge},8192,64,1,bf16,1,1,,FSDP,9000,,,one,A", TRAINING_ROWS[1]]
    report = validate_table(_write(tmp_path, TRAINING_HEADER, rows), load_catalogue())
    assert [row.skipped for row in report.rows if row.id == "b"] == [None] * 2
    assert "1720" not in str(report.rows[0].skipped) and report.rows[0].skipped


def test_a_chip_without_a_known_peak_is_told_so(tmp_path: Path) -> None:
    rows = [INFERENCE_ROWS[0].replace("h100-sxm", "tpu8t")]
    report = validate_table(_write(tmp_path, INFERENCE_HEADER, rows), load_catalogue())
    assert all("peak" in str(row.skipped) for row in report.rows)


@pytest.mark.parametrize(("cell", "expected"), [("0", None), ("", None), ("2.4", 2), ("0.5", 1), ("8.0", 8)])
def test_counts_are_rounded_and_nought_means_none(cell: str, expected: int | None) -> None:
    assert _row(pp=cell).count("pp") == expected


def test_no_rows_have_no_errors() -> None:
    assert summarise([]) == ErrorSummary(0, None, None, None, None)
