"""The sample plan on paper in every preset and on both papers, each laid out once for all tests."""

from __future__ import annotations

from datetime import date
from functools import cache
from io import BytesIO

from pypdf import PdfReader

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.comparison.result import ResultSet
from core.plan.sample_plan import sample_plan
from core.report.blocks import Document, PaperSize
from core.report.document import PRESETS, build
from gui.pdf.typeset import pdf_bytes

TODAY = date(2026, 11, 21)


@cache
def results() -> dict[str, ResultSet]:
    return {profile.id: evaluate(profile, load_catalogue()) for profile in sample_plan().profiles}


@cache
def document(preset: str = "full", paper: PaperSize = "a4") -> Document:
    plan = sample_plan().model_copy(update={"report_paper": paper})
    return build(plan, results(), load_catalogue(), TODAY, PRESETS[preset])


@cache
def data(preset: str = "full", paper: PaperSize = "a4") -> bytes:
    return pdf_bytes(document(preset, paper))


@cache
def reader(preset: str = "full", paper: PaperSize = "a4") -> PdfReader:
    return PdfReader(BytesIO(data(preset, paper)))
