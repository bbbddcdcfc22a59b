"""The Workload map as a person uses it: opened, read, dots dragged by hand and by keyboard."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QTabBar
from pytestqt.qtbot import QtBot

from core.comparison.over_time.words import Story
from core.comparison.together.part import PlanPart, part_of
from core.comparison.together.workload_map import (
    FACTORY,
    STABILITY,
    WORKSHOP,
    Gap,
    Placed,
    Winner,
    height_of,
    leans_at,
    placed,
)
from core.ranges import Range
from core.workload.models.network import NetworkModel
from core.workload.models.transformer import TransformerModel
from core.workload.profile import Profile, Stack
from gui.charts.view.chart_view import ChartView
from gui.tabs.compare import workload_map as page
from gui.tabs.compare.map_along import AtMaturity, along
from gui.tabs.compare.map_figures import gap_rows, signed, workload_map, worst_words
from gui.tabs.compare.map_story import CHANGED, ENTERED, HELD
from gui.tabs.compare.panel import ComparePanel
from gui.tabs.compare.workload_map import counted_words
from tests.gui.sample_results import empty_results, sample_results
from tests.gui.sample_session import sample_session, themes

BIG = TransformerModel(n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28672)
GRAPH = Profile(id="graph", name="Graph", model=NetworkModel(family="graph"))


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[ComparePanel]:
    session = sample_session(qtbot, sample_results())
    session.edit("profiles.0.model", BIG.model_dump())
    made = ComparePanel(session, themes())
    qtbot.addWidget(made)
    made.resize(1000, 700)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    session.close()


def opened(qtbot: QtBot, panel: ComparePanel) -> ComparePanel:
    tabs = panel.findChild(QTabBar, "compare-pages")
    assert tabs is not None
    qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    qtbot.waitUntil(lambda: bool(panel.workloads.map.figure.marks))
    return panel


def stack(panel: ComparePanel) -> Stack:
    assert panel.session.profile is not None
    return panel.session.profile.stack


def mark_at(panel: ComparePanel) -> QPoint:
    picture = panel.workloads.map.picture()
    assert picture is not None
    [mark] = panel.workloads.map.figure.marks
    return QPoint(round(picture.view.px(mark.x)), round(picture.view.py(mark.y)))


def test_nothing_is_placed_while_the_page_is_hidden(
    qtbot: QtBot, panel: ComparePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def counting(profile: Profile, part: PlanPart | None, why_not: str = "") -> Placed:
        asked.append(profile.id)
        return placed(profile, part, why_not)

    monkeypatch.setattr(page, "placed", counting)
    panel.session.edit("profiles.0.stack.changes_per_month", 1.0)
    panel.session.whole_plan.changed.emit()
    assert asked == []
    opened(qtbot, panel)
    assert asked


def test_costs_are_told_once_they_are_known(qtbot: QtBot, panel: ComparePanel) -> None:
    opened(qtbot, panel)
    qtbot.waitUntil(lambda: bool(panel.workloads.gaps.figure.bars))
    told = panel.findChild(QLabel, "workloads-counted")
    assert told is not None and told.text().startswith("1 workload,")


def test_a_dot_dragged_down_changes_the_fields_in_one_step(qtbot: QtBot, panel: ComparePanel) -> None:
    opened(qtbot, panel)
    plot, start, n_steps = panel.workloads.map._plot.viewport(), mark_at(panel), panel.session.undo_stack.count()
    before = stack(panel)
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=start)
    for way in (20, 60, 190):
        qtbot.mouseMove(plot, start + QPoint(40, way))
        assert stack(panel) == before
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 190))
    assert stack(panel).changes_per_month is not None and stack(panel).maturity != before.maturity
    assert stack(panel).matrix_pct is None, "the layers tell the share"
    assert panel.session.undo_stack.count() == n_steps + 1
    assert abs(mark_at(panel).y() - (start.y() + 190)) <= 6
    panel.session.undo_stack.undo()
    assert stack(panel) == before and mark_at(panel) == start


def test_why_tells_the_fields_while_a_dot_is_held_and_what_they_were_afterwards(
    qtbot: QtBot, panel: ComparePanel
) -> None:
    opened(qtbot, panel)
    told: list[Story | None] = []
    panel.story_told.connect(lambda story, _: told.append(story))
    plot, start = panel.workloads.map._plot.viewport(), mark_at(panel)
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(plot, start + QPoint(0, 190))
    held = told[-1]
    assert held is not None and (held.chapters[0].title, held.chapters[0].note) == (CHANGED, HELD)
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=start + QPoint(0, 190))
    entered = told[-1]
    assert entered is not None and entered.chapters[0].note == ENTERED
    lines = [str(line.words) for line in entered.chapters[0].lines]
    now = panel.session.profile
    assert now is not None and f"Maturity: Stable \u2192 {now.stack.maturity.capitalize()}" in lines
    assert lines[0].startswith("Stability: 60 \u2192 ") and any(one.startswith("Code changes: ") for one in lines)
    panel.session.undo_stack.undo()
    assert told[-1] is None
    panel.hide()
    assert told[-1] is None


def test_what_follows_the_upright_axis_is_told_with_its_flips(qtbot: QtBot, panel: ComparePanel) -> None:
    opened(qtbot, panel)
    view = panel.workloads.along
    qtbot.waitUntil(lambda: len(view.figure.rows) == 4)
    [mark] = panel.workloads.map.figure.marks
    workshop, factory = (height_of(line, mark.x) for line in (WORKSHOP, FACTORY))
    stretches = leans_at(mark.x)
    assert [one.lean for one in stretches] == ["gpu", "depends", "tpu"][-len(stretches) :]
    assert stretches[-1].low == pytest.approx(factory) and (
        workshop < 0 or stretches[0].high == pytest.approx(workshop)
    )
    words = {row.name: row.right[0][0] for row in view.figure.rows if row.right}
    assert words["Guides"].endswith(f"TPU from {round(factory)}") and words["Pick"].endswith("never flips")
    assert view.figure.limits[0].at == mark.y
    assert view.summary().endswith("the pick stays")


def test_in_half_of_a_screen_costs_stand_below_the_map_and_bars_have_room(qtbot: QtBot, panel: ComparePanel) -> None:
    opened(qtbot, panel)
    shown = panel.workloads
    assert shown.gaps.y() < shown.map.geometry().bottom()
    panel.resize(771, 700)
    qtbot.waitUntil(lambda: shown.gaps.y() > shown.map.geometry().bottom())
    picture = shown.along.picture()
    assert picture is not None and picture.view.width > 300
    panel.resize(771, 420)
    scroll = panel.findChild(QScrollArea, "workload-map-scroll")
    assert scroll is not None
    qtbot.waitUntil(lambda: scroll.verticalScrollBar().maximum() > 0)
    assert shown.map.height() >= 300 and shown.width() <= scroll.viewport().width()


def test_costs_that_part_by_maturity_are_told_with_where_they_do() -> None:
    one = placed(Profile(name="Big", model=BIG), None)
    told = {name: AtMaturity("gpu" if name == "exploring" else "tpu", None, name) for name in STABILITY}
    figure = along(one, told, 20.0)
    words = {row.name: row.right[0][0] for row in figure.rows if row.right}
    assert (words["Costs less"], words["Pick"]) == ("GPU, TPU from 33", "exploring, stable from 33, frozen from 85")
    assert [limit.id for limit in figure.limits] == ["now", "was"]
    assert "what costs less changes with it; the pick changes" in figure.summary
    assert along(one, {}, None).subtitle == "at work"


@pytest.mark.parametrize(
    ("pct", "words"),
    [
        ((60.0, 60.0, -18.0), "+60\u202f%, \u221218\u202f% from 85"),
        ((60.0, 60.0, 60.0), "+60\u202f%"),
        ((None, 5.0, 5.0), "only GPUs fit, +5\u202f% from 33"),
    ],
)
def test_what_a_tpu_costs_against_a_gpu_is_told_along_the_axis(pct: tuple[float | None, ...], words: str) -> None:
    gaps = [None if one is None else Gap(Range(one - 10.0, one, one + 10.0), "B200", "TPU7x") for one in pct]
    winners: list[Winner] = ["tpu" if one is not None and one < 0 else "gpu" for one in pct]
    told = {name: AtMaturity(win, gap, "x") for name, win, gap in zip(STABILITY, winners, gaps, strict=True)}
    first = along(placed(Profile(name="Big", model=BIG), None), told, None).rows[0]
    assert (first.name, first.right[0][0]) == ("TPU to GPU", words)
    assert along(placed(Profile(name="Big", model=BIG), None), {}, None).rows[0].right[0][0] == ""


def test_a_click_on_a_dot_moves_nothing(qtbot: QtBot, panel: ComparePanel) -> None:
    opened(qtbot, panel)
    before = stack(panel)
    qtbot.mouseClick(panel.workloads.map._plot.viewport(), Qt.MouseButton.LeftButton, pos=mark_at(panel))
    assert stack(panel) == before and panel.workloads.map.lit.selected == sample_results().profile.id


def test_shift_and_arrows_move_a_dot_where_it_may_go(qtbot: QtBot, panel: ComparePanel) -> None:
    opened(qtbot, panel)
    chart = panel.workloads.map
    [mark] = chart.figure.marks
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert stack(panel).changes_per_month is None
    qtbot.keyClick(chart, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert chart.figure.marks[0].y == pytest.approx(mark.y + 5, abs=1)


def test_a_typed_share_can_be_dragged_across() -> None:
    typed = GRAPH.model_copy(update={"stack": Stack(matrix_pct=50)})
    assert [mark.drag for mark in workload_map([placed(typed, None)]).marks] == ["both"]


def test_an_unknown_share_is_a_line_over_the_full_width_and_no_mark() -> None:
    figure = workload_map([placed(GRAPH, None)])
    line = next(curve for curve in figure.curves if curve.id == "graph")
    assert not figure.marks and (line.xs[0], line.xs[-1]) == (figure.x.low, figure.x.high)


def test_an_empty_plan_shows_the_regions_alone() -> None:
    figure = workload_map([])
    assert not figure.marks and figure.curves and figure.notes
    assert counted_words([]) == "0 workloads, 0 agree, 0 disagree"
    assert gap_rows([]).rows == ()


def test_marks_and_rows_take_shape_and_colour_of_what_costs_less() -> None:
    one = placed(Profile(model=BIG), part_of(sample_results()))
    [mark], [row] = workload_map([one]).marks, gap_rows([one]).rows
    assert one.gap is not None and (mark.shape, mark.colour, mark.hollow) == (row.shape, row.colour, row.hollow)
    assert (mark.shape == "square") == (one.winner == "tpu") and mark.hollow == (one.winner == "close")
    assert row.right[0][0] == signed(one.gap.pct.likely)


def test_ranges_are_told_in_figures_where_bars_have_room_beside_them(qtbot: QtBot, panel: ComparePanel) -> None:
    """At 1280 px they left 20 px for the bars."""
    for width, n_columns in ((1092, 2), (1740, 3), (1092, 2), (820, 3)):
        panel.resize(width, 700)
        opened(qtbot, panel)
        gaps = panel.workloads.gaps

        def has_room(gaps: ChartView = gaps, n: int = n_columns) -> bool:
            told = {len(row.right) for row in gaps.figure.rows} == {n}
            return told and gaps.width() - gaps.figure.left_px - gaps.figure.right_px > 90

        qtbot.waitUntil(has_room)


def test_numbers_carry_their_sign() -> None:
    assert [signed(pct) for pct in (18.2, -22.0, 0.3)] == ["+18", "\u221222", "0"]


def test_where_nothing_fits_nothing_flips_and_nobody_agrees() -> None:
    one = placed(Profile(name="Big", model=BIG), None)
    told = {name: AtMaturity("none", None, "") for name in STABILITY}
    figure = along(one, told, None)
    words = {row.name: row.right[0][0] for row in figure.rows if row.right}
    assert (words["Costs less"], words["Pick"]) == ("none fits", "none fits")
    assert figure.summary == "nothing fits, whatever the maturity"
    assert worst_words([one]) == "" and "nowhere" in worst_words([placed(one.profile, part_of(sample_results()))])


@pytest.mark.parametrize(
    ("why_not", "word"),
    [
        ("No option that can be had meets every limit. Nearest: 10 × GH200: fits with a budget of $106 k", "none fits"),
        ("still needed: Tokens, Deadline", "still needed"),
        ("at work", "at work"),
    ],
)
def test_why_there_is_no_answer_is_a_word_beside_the_bars_and_a_sentence_in_the_tip(why_not: str, word: str) -> None:
    """A sentence took the room of all bars and was drawn over the names."""
    [row] = gap_rows([placed(Profile(name="Big", model=BIG), None, why_not)]).rows
    assert row.right[1][0] == word and why_not in row.tip


def test_a_workload_that_nobody_described_is_asked_for_and_told_nothing_of(qtbot: QtBot) -> None:
    session = sample_session(qtbot, replace(empty_results(), profile=Profile(id="new", name="New workload")))
    made = ComparePanel(session, themes())
    qtbot.addWidget(made)
    made.resize(1092, 700)
    made.show()
    tabs, shown = made.findChild(QTabBar, "compare-pages"), made.workloads
    assert tabs is not None
    qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    qtbot.waitUntil(lambda: "still needed: Tokens, Deadline" in shown.gaps.summary())
    assert not shown.along.isVisible() and not shown.worst.text()
    session.close()
