"""``make soak N=10000``: a window used for long, by chance but seeded; fails where memory, handles or widgets grow.
``ONLY=type`` does one kind of operation alone: edits of one field.

A real event loop turns; an operation ends when its results are painted, as a person goes on while charts are still
worked out, and one in twenty when the road off the GUI thread is empty. Memory is compared with that after the first
operations, when every tab has been shown with the largest plans and what is kept is as much as may be kept.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from core.catalogue.loading import load_catalogue
from core.comparison.evaluate import evaluate
from core.plan.imports import without_log
from core.plan.sample_plan import sample_plan
from core.plan.workloads import add_workload
from core.workload.library import load_profiles
from core.workload.profile import Profile
from gui.app import make_window
from gui.offscreen import WINDOW_PX, wait_for_results
from gui.session.collector import Collector, calm_collector, share_memory
from gui.session.result_cache import MOST_SETS
from gui.session.whole_plan import IDLE_MS
from gui.start.application import application
from gui.tabs.registry import TABS
from gui.tabs.report.panel import ReportPanel
from gui.window.main_window import MainWindow
from tests.bench.native_memory import MIB, native_mib
from tests.gui.person import answer

WARM_UP = 200
EVERY = 500
MOST_GROWTH = 0.05
"""Of memory, and of widgets and objects: Why and forms keep those that they may need again, up to the most at once."""

MOST_FURTHER = 4
"""Of handles, threads and windows: a pool's second thread, a list that drops down for the first time."""

PATIENCE_S = 900.0
"""For one operation, also on a machine that others use."""

BUSY_MS = 5
LASTING = ("log", "csv", "pdf", "plan_file")
"""Operations that a person waits for."""

REST_EVERY = 20
EDITS_A_TAB = 20
"""Of the tour: kept answers, draws, texts and halos are as many as may be kept."""

MOST_WORKLOADS = 5
"""Of a plan that operations make."""

LOGS = sorted((Path(__file__).parents[1] / "data" / "logs").iterdir())
TYPED = "limits.deadline_days"
FIELDS: dict[str, tuple[float, float]] = {
    "limits.budget_usd": (1e6, 9e7),
    "limits.deadline_days": (30, 400),
    "team.engineers": (1, 9),
    "job.n_tokens": (1e10, 3e12),
    "job.dataset_gb": (10, 9000),
    "job.peak_requests_per_s": (1, 60),
    "outlook.lifetime_months": (6, 48),
}
WEIGHTS = {
    "edit": 620, "undo": 60, "redo": 50, "tab": 100, "select": 40, "theme": 15, "why": 20, "workload": 25, "add": 12,
    "remove": 12, "dialog": 20, "log": 5, "csv": 5, "pdf": 1, "plan_file": 5, "size": 10,
}  # fmt: skip
DIALOGS = ("help", "shortcuts", "about", "price-book", "have", "add-offer", "add-chip", "palette", "money", "problems")


@dataclass(frozen=True, slots=True)
class Figures:
    """What may grow. Memory in MiB: resident, and handed out by the C library."""

    rss: float
    native: float
    handles: int
    threads: int
    windows: int
    widgets: int
    objects: int


class Soak:
    """One window and what is done to it."""

    def __init__(self, window: MainWindow, collector: Collector, chance: random.Random, folder: Path) -> None:
        self._window, self._collector, self._chance, self._folder = window, collector, chance, folder
        self._session = window.session

    def act(self, name: str, rests: bool = True) -> None:
        """One operation, until its results are on screen, or all that follows from it."""
        getattr(self, f"do_{name}")()
        (self.settle if rests or name in LASTING else self.see)()
        self.close_dialogs()

    def close_dialogs(self) -> None:
        """As Esc does."""
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog) and dialog.isVisible():
                dialog.reject()
        self.see()

    def see(self) -> None:
        """Lets the window live until the results are painted."""
        self._live_until(lambda: not self._session.is_busy)

    def settle(self) -> None:
        """Lets the window live until nothing is under way and all is painted."""
        self._live_until(lambda: self._session.road.is_idle)

    def _live_until(self, is_done: Callable[[], bool]) -> None:
        until_s = time.monotonic() + PATIENCE_S
        turn(0)
        while not is_done():
            turn(BUSY_MS)
            if time.monotonic() > until_s:
                raise TimeoutError("the road did not come to rest")
        turn(0)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def go_home(self) -> None:
        """The sample plan on its first tab, and its own pages on the last, with as many answers of it kept as may be,
        each of which takes 2 to 8 MB by its workload: figures are compared in this state."""
        self._window.resize(*WINDOW_PX)
        self._window.themes.choose("light")
        self._window.files.open_copy(sample_plan())
        self._window.tabs.show_tab(TABS[0].id)
        for number in range(MOST_SETS):
            self._session.edit(self._session.path(TYPED), FIELDS[TYPED][0] + number)
            self.see()
        self._window.files.open_copy(sample_plan())
        for tab in ("report", TABS[0].id):
            self._window.tabs.show_tab(tab)
            self.lie_still()
        self._collector.collect()
        self.settle()

    def lie_still(self) -> None:
        """Nothing is touched until the whole plan is answered, too."""
        self.settle()
        turn(2 * IDLE_MS)
        self.settle()

    def tour(self) -> None:
        """Every kind of operation, tab and dialog once: what is made once and kept is there from now on."""
        self.fill()
        for tab in TABS:
            self._window.tabs.show_tab(tab.id)
            for number in range(EDITS_A_TAB):
                self._session.show_profile(number % MOST_WORKLOADS)
                self.act("edit", rests=False)
            self.settle()
        for name in WEIGHTS:
            self.act(name)
        for name in DIALOGS:
            self.open(name)
            self.close_dialogs()

    def fill(self) -> None:
        """Every workload, and last the largest plan that operations can make, on every tab and on paper: memory follows
        the size of a plan, and what Python took for the largest it does not give back."""
        by_size = sorted(load_profiles().values(), key=n_options)
        groups = [by_size[first : first + MOST_WORKLOADS] for first in range(0, len(by_size), MOST_WORKLOADS)]
        for profiles in (*groups, by_size[-1:] * MOST_WORKLOADS):
            plan = sample_plan().model_copy(update={"profiles": ()})
            for profile in profiles:
                plan = add_workload(plan, profile)
            self._session.replace_plan(plan, "Fill plan")
            for tab in TABS:
                self._window.tabs.show_tab(tab.id)
                for number in range(len(plan.profiles)):
                    self._session.show_profile(number)
                    self.settle()
            self.lie_still()
            self.act("pdf")
            self.write_table("xlsx")
            self.settle()

    def do_edit(self) -> None:
        profile = self._session.profile
        assert profile is not None
        known = [path for path in FIELDS if hasattr(getattr(profile, path.split(".")[0]), path.split(".")[1])]
        self.change(self._chance.choice(known))

    def do_type(self) -> None:
        self.change(TYPED)

    def change(self, path: str) -> None:
        """Another value in a field, half of the time as a step of its own."""
        low, high = FIELDS[path]
        if self._chance.random() < 0.5:
            self._session.end_step()
        value = self._chance.uniform(low, high)
        trouble = self._session.edit(self._session.path(path), value if high > 10 else round(value))
        assert trouble is None, (path, value, trouble)

    def do_undo(self) -> None:
        self._session.undo_stack.undo()

    def do_redo(self) -> None:
        self._session.undo_stack.redo()

    def do_tab(self) -> None:
        self._window.tabs.show_tab(self._chance.choice(TABS).id)

    def do_select(self) -> None:
        results = self._session.results
        assert results is not None
        name = self._chance.choice(results.columns.ids)
        self._session.select(name)
        if self._chance.random() < 0.3:
            self._session.pin(name)

    def do_theme(self) -> None:
        self._window.toggle_theme()

    def do_why(self) -> None:
        self._window.why.toggle()

    def do_workload(self) -> None:
        self._session.show_profile(self._chance.randrange(len(self._session.plan.profiles)))

    def do_add(self) -> None:
        if len(self._session.plan.profiles) < MOST_WORKLOADS:
            profile = self._chance.choice(list(load_profiles().values()))
            self._session.replace_plan(add_workload(self._session.plan, profile), "Add workload")
            self._session.show_profile(len(self._session.plan.profiles) - 1)

    def do_remove(self) -> None:
        plan = self._session.plan
        if len(plan.profiles) > 1:
            gone = self._chance.choice(plan.profiles)
            left = tuple(profile for profile in plan.profiles if profile is not gone)
            self._session.replace_plan(plan.model_copy(update={"profiles": left}), f"Delete {gone.name}")

    def do_dialog(self) -> None:
        self.open(self._chance.choice(DIALOGS))

    def open(self, name: str) -> None:
        """Opens a dialog or page by its command."""
        if name == "palette":
            answer(lambda dialog: dialog.close())
        self._window.commands[name].handler()

    def do_log(self) -> None:
        plan = self._session.plan
        if len(plan.logs) > 2:
            self._session.replace_plan(without_log(plan, plan.logs[0].id), "Discard log")
        else:
            self._window.incoming.take(self._chance.choice(LOGS))

    def do_csv(self) -> None:
        self.write_table(self._chance.choice(("csv", "xlsx")))

    def write_table(self, kind: str) -> None:
        """By the buttons of the Report tab."""
        self._window.tabs.show_tab("report")
        report = self._window.tabs.panel("report")
        assert isinstance(report, ReportPanel)
        with patch.object(QFileDialog, "getSaveFileName", return_value=(str(self._folder / f"table.{kind}"), "")):
            getattr(report, f"ask_{kind}")()

    def do_pdf(self) -> None:
        self._window.exporter.export(self._folder / "plan.pdf")

    def do_plan_file(self) -> None:
        path = self._folder / "plan.roofplan"
        self._window.files.save_as(path)
        self._window.files.open(path)

    def do_size(self) -> None:
        self._window.resize(self._chance.randint(1000, 1700), self._chance.randint(700, 1000))


def n_options(profile: Profile) -> int:
    """How many options an answer compares."""
    return len(evaluate(profile, load_catalogue()).results)


def turn(pause_ms: int) -> None:
    """The event loop turns once."""
    loop = QEventLoop()
    QTimer.singleShot(pause_ms, loop.quit)
    loop.exec()


def measured(window: MainWindow) -> Figures:
    """The figures now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return Figures(
        pages * os.sysconf("SC_PAGE_SIZE") / MIB,
        native_mib(),
        len(list(Path("/proc/self/fd").iterdir())),
        len(list(Path("/proc/self/task").iterdir())),
        len(QApplication.topLevelWidgets()),
        len(QApplication.allWidgets()),
        len(window.findChildren(QObject)),
    )


def told(n: int, figures: Figures, since_s: float) -> None:
    """One line of figures."""
    words = (f"{field.name} {value:.0f}" for field, value in zip(fields(figures), astuple(figures), strict=True))
    print(f"{n:6d} {' '.join(words)} python {len(gc.get_objects())} s {time.monotonic() - since_s:.0f}", flush=True)


def faults(first: Figures, last: Figures) -> list[str]:
    """What grew between two moments, in words."""
    grown = []
    for name in ("rss", "handles", "threads", "windows", "widgets", "objects"):
        before, after = getattr(first, name), getattr(last, name)
        most = (1 + MOST_GROWTH) * before if name in ("rss", "widgets", "objects") else before + MOST_FURTHER
        if after > most:
            grown.append(f"{name} grew from {before:.0f} to {after:.0f}")
    return grown


def soak(one: Soak, window: MainWindow, chance: random.Random, n: int, weights: dict[str, int]) -> list[str]:
    """Does ``n`` operations and prints figures; returns what grew after the first :data:`WARM_UP`."""
    since_s, done = time.monotonic(), Counter[str]()
    if len(weights) > 1:
        one.tour()
    one.go_home()
    told(0, measured(window), since_s)
    warm: Figures | None = None
    for number in range(1, n + 1):
        name = chance.choices(list(weights), list(weights.values()))[0]
        one.act(name, rests=number % REST_EVERY == 0)
        done[name] += 1
        if number in (WARM_UP, n) or number % EVERY == 0:
            one.go_home()
            figures = measured(window)
            told(number, figures, since_s)
            warm = warm or (figures if number >= WARM_UP else None)
    print(", ".join(f"{count} {name}" for name, count in done.most_common()))
    return faults(warm, figures) if warm else []


def main(words: list[str]) -> int:
    """Soaks a window and says what grew; 1 when anything did."""
    n, seed = int(words[0]) if words else 10_000, int(words[1]) if len(words) > 1 else 1
    weights = {words[2]: 1} if len(words) > 2 else WEIGHTS
    with tempfile.TemporaryDirectory(prefix="roofplan-soak-") as folder:
        os.environ["ROOFPLAN_HOME"] = folder
        share_memory()
        application()
        window = make_window(sample_plan())
        collector = Collector(window.session.road)
        window.resize(*WINDOW_PX)
        window.show()
        wait_for_results(window.session)
        calm_collector()
        chance = random.Random(seed)
        grown = soak(Soak(window, collector, chance, Path(folder)), window, chance, n, weights)
        window.session.undo_stack.setClean()  # else closing asks whether to save
        window.close()
    print("\n".join(grown) or "nothing grew")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
