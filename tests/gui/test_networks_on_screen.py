"""A network on screen: chosen in the form, counted in samples everywhere."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from functools import cache

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.comparison.time_measure import time_measure
from core.plan.plan import Plan
from core.report.blocks import Figure
from core.report.document import build
from core.workload.library import load_profiles
from core.workload.models.known import networks
from core.workload.models.network import NetworkModel
from core.workload.models.sized import Size, shipped_sized
from core.workload.models.transformer import TransformerModel
from gui.charts.kinds.throughput import throughput
from gui.forms.model_editor import OWN, OWN_NETWORK, ModelEditor
from gui.frame.verdict_text import verdict
from gui.frame.why.time_and_cost import time_chain
from gui.session.plan_session import PlanSession
from gui.tables.candidates.columns import columns_of
from gui.tabs.describe.panel import DescribePanel
from gui.tabs.performance.panel import latency_text, speed_text
from tests.gui.sample_results import sample_results
from tests.gui.sample_session import sample_session, themes

NETWORKS = ("resnet50-training", "sdxl-serving")


@cache
def results_of(name: str) -> ResultSet:
    """The real answer for a shipped profile."""
    return evaluate(load_profiles()[name], load_catalogue())


def titles(panel: DescribePanel) -> dict[str, str]:
    """Titles of the fields that the form asks for, by path."""
    return {path: link.row.info.title for path, link in panel.form.links.items()}


def strings_of(value: object) -> list[str]:
    """Every text in blocks of a report, figures aside, whose data are results."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for item in value for text in strings_of(item)]
    if is_dataclass(value) and not isinstance(value, Figure | type):
        return [text for field in fields(value) for text in strings_of(getattr(value, field.name))]
    return []


@pytest.fixture
def session(qtbot: QtBot) -> PlanSession:
    return sample_session(qtbot, sample_results())


@pytest.fixture
def describe(qtbot: QtBot, session: PlanSession) -> DescribePanel:
    made = DescribePanel(session, themes())
    qtbot.addWidget(made)
    made.resize(1092, 654)
    with qtbot.waitExposed(made):
        made.show()
    return made


def choose(panel: DescribePanel, name: str) -> None:
    """Picks an entry of the list of models, as a click on it does."""
    combo = panel.form.findChild(QComboBox, "field-model")
    assert isinstance(combo, QComboBox)
    index = combo.findData(name)
    combo.setCurrentIndex(index)
    combo.activated.emit(index)


def test_choosing_a_network_asks_for_samples(describe: DescribePanel) -> None:
    choose(describe, "ResNet-50")
    described = titles(describe)
    assert described["job.n_tokens"] == "Samples"
    assert described["model.conv_gflops"] == "Convolutions"
    assert not {"job.sequence_length", "job.recompute", "model.n_layers"} & described.keys()
    assert not [title for title in described.values() if "oken" in title]


def test_choosing_a_language_model_again_brings_its_fields_back(describe: DescribePanel) -> None:
    choose(describe, "ResNet-50")
    choose(describe, "Llama 3.1 8B")
    assert describe.form.link("job.sequence_length") is not None
    assert describe.form.link("model.conv_gflops") is None
    assert titles(describe)["job.n_tokens"] == "Tokens"


def test_own_models_of_both_kinds(qtbot: QtBot) -> None:
    editor = ModelEditor()
    qtbot.addWidget(editor)
    editor.show_value(networks()["ViT-B/16"].model)
    assert editor.combo.currentText() == "ViT-B/16"
    for entry, kind in ((OWN, TransformerModel), (OWN_NETWORK, NetworkModel)):
        with qtbot.waitSignal(editor.edited) as told:
            editor.combo.activated.emit(editor.combo.findData(entry))
        assert isinstance(told.args[0], kind)
    own = NetworkModel(name="Ours", conv_gflops=3.0)
    editor.show_value(own)
    assert editor.combo.currentText() == "Ours"


@pytest.mark.parametrize("name", NETWORKS)
def test_no_label_of_a_network_speaks_of_tokens(name: str) -> None:
    results = results_of(name)
    best = results.results[0]
    figure = throughput(results)
    assert figure.x is not None
    texts = [
        figure.x.title,
        figure.summary,
        speed_text(best),
        latency_text(best),
        time_measure(results.profile).title,
        str(verdict(results, results.profile.limits.start_date)),
        *(column.title for column in columns_of(results)),
        *(f"{line.words} {line.formula}" for line in time_chain(results.profile, best).lines),
    ]
    assert best.cost.unit == "1M samples"
    assert not [text for text in texts if re.search(r"token|\btok\b", text, re.IGNORECASE)]
    assert any("amples/s" in text for text in texts)


@pytest.mark.parametrize("name", NETWORKS)
def test_no_page_of_the_report_of_a_network_speaks_of_tokens(name: str) -> None:
    results = results_of(name)
    plan = Plan(id="test", profiles=(results.profile,))
    pages = build(plan, {results.profile.id: results}, load_catalogue(), results.profile.limits.start_date)
    own = [section for section in pages.sections if section.id not in ("sources", "advice")]
    assert own
    texts = [text for section in own for text in strings_of(section.blocks)]
    assert not [text for text in texts if re.search(r"token", text, re.IGNORECASE)]


def size_line(panel: DescribePanel) -> QLineEdit | None:
    return panel.form.findChild(QLineEdit, "field-model.size")


def retype(line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_a_size_is_typed_as_people_say_it_and_the_work_is_counted_anew(
    describe: DescribePanel, session: PlanSession
) -> None:
    choose(describe, "Wan 14B (832 x 480, 81 frames)")
    line = size_line(describe)
    assert line is not None and line.text() == "832 x 480, 81 frames, 50 steps"
    retype(line, "1280x720, 49 frames, 20 steps")
    assert session.profile is not None
    model = session.profile.model
    assert model == shipped_sized()["Wan 14B"].at(Size(1280, 720, 49, 20))
    assert line.text() == "1280 x 720, 49 frames, 20 steps"
    combo = describe.form.findChild(QComboBox, "field-model")
    assert combo is not None and combo.currentText() == "Wan 14B (1280 x 720, 49 frames)"


def test_text_that_is_no_size_changes_nothing_and_is_told(describe: DescribePanel, session: PlanSession) -> None:
    choose(describe, "FLUX.1 (1024 x 1024)")
    line = size_line(describe)
    assert line is not None
    assert session.profile is not None
    before = session.profile.model
    for text, told in (
        ("large", "a size such as"), ("10 x 10", "from 64 to"), ("1024 x 1024, 81 frames", "At most 1 frame"),
    ):  # fmt: skip
        retype(line, text)
        assert session.profile.model == before
        assert told in describe.form.links["model.size"].row.message


def test_only_what_is_counted_at_any_size_has_a_size(describe: DescribePanel) -> None:
    choose(describe, "SDXL (1024 x 1024)")
    assert "model.size" in describe.form.links
    choose(describe, "ResNet-50")
    assert "model.size" not in describe.form.links
