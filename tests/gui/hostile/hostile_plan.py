"""A plan, a price book and files in which every text of the user is hostile."""

from __future__ import annotations

import shutil
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from core.calibration.accepted import AcceptedCalibration, AcceptedLesson, Check
from core.catalogue.entries import Entry as CatalogueEntry
from core.catalogue.loading import load_catalogue
from core.catalogue.own.layers import Discount, OwnEntries, PriceBook
from core.logs.mapping.model import MappedColumn, TableMapping
from core.logs.read import read_log
from core.plan.imports import kept
from core.plan.plan import Choice, ImportedLog, Plan, Scenario
from core.plan.sample_plan import sample_plan
from core.workload.actuals import Baseline, Entry, Tracked
from core.workload.freedom import ScoreOverride
from core.workload.phases import Phase
from core.workload.portfolio import Member, Portfolio
from core.workload.profile import Profile
from tests.repository_files import ROOT

BAIT = "b.png"
"""A picture in the working folder: who reads the names as HTML or Markdown opens it."""
MARKUP = f'<img src="{BAIT}">'
CONTROLS = "\u202e\u2066\u200f\x07"
HEBREW = "\u05e9\u05dc\u05d5\u05dd"
LOG = ROOT / "tests" / "data" / "logs" / "h100-node07.csv"


def hostile(tag: str) -> str:
    """A text that tries everything, with what it was typed for at its end; short enough for every field."""
    return f"{MARKUP} R&D {CONTROLS}{HEBREW} \u6f22\U0001f680 {tag}"


def hostile_log(folder: Path) -> Path:
    """A real log under a hostile file name."""
    path = folder / f"{hostile('logfile')}.csv"
    shutil.copyfile(LOG, path)
    return path


def hostile_plan(folder: Path) -> Plan:
    """The sample plan with a hostile text in every field that takes any text."""
    sample = sample_plan()
    profiles = tuple(_workload(n, profile) for n, profile in enumerate(sample.profiles))
    log = kept(read_log(hostile_log(folder)), "log-1", datetime(2026, 1, 2, tzinfo=UTC))
    return sample.model_copy(
        update={
            "name": hostile("planname"),
            "note": hostile("plannote"),
            "is_sample": False,
            "profiles": profiles,
            "scenarios": (*sample.scenarios, Scenario(id="mine", name=hostile("scenario"))),
            "logs": (_named(log),),
            "phases": (Phase(id="phase-1", name=hostile("phase"), stage="scale", workload=profiles[0].id),),
            "actuals": (tracked(profiles[1].id),),
            "portfolio": Portfolio(
                members=(Member(workload=profiles[0].id, pool=hostile("pool")[:60]),), pooling="split"
            ),
            "lessons": (lesson(profiles[0].id),),
            "table_mappings": (TableMapping(columns=(MappedColumn(name=hostile("column")),)),),
            "choices": (Choice(profile_id=profiles[0].id, candidate_id="", reason=hostile("choice")),),
            "own": own_entries(),
            "calibrations": (calibration(profiles[0].id),),
        }
    )


def calibration(profile_id: str) -> AcceptedCalibration:
    """One that changes nothing, with hostile words of how it came about."""
    return AcceptedCalibration(
        log_id="log-1", profile_id=profile_id, accelerator_id="h100-sxm", n_chips=8, work="training",
        measured_tokens_per_s=1000.0, predicted_tokens_per_s=1000.0, factor=1.0, spread=0.2, window_s=(0.0, 60.0),
        how=hostile("calibration"), checks=(Check(name=hostile("check"), before_pct=2.0, after_pct=1.0),),
    )  # fmt: skip


def lesson(profile_id: str) -> AcceptedLesson:
    """One that changes nothing, with hostile words of how it came about."""
    return AcceptedLesson(
        log_id="log-1", profile_id=profile_id, term="power", accelerator_id="h100-sxm", n_chips=8, measured=1.0,
        predicted=1.0, factor=1.0, spread=0.2, predicted_spread=0.2, how=hostile("lesson"), is_on=False,
    )  # fmt: skip


def tracked(workload: str) -> Tracked:
    """A plan that was frozen with a hostile option, and a day of it from a hostile log."""
    begins = date(2026, 12, 1)
    baseline = Baseline(
        frozen_on=begins, candidate="gone", name=hostile("tracked"), place=hostile("trackedseller"), n_chips=8,
        usd_per_chip_hour=2.0, amount=1e9, work_begins=begins, work_days=30.0, rate_low=3e7, rate_high=4e7,
        cost_usd=1e4, cost_low_usd=9e3, cost_high_usd=1.2e4,
    )  # fmt: skip
    entry = Entry(day=date(2026, 12, 8), done=2e8, spend_usd=3e3, source="log", file_name=hostile("trackedlog"))
    return Tracked(workload=workload, baseline=baseline, entries=(entry,))


def _workload(number: int, profile: Profile) -> Profile:
    """Its name, comment and model, and a score by hand."""
    note = hostile(f"scorenote{number}")
    by_hand = ScoreOverride(accelerator_id="h100-sxm", criterion_id="F1", points=40, note=note)
    return profile.model_copy(
        update={
            "name": hostile(f"workload{number}"),
            "note": hostile(f"worknote{number}"),
            "model": profile.model.model_copy(update={"name": hostile(f"model{number}")}),
            "freedom": profile.freedom.model_copy(update={"overrides": (by_hand,)}),
        }
    )


def _named(log: ImportedLog) -> ImportedLog:
    """The log with hostile names of chips, facts and series, and of what was not read."""
    first = next(iter(log.series.values()))
    return log.model_copy(
        update={
            "skipped_reasons": {hostile("skipped"): 3},
            "accelerator": hostile("logchip"),
            "chips": (hostile("chipid"),),
            "facts": {hostile("fact"): hostile("factvalue")},
            "series": {**log.series, hostile("series"): first},
        }
    )


def own_entries() -> OwnEntries:
    """An own chip at an own seller in an own place, and a server of it."""
    catalogue = load_catalogue()
    chip = next(one for one in catalogue.accelerators if one.id == "h100-sxm")
    offer = next(one for one in catalogue.offers if one.accelerator_id == chip.id and one.purchase_model == "on_demand")
    host = next(one for one in catalogue.hosts if (one.provider, one.instance) == (offer.provider, offer.instance))
    server = next(one for one in catalogue.servers if one.accelerator_id == chip.id)
    seller, instance, place = hostile("seller"), hostile("instance"), hostile("place")
    mine = {"accelerator_id": "own-chip", "provider": seller, "instance": instance}
    return OwnEntries(
        accelerators=(_made(chip, id="own-chip", name=hostile("chip"), short_name="<b>R&D</b> short"),),
        hosts=(_made(host, **mine),),
        offers=(
            _made(
                offer, **mine, id="own-offer", region=place, usd_per_chip_hour=0.7, usd_per_host_hour=5.6,
                attested_chips=100_000, joined=True, quality="ok",
            ),
        ),
        servers=(_made(server, instance=hostile("server"), accelerator_id="own-chip"),),
        regions=(_made(catalogue.regions[0], provider=seller, region=place),),
    )  # fmt: skip


def _made(entry: CatalogueEntry, **fields: Any) -> Any:
    texts = {"source": hostile("source"), "note": hostile("note"), "as_of": "2026-11-01", "layer": "plan"}
    return entry.model_copy(update={**texts, **fields})


def hostile_book() -> PriceBook:
    """A discount of a shipped seller with hostile words."""
    texts = {"source": hostile("booksource"), "note": hostile("booknote"), "as_of": "2026-10-01"}
    return PriceBook(name=hostile("bookname"), discounts=(Discount(provider="coreweave", percent=1.0, **texts),))


def hostile_price_list(folder: Path) -> Path:
    """A price list with hostile words in its name and cells."""
    path = folder / f"{hostile('listfile')}.csv"
    path.write_text(
        "provider,instance,accelerator_id,chips_per_host,region,purchase_model,usd_per_chip_hour,usd_per_host_hour,"
        "quality,source,as_of,estimate,note\n"
        f'"{_quoted("listseller")}","{_quoted("listhost")}",h100-sxm,8,"{_quoted("listplace")}",on_demand,5,40,ok,'
        f'"{_quoted("listsource")}",2026-11-20,no,"{_quoted("listnote")}"\n',
        encoding="utf-8",
    )
    return path


def _quoted(tag: str) -> str:
    return hostile(tag).replace('"', '""')
