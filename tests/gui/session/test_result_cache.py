"""How many answers are kept."""

from dataclasses import replace

from core.comparison.result import ResultSet
from core.lazy_sequence import LazySequence
from gui.session.result_cache import KnownResults
from tests.gui.sample_results import sample_results


def of_size(n: int) -> ResultSet:
    results = sample_results()
    return replace(results, results=(results.results * (n // len(results.results) + 1))[:n])


def test_the_answer_used_longest_ago_goes_first() -> None:
    known = KnownResults(most_sets=2)
    one, two, three = (of_size(1) for _ in range(3))
    known.put("one", one)
    known.put("two", two)
    assert known.get("one") is one
    known.put("three", three)
    assert (known.get("one"), known.get("two"), known.get("three")) == (one, None, three)


def test_large_answers_are_fewer() -> None:
    known = KnownResults(most_kb=1300)
    for number in range(5):
        known.put(number, of_size(40))
    assert len(known) == 2 and known.kb == 1040
    assert known.get(4) is not None and known.get(2) is None


def test_answers_of_which_every_candidate_was_looked_at_are_fewer() -> None:
    known, whole = KnownResults(most_kb=1400), of_size(100).results
    for number in range(4):
        known.put(number, replace(of_size(1), results=LazySequence(100, whole.__getitem__)))
    assert len(known) == 3 and known.kb == 1200
    kept = known.get(2)
    assert kept is not None and len(tuple(kept.results)) == 100 and known.kb == 2100
    assert known.get(2) is kept and known.kb == 1300, "the others went when it was asked for again"
    known.put(4, of_size(1))
    assert len(known) == 2 and known.get(2) is kept, "the one looked at was used last"


def test_the_latest_stays_however_large_it_is() -> None:
    known = KnownResults(most_kb=130)
    known.put("small", of_size(5))
    known.put("large", of_size(50))
    assert known.get("large") is not None and len(known) == 1


def test_the_same_question_is_kept_once() -> None:
    known = KnownResults()
    first, second = of_size(1), of_size(2)
    known.put("key", first)
    assert known.put("key", second) is second and len(known) == 1
