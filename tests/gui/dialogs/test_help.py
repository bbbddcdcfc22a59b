"""The help pages on how the pick is made and on calibration say the figures that the program uses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.calibration.own_logs.evidence import LEAST_REQUESTS, LEAST_S, LEAST_STEPS
from core.calibration.speed_factors import OTHER_MODELS_SHARE, TRANSFER_SHARE
from core.catalogue.loading import load_catalogue
from core.comparison.chance.causes import Causes
from core.comparison.chance.contest import EVEN, N_VARIANTS, SAME_GOODNESS
from core.comparison.chance.errors import N_DRAWS, N_SCREENED
from core.comparison.chance.goodness import MISSED, MOST_BETTER
from core.comparison.obtain.price_proof import STILL_TOLD_DAYS
from core.comparison.rank.utility import N_WEIGHTINGS
from core.comparison.recommendation.confidence import MUCH, OFTEN, SELDOM, SURE, UNSURE
from gui.dialogs.help import TextDialog, about_text, help_pages
from tests.gui.sample_session import themes

TITLE = "How the pick is made"
CALIBRATION = "Logs and calibration"
WHAT_IF = "What-if, phases, portfolio and weights"


@pytest.fixture(scope="module")
def page() -> str:
    return " ".join(help_pages()[TITLE].split())


def test_it_stands_after_the_page_that_it_explains() -> None:
    titles = list(help_pages())
    assert titles.index(TITLE) == titles.index("Reading the answer") + 1


def test_the_shares_of_the_causes_are_those_of_the_program(page: str) -> None:
    catalogue = load_catalogue()
    causes = Causes.of(catalogue.accelerators[0], catalogue.offers[0])
    rows = {"Speed": causes.speed, "Price": causes.price, "Waiting": causes.waiting, "Porting": causes.porting,
            "Other costs": causes.rest, "First token": causes.first_token}  # fmt: skip
    for title, shares in rows.items():
        row = page.split(f"| {title} |")[1].split("|")[0]
        told = [Fraction(word.strip(",")) for word in row.split() if "/" in word]
        assert sorted(told) == sorted(Fraction(share).limit_denominator(10) for _, share in shares), title


def test_the_figures_are_those_of_the_program(page: str) -> None:
    assert f"drawn {N_DRAWS:,} times" in page and f"over {N_SCREENED:,} draws first" in page
    assert f"- {MISSED} if the deadline" in page
    assert MOST_BETTER == 1 / 5 and "more than five times as good" in page
    low, high = (f"{100 * share:.0f}" for share in EVEN)
    assert f"in {low} to {high} of 100 draws" in page and f"less than {SAME_GOODNESS}" in page
    assert f"over {N_SCREENED:,} draws and at the ends" in " ".join(help_pages()[WHAT_IF].split())
    assert N_VARIANTS == 3 and "of the first three" in page
    sure, unsure, often, seldom, much = (f"{100 * share:.0f}" for share in (SURE, UNSURE, OFTEN, SELDOM, MUCH))
    assert f"fewer than {unsure} of 100 draws, or is the best in fewer than {seldom} while" in page
    assert f"costs more than {much} % of the bill" in page
    assert f"the best in {often} or more, is no close call, keeps the limits in {sure} or more" in page
    assert f"both of the last {STILL_TOLD_DAYS} days" in page
    assert f"in how many of {N_WEIGHTINGS:,} random weightings" in page


def test_the_figures_of_calibration_are_those_of_the_program() -> None:
    page = " ".join(help_pages()[CALIBRATION].split())
    assert OTHER_MODELS_SHARE == {"training": 1 / 10, "inference": 1 / 10}
    assert "Other models on the chip take a tenth of the factor, in training as in serving" in page
    assert TRANSFER_SHARE == 1 / 2 and "on chips of the same architecture they follow halfway" in page
    least = f"less than {LEAST_S:.0f} s of steady use (or {LEAST_STEPS} steps, or {LEAST_REQUESTS} requests)"
    assert least in page


def test_paragraphs_stand_apart_whatever_the_typeface(qtbot: QtBot) -> None:
    themes()  # typefaces sized in pixels, for which Qt itself leaves no room
    parent = QWidget()
    qtbot.addWidget(parent)
    document = TextDialog(
        "help", "Help", {"One": "# Head\n\nFirst.\n\nSecond.\n\n- item\n- item\n\nThird."}, parent
    ).text.document()
    gaps = [document.findBlockByNumber(number).blockFormat().bottomMargin() for number in range(document.blockCount())]
    assert gaps == [9, 9, 9, 3, 9, 9]


def test_titles_of_pages_are_read_whole(qtbot: QtBot) -> None:
    themes()
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = TextDialog("help", "Help", {**help_pages(), "AWS Trainium and Inferentia": ""}, parent)
    with qtbot.waitExposed(dialog):
        dialog.show()
    assert dialog.titles.horizontalScrollBar().maximum() == 0
    dialog.close()


def test_about_counts_what_sellers_offer() -> None:
    catalogue = load_catalogue()
    n_owned = sum(offer.purchase_model == "owned" for offer in catalogue.offers)
    assert n_owned and f"{len(catalogue.offers) - n_owned} offers" in about_text(catalogue)
