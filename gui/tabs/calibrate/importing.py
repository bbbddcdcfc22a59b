"""Logs on their way into the plan: chosen, dropped or recorded, read off the GUI thread; tables are asked about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from core.errors import InputError, RoofplanError
from core.logs.drop import Drop, read_drop
from core.logs.mapping.head import Table, read_head
from core.logs.mapping.model import TableMapping
from core.logs.mapping.propose import proposed
from core.plan.imports import kept_drop, with_logs, with_mapping
from core.plan.plan import ImportedLog, Plan
from core.units import counted
from gui.dialogs.map_table import MapTableDialog
from gui.dialogs.record_here import record_here
from gui.session.plan_session import PlanSession
from gui.session.road import FaultError, StoppedError, stoppable, whole
from gui.tabs.calibrate.start import CalibrateStart

LOG_FILES = "Logs (*.csv *.log *.txt *.out *.md *.json *.jsonl *.xml *.prom *.gz *.zip);;All files (*)"

Read = tuple[Drop, tuple[ImportedLog, ...]]


class LogImport(QObject):
    """What is read together becomes part of the plan as one undo step.

    ``begun``: files are being read. ``imported`` brings the id of the log with the most readings, ``refused`` why
    nothing was read.
    """

    begun = Signal()
    imported = Signal(str)
    refused = Signal(str)

    def __init__(self, session: PlanSession, start: CalibrateStart, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._start, self._widget = session, start, parent
        self._reading = 0
        self._asked: tuple[Path, ...] = ()
        self._mapping: TableMapping | None = None
        start.import_wanted.connect(self.ask)
        start.stop_wanted.connect(self._stop)
        start.recording_wanted.connect(self.record)

    def files(self, paths: Sequence[Path], mapping: TableMapping | None = None) -> None:
        """Reads logs, and all in folders and zips; a mapping of columns comes into the plan with what it let read."""
        name = paths[0].name if len(paths) == 1 else counted(len(paths), "file")
        self._start.say("")
        self._start.set_busy(name)
        read = partial(_read, tuple(paths), self._with_mapping(mapping).table_mappings)
        work = self._session.road.start(None, stoppable(read), f"Reading {name}")
        self._reading, self._asked, self._mapping = work.number, tuple(paths), mapping
        work.progressed.connect(self._start.show_share)
        self._session.hear(work, self._on_read, self._on_failed)
        self.begun.emit()

    def ask(self) -> None:
        """Asks for log files."""
        names, _ = QFileDialog.getOpenFileNames(self._widget, "Import logs", "", LOG_FILES)
        if names:
            self.files([Path(name) for name in names])

    def record(self) -> None:
        """Records on this machine; what is recorded is imported."""
        record_here(self._widget.window()).recorded.connect(lambda path: self.files((path,)))

    def _stop(self) -> None:
        self._session.road.give_up(self._reading)

    def _on_read(self, read: Read) -> None:
        drop, logs = read
        self._start.set_busy("")
        plan = self._with_mapping(self._mapping)
        grown = with_logs(plan, logs)
        names = [one.log_file.file for one in drop.read]
        self._session.replace_plan(grown, f"Import {names[0] if len(names) == 1 else counted(len(names), 'file')}")
        self.imported.emit(_longest(grown.logs[len(plan.logs) :]))
        for error in drop.refused:
            self._session.report("logs", str(error), "warning")

    def _on_failed(self, error: RoofplanError) -> None:
        self._start.set_busy("")
        if isinstance(error, StoppedError):
            self._start.say("Reading was stopped.")
            return
        if isinstance(error, FaultError):
            self._start.say(f"Nothing was read: {error}.")
            return
        if isinstance(error, InputError) and len(self._asked) == 1:
            work = self._session.road.start(("table", id(self)), whole(partial(_table, self._asked[0])))
            work.done.connect(partial(self._ask_columns, self._asked[0]))
        reason = str(error)
        self._start.say(reason)
        self.refused.emit(reason)
        self._session.report("logs", reason, "warning")

    def _ask_columns(self, path: Path, table: Table | None) -> None:
        """A file that no reader knows is a table that measures something: asks what its columns mean."""
        if table is not None:
            dialog = MapTableDialog(table, proposed(table), self._widget)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.mapped.connect(partial(self._on_mapped, path))
            dialog.show()

    def _on_mapped(self, path: Path, mapping: TableMapping) -> None:
        self.files((path,), mapping)

    def _with_mapping(self, mapping: TableMapping | None) -> Plan:
        plan = self._session.plan
        return with_mapping(plan, mapping) if mapping else plan


def _read(paths: Sequence[Path], mappings: Sequence[TableMapping]) -> Read:
    """What the files hold, thinned for the plan: off the GUI thread, which a long log would hold up."""
    drop = read_drop(paths, mappings)
    return drop, kept_drop(drop, datetime.now().astimezone())


def _table(path: Path) -> Table | None:
    """The head of a file that is a table with a column that may measure something; None for any other."""
    try:
        table = read_head(path)
    except RoofplanError:
        return None
    return table if proposed(table).quantities else None


def _longest(logs: Sequence[ImportedLog]) -> str:
    return max(logs, key=lambda log: len(log.series_s)).id if logs else ""
