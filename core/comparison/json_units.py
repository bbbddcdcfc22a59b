"""Units of the figures in JSON whose names do not carry them: keys keep their names, so these are told beside."""

from __future__ import annotations

_SHARE, _COUNT = "share of 1", "count"

UNITS: dict[str, str] = {
    **dict.fromkeys(
        (
            "beats_runner_up", "better_in", "chance", "chance_best", "chance_best_then", "chance_in_each_limit",
            "chance_in_limits", "chance_in_time", "cheaper_in", "done_again", "goodput", "mfu", "utility",
        ),
        _SHARE,
    ),
    **dict.fromkeys(("chips", "draws", "rank", "replicas", "replicas_by_hour", "workloads"), _COUNT),
    **dict.fromkeys(
        (
            "at_busiest", "base_chips", "chips_at_most_3_pct_dearer", "chips_each_alone", "copies", "least_at_chips",
            "peak_chips", "rounds", "terms",
        ),
        _COUNT,
    ),
    "batch_starts_at_hour": "hour of the day",
    "chip": "number of a chip, from 1",
    **dict.fromkeys(("amount", "done"), "of actuals: in the unit of the planned work"),
    "changes": "values of fields by their paths, as a form has them",
    "criteria": "value, low and high: shares of 1; weight: points, of any sum",
    "factor": "measured over predicted",
    "flexibility": "points of 100",
    "layout": "counts; micro_batch and max_batch: samples or sequences",
    "measures": "limit and predicted: in that of the quantity: % of the predicted speed, work per s and chip, days, "
    "stops a day, min, % of the loss",
    "spread": "half of the 80 % range over the likely value",
    "throughput": "low and high: in its unit",
    "would_change_it": "value: as the input is told, money in USD",
}  # fmt: skip
"""What a figure below a key of this name is counted in, where no name on its way says so."""
