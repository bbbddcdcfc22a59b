"""Where tracked work stands after four weeks behind and ahead of its plan: no figure and no word drifts unseen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from core.comparison.actuals.actuals_json import actuals_json
from core.comparison.actuals.answer import actuals_answer
from core.comparison.actuals.baseline import drift, frozen
from core.comparison.actuals.standing import planned_end, planned_share, planned_usd, standing
from core.comparison.actuals.words import as_of_words, figures, headline, notes, option_figures, options_line
from core.comparison.result import ResultSet
from core.workload.actuals import Baseline, Tracked
from tests.golden import assert_kept

SHARES = {"behind": (0.6, 0.8, 0.7, 0.75), "ahead": (1.1, 1.3, 1.2), "uneven": (0.2, 1.9), "nothing": (0.0,)}


@pytest.mark.parametrize("name", SHARES)
def test_the_standing_is_kept(
    tracked: Callable[..., Tracked], results: ResultSet, baseline: Baseline, name: str
) -> None:
    bases = {"by_hand": baseline, "frozen": frozen(results, date(2026, 12, 1))}
    told = {}
    for kind, base in bases.items():
        followed = tracked(*SHARES[name], spend=1.2, base=base)
        one, answer = standing(followed), actuals_answer(followed, results)
        words = [headline(one), as_of_words(one), options_line(one, answer.options), drift(base, results)]
        days = [date(2027, 1, 1), date(2027, 2, 17), date(2028, 1, 1)]
        told[kind] = {
            "words": [str(line) for line in (*words, *notes(one, drift(base, results)))],
            "figures": [str(line) for line in figures(one)],
            "options": [[[str(a), str(b)] for a, b in option_figures(option)] for option in answer.options],
            "planned": [[planned_share(base, day), planned_usd(base, day)] for day in days] + [planned_end(base)],
            "json": actuals_json([answer]),
        }
    assert_kept(f"actuals_{name}", told)
