"""What differs between two plans is told in the words of the form."""

from core.plan.difference import NOTHING, difference_words, differences
from core.plan.edit import set_value
from core.plan.plan import Plan
from core.plan.workloads import add_workload, remove_workload
from core.workload.jobs.kinds import OnlineServing
from core.workload.portfolio import Member, Pin, Portfolio
from core.workload.profile import Profile

PLAN = Plan(id="p", profiles=(Profile(), Profile(id="chat", name="Chat", job=OnlineServing())))


def _told(old: Plan, new: Plan) -> list[tuple[str, str, str, str]]:
    return [(one.workload, one.title, one.before, one.after) for one in differences(old, new)]


def test_equal_plans_do_not_differ() -> None:
    assert differences(PLAN, PLAN) == []


def test_a_changed_field_is_told_by_title_and_unit() -> None:
    new = set_value(PLAN, "profiles.0.job.n_tokens", 2e12)
    new = set_value(new, "profiles.0.stack.maturity", "frozen")
    new = set_value(new, "profiles.1.places.providers", ("gcp", "aws"))
    new = set_value(new, "profiles.1.limits.deadline_days", None)
    assert _told(PLAN, new) == [
        ("New workload", "Tokens", "1\u202fT tokens", "2\u202fT tokens"),
        ("New workload", "Maturity", "Stable", "Frozen"),
        ("Chat", "Providers allowed", "none", "gcp, aws"),
        ("Chat", "Deadline", "60 days", "none"),
    ]


def test_workloads_that_came_or_went() -> None:
    assert _told(PLAN, remove_workload(PLAN, 0)) == [("New workload", "Workload", "New workload", NOTHING)]
    assert _told(PLAN, remove_workload(PLAN, 1)) == [("Chat", "Workload", "Chat", NOTHING)]
    more = add_workload(PLAN, Profile(id="new", name="Third"))
    assert _told(PLAN, more) == [("Third", "Workload", NOTHING, "Third")]


def test_another_kind_of_job_shows_fields_of_both() -> None:
    batch = set_value(PLAN, "profiles.1.job.kind", "batch_inference")
    told = {title: (before, after) for _, title, before, after in _told(PLAN, batch)}
    assert told["Job"] == ("Online serving", "Batch inference")
    assert told["Window"] == (NOTHING, "8 hours")
    assert told["Autoscale"] == ("no", NOTHING)


def test_name_and_counts() -> None:
    new = PLAN.model_copy(update={"name": "Mine", "scenarios": ()})
    assert _told(PLAN, new) == [("", "Plan", "Untitled plan", "Mine"), ("", "Scenarios", "1", "0")]


def test_how_much_differs_is_told_in_words() -> None:
    one = set_value(PLAN, "profiles.0.job.n_tokens", 2e12)
    two = set_value(one, "profiles.0.limits.deadline_days", 10)
    told = [difference_words(PLAN, new) for new in (PLAN, one, two, PLAN.model_copy(update={"had_price_book": True}))]
    assert told == ["no difference", "1 field differs", "2 fields differ", "differs in what no form shows"]


def test_settings_of_a_portfolio_are_told_by_title() -> None:
    shared = PLAN.model_copy(update={"portfolio": Portfolio()})
    assert _told(PLAN, shared) == [("", "Portfolio", NOTHING, "entered")]
    changed = Portfolio(
        base_chips=64, members=(Member(workload="chat", every_months=3),), pins=(Pin(workload="chat", chip=2),)
    )
    assert _told(shared, shared.model_copy(update={"portfolio": changed})) == [
        ("", "Portfolio, Committed base", "none", "64 chips"),
        ("", "chat, Runs again every", "none", "3 months"),
        ("", "Moved by hand", NOTHING, "chat 2"),
    ]


def test_the_comment_of_the_plan_is_compared() -> None:
    (line,) = differences(PLAN, PLAN.model_copy(update={"note": "Ours"}))
    assert (line.title, line.after) == ("Comment", "Ours")
