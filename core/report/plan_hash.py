"""A short fingerprint of a plan, so that paper and file can be held against each other."""

from __future__ import annotations

import hashlib

from core.plan.plan import Plan


def plan_hash(plan: Plan) -> str:
    """First seven hexadecimal digits of the SHA-256 of the plan's content, alike before and after a save.

    How tables are read is no part of it: it changes no answer.
    """
    return hashlib.sha256(plan.model_dump_json(exclude={"had_price_book", "table_mappings"}).encode()).hexdigest()[:7]
