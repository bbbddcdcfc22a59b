"""A recording on this machine: a maker's own tool runs for a while, and what it prints goes into a file."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QIODevice, QObject, QProcess, QTimer, Signal

from core.logs.instead import instead_of_a_log
from core.logs.recorder import Tool

_STOP_MS = 2000
_TOLD_MS = 500
_MOST_WORDS = 300
_MOST_MESSAGE_BYTES = 2000
_NOTHING = "it printed nothing"


class Recording(QObject):
    """One run of a tool. ``told`` is sent now and then while it runs, with the seconds that have passed.

    ``ended`` brings the file once there is something in it, whether the time is over, it was stopped, or the tool ended
    by itself: then ``too_early`` says so. ``failed`` says why there is nothing. One of the two comes, once.
    """

    told = Signal(float)
    ended = Signal(object)
    failed = Signal(str)

    def __init__(self, tool: Tool, path: Path, every_s: int, lasts_s: float, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tool, self._path, self._every_s, self._lasts_s = tool, path, every_s, lasts_s
        self._is_over = False
        self._n_stamp_bytes = 0
        self.too_early = ""
        self._clock = QElapsedTimer()
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self._run)
        self._teller = QTimer(self, interval=_TOLD_MS)
        self._teller.timeout.connect(self._on_time)
        self._process = QProcess(self)
        self._process.setStandardOutputFile(str(path), QIODevice.OpenModeFlag.Append)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        if (app := QCoreApplication.instance()) is not None:
            app.aboutToQuit.connect(self._end_at_once)

    def start(self) -> None:
        """Begins. What goes wrong is told by ``failed``."""
        self._clock.start()
        self._teller.start()
        self._run()

    def stop(self) -> None:
        """Ends it early; what was recorded counts."""
        if self._is_over:
            return
        self._is_over = True
        self._again.stop()
        self._teller.stop()
        if self._process.state() == QProcess.ProcessState.NotRunning:
            self._close()
            return
        self._process.terminate()
        QTimer.singleShot(_STOP_MS, self._process, self._process.kill)

    def _end_at_once(self) -> None:
        """The program ends: the tool must not outlive it."""
        self._process.kill()
        self._process.waitForFinished(_STOP_MS)

    def _run(self) -> None:
        program = shutil.which(self._tool.program)
        if program is None:
            self._fail(f"{self._tool.program} is not on this machine's search path any more.")
            return
        try:
            self._write_stamp()
        except OSError as error:
            self._fail(f"The recording cannot be written: {error}.")
            return
        self._process.start(program, self._tool.command(self._every_s))

    def _write_stamp(self) -> None:
        """A tool that reads once tells no time, and takes some itself."""
        if self._tool.repeats:
            return
        stamp = f"{datetime.now().isoformat(timespec='milliseconds')}\n".encode()
        with self._path.open("ab") as file:
            file.write(stamp)
        self._n_stamp_bytes += len(stamp)

    def _on_time(self) -> None:
        seconds = self._clock.elapsed() / 1000
        self.told.emit(min(seconds, self._lasts_s))
        if seconds >= self._lasts_s:
            self.stop()

    def _on_finished(self, status: int) -> None:
        if self._is_over:
            self._close()
        elif status != 0 or self._tool.repeats:  # one that goes on by itself does not end by itself
            self._is_over = True
            self._close(f"{self._tool.program} ended with status {status}")
        else:
            self._again.start(self._every_s * 1000)

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._fail(f"{self._tool.program} could not be started: {self._process.errorString()}.")

    def _close(self, why: str = _NOTHING) -> None:
        self._teller.stop()
        said = bytes(self._process.readAllStandardError().data()).decode(errors="replace").strip() or self._message()
        words = f"{why}: {said[:_MOST_WORDS]}" if said else why
        words = words if words.endswith((".", "!")) else f"{words}."
        is_readings = self._path.exists() and self._path.stat().st_size > self._n_stamp_bytes and not self._message()
        if is_readings:
            self.too_early = words if why != _NOTHING else ""
            self.ended.emit(self._path)
            return
        self._fail(words)

    def _message(self) -> str:
        """What a tool that cannot read the chips prints in place of readings, as nvidia-smi does without a driver."""
        if not self._path.exists() or self._path.stat().st_size > _MOST_MESSAGE_BYTES:
            return ""
        text = self._path.read_text(errors="replace").strip()
        return text if instead_of_a_log(text.splitlines()) else ""

    def _fail(self, why: str) -> None:
        self._is_over = True
        self._teller.stop()
        self._path.unlink(missing_ok=True)
        self.failed.emit(why[:1].upper() + why[1:])
