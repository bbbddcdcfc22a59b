"""A short fingerprint of a plan, so that paper and file can be held against each other."""

from __future__ import annotations

import hashlib

from core.plan.plan import Plan

_LATER = ("lessons", "phases", "phases_deadline", "actuals", "portfolio")


def plan_hash(plan: Plan) -> str:
    """First seven hexadecimal digits of the SHA-256 of the plan's content, alike before and after a save.

    How tables are read and the size of the paper are no part of it: they change no answer. Neither are phases and
    lessons where there are none: paper that was printed before plans had any still matches its file.
    """
    apart = {"had_price_book", "table_mappings", "report_paper"} | {one for one in _LATER if not getattr(plan, one)}
    return hashlib.sha256(plan.model_dump_json(exclude=apart).encode()).hexdigest()[:7]
