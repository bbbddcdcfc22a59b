"""JSON values between the lines of a log."""

from core.logs.json_blocks import JsonBlocks


def _gathered(*lines: str) -> JsonBlocks:
    blocks = JsonBlocks()
    for number, line in enumerate(lines, 1):
        blocks.take(number, line)
    blocks.finish()
    return blocks


def test_values_of_one_and_of_many_lines_are_found_with_their_line() -> None:
    blocks = _gathered("WARNING: x", '{"a": 1}', "text", "{", ' "b": "}{",', ' "c": [1, 2]', "}", "end")
    assert [(one.line, one.value) for one in blocks.documents] == [(2, {"a": 1}), (4, {"b": "}{", "c": [1, 2]})]
    assert blocks.n_lost == 0


def test_what_is_no_json_is_lost_and_counted() -> None:
    blocks = _gathered("[rank0] hello", "{'train_runtime': 3}", '{"a": 1}', "{", '"cut": ')
    assert [one.value for one in blocks.documents] == [{"a": 1}]
    assert blocks.n_lost == 4


def test_numbers_that_are_none_cost_no_value() -> None:
    value = _gathered('{"rate": Infinity, "loss": NaN, "n": 3}').documents[0].value
    assert value["n"] == 3 and value["rate"] != value["rate"] and value["loss"] != value["loss"]
