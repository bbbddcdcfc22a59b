"""Files written whole: what dead programs left is swept, what living ones write is not, and every name fits."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import MachineError
from core.plan.plan import Plan
from core.plan.store import load, save
from core.workload.profile import Profile
from core.writing import processes, whole_file
from core.writing.processes import is_surely_dead, process_number, this_process
from core.writing.whole_file import OLD_S, beside, hand_over, read_whole, sweep, with_ending, write_whole

PLAN = Plan(id="p", name="Plan", profiles=(Profile(),))
OTHER = PLAN.model_copy(update={"name": "Other"})


def _gone() -> str:
    """A process of this machine that lived and is no more."""
    words = "from core.writing.processes import this_process; print(this_process())"
    return subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout.strip()


def _part(target: Path, owner: str) -> Path:
    path = beside(target, f".part-{owner}-0badc0de")
    path.write_bytes(b"half")
    return path


def test_only_what_a_dead_program_left_is_swept(tmp_path: Path) -> None:
    target = tmp_path / "plan.roofplan"
    machine, start, number, birth = this_process().split("-")
    dead = [_part(target, _gone()), _part(target, f"{machine}-{start}-{number}-1"), _part(target, f"{machine}-0-1-1")]
    alive = [
        _part(target, this_process()),
        _part(target, f"elsewhe0-{start}-{number}-{birth}"),
        _part(target, f"{machine}-{start}-1-0"),
    ]
    sweep(target)
    assert [path.exists() for path in dead] == [False, False, False]
    assert [path.exists() for path in alive] == [True, True, True]


def test_what_nobody_can_ask_after_is_swept_after_a_week(tmp_path: Path) -> None:
    stray = _part(tmp_path / "plan.roofplan", "elsewhe0-0-1-1")
    written_s = stray.stat().st_mtime
    sweep(tmp_path / "plan.roofplan", written_s - 100 * 86_400)
    sweep(tmp_path / "plan.roofplan", written_s + OLD_S - 1)
    assert stray.exists(), "a clock that was set back or is a week off removes nothing"
    sweep(tmp_path / "plan.roofplan", written_s + OLD_S + 1)
    assert not stray.exists()


@pytest.mark.parametrize("owner", ["", "-", "a-b-c-d", "0badc0de", "a-b-99999999999999999999-1", "a-b-²-1"])
def test_a_name_that_nobody_of_ours_wrote_is_no_proof_of_death(owner: str) -> None:
    assert process_number(owner) == 0
    assert not is_surely_dead(owner)


def test_where_the_system_tells_nothing_a_program_counts_as_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = _gone()
    assert is_surely_dead(gone)
    monkeypatch.setattr(processes.os, "name", "nt")
    assert not is_surely_dead(gone)


@pytest.mark.parametrize("n_bytes", [10, 160, 200, 236, 237, 245, 255])
def test_a_name_of_any_length_can_be_saved(tmp_path: Path, n_bytes: int) -> None:
    stem = "ü" * ((n_bytes - 9) // 2)
    file = tmp_path / f"{stem}{'x' * (n_bytes - 9 - 2 * len(stem))}.roofplan"
    assert len(os.fsencode(file.name)) == n_bytes
    save(PLAN, file)
    assert load(file) == PLAN
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_names_that_begin_alike_are_kept_apart(tmp_path: Path) -> None:
    one, two = (tmp_path / f"{'n' * 200}{last}.roofplan" for last in "ab")
    assert beside(one, ".part-") != beside(two, ".part-")


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=os.strerror(errno.ENAMETOOLONG)):
        save(PLAN, tmp_path / f"{'n' * 250}.roofplan")


def test_a_new_plan_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        save(PLAN, tmp_path / "plan.roofplan")
    finally:
        os.umask(before)
    assert (tmp_path / "plan.roofplan").stat().st_mode & 0o777 == 0o600


def _device(_: Path) -> Path:
    return Path(os.devnull)


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.roofplan")
    return folder / "pipe.roofplan"


def _loop(folder: Path) -> Path:
    (folder / "loop.roofplan").symlink_to(folder / "loop.roofplan")
    return folder / "loop.roofplan"


@pytest.mark.skipif(os.name != "posix", reason="devices, pipes and links are those of POSIX")
@pytest.mark.parametrize(
    ("made", "words"),
    [(_device, "no file but a device"), (_pipe, "no file but a device or a pipe"), (_loop, "symbolic links")],
)
def test_what_is_no_file_is_neither_saved_to_nor_opened(
    tmp_path: Path, made: Callable[[Path], Path], words: str
) -> None:
    path = made(tmp_path)
    before = path.lstat().st_mode
    with pytest.raises(MachineError, match=words):
        save(PLAN, path)
    with pytest.raises(Exception, match=words):
        load(path)
    assert path.lstat().st_mode == before


def test_a_folder_that_vanished_is_told(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="its folder is gone"):
        save(PLAN, tmp_path / "gone" / "plan.roofplan")


class FailingLayer:
    """The system's calls on files, of which the one with a number fails as on a full disk."""

    CALLS = ("open", "fsync", "replace", "write", "flush", "chmod")

    def __init__(self, fails_at: int, number: int, error: int) -> None:
        self.fails_at, self.count, self.error, self.failed = fails_at, 0, error, ""
        self.number = number

    def around(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.count += 1
            if self.count == self.fails_at:
                self.failed = name
                raise OSError(self.error, os.strerror(self.error))
            return call(*args, **kwargs)

        return counted


class FailingFile:
    """A file opened for writing, whose calls count too."""

    def __init__(self, file: Any, layer: FailingLayer) -> None:
        self._file = file
        self.write = layer.around("write", file.write)
        self.flush = layer.around("flush", file.flush)

    def __enter__(self) -> "FailingFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def fileno(self) -> int:
        return int(self._file.fileno())


def _put_under(layer: FailingLayer, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.fdopen

    def fdopen(descriptor: int, mode: str) -> Any:
        file = opened(descriptor, mode)
        return FailingFile(file, layer) if "w" in mode else file

    monkeypatch.setattr(whole_file.os, "fdopen", fdopen)
    monkeypatch.setattr(whole_file.os, "open", layer.around("open", os.open))
    monkeypatch.setattr(whole_file.os, "fsync", layer.around("fsync", os.fsync))
    monkeypatch.setattr(Path, "replace", layer.around("replace", Path.replace))
    monkeypatch.setattr(Path, "chmod", layer.around("chmod", Path.chmod))


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.ESTALE, errno.EDQUOT])
def test_a_disk_that_fails_at_any_call_leaves_the_old_plan_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    file = tmp_path / "plan.roofplan"
    failed = []
    for number in range(1, 40):
        save(PLAN, file)
        layer = FailingLayer(number, number, error)
        with monkeypatch.context() as patch:
            _put_under(layer, patch)
            try:
                save(OTHER, file)
            except MachineError as refused:
                assert os.strerror(error) in str(refused)
                failed.append(layer.failed)
        assert load(file) == (PLAN if len(failed) == number else OTHER)
        assert [path.name for path in tmp_path.iterdir()] == [file.name]
        if not layer.failed:
            break
    assert {"open", "write", "flush", "fsync", "replace", "chmod"} <= set(failed)
    assert not layer.failed, "the last round has nothing left that could fail"


def test_a_file_that_cannot_be_swept_up_is_no_second_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder vanished in mid-save: the first reason is told."""

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))

    monkeypatch.setattr(Path, "replace", refused)
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(MachineError, match=os.strerror(errno.ESTALE)):
        save(PLAN, tmp_path / "plan.roofplan")


def test_a_fingerprint_tells_a_file_that_was_touched(tmp_path: Path) -> None:
    file = tmp_path / "plan.roofplan"
    mark = write_whole(file, b"one")
    assert mark.is_of(file.stat())
    assert read_whole(file, 10) == (b"one", mark)
    file.write_bytes(b"two")
    os.utime(file, ns=(mark.changed_ns, mark.changed_ns))
    content, other = read_whole(file, 10)
    assert (content, other.digest == mark.digest) == (b"two", False)


def test_a_file_larger_than_asked_for_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 11)
    with pytest.raises(ValueError, match="larger than 0 MiB"):
        read_whole(tmp_path / "large", 10)


@pytest.mark.skipif(os.name != "posix", reason="pipes and masks")
def test_what_is_handed_over_is_whole_and_has_the_usual_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        hand_over(tmp_path / "new.pdf", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "new.pdf").stat().st_mode & 0o777 == 0o640
    kept = tmp_path / f"{'n' * 251}.pdf"
    kept.write_bytes(b"old")
    kept.chmod(0o604)
    (tmp_path / "link.pdf").symlink_to(kept)
    hand_over(tmp_path / "link.pdf", b"newer")
    assert (tmp_path / "link.pdf").is_symlink() and kept.read_bytes() == b"newer"
    assert kept.stat().st_mode & 0o777 == 0o604
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="devices")
def test_a_device_or_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    hand_over(tmp_path / "pipe", b"into it")
    assert os.read(reader, 99) == b"into it" and (tmp_path / "pipe").is_fifo()
    os.close(reader)
    (tmp_path / "link").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        hand_over(tmp_path / "link", b"into it")
    with pytest.raises(IsADirectoryError):
        hand_over(tmp_path, b"into it")


def test_what_is_handed_over_never_takes_a_plans_place(tmp_path: Path) -> None:
    """Whatever the plan is called, and through links, as a name may be typed in any dialog."""
    plan, link = tmp_path / "ours.pdf", tmp_path / "paper.pdf"
    save(PLAN, plan)
    link.symlink_to(plan)
    for path in (plan, link):
        with pytest.raises(MachineError, match="a plan lies there, which would be lost; choose another name"):
            hand_over(path, b"%PDF")
    assert load(plan) == PLAN
    plan.unlink()
    hand_over(plan, b"%PDF")
    hand_over(plan, b"%PDF again")
    assert plan.read_bytes() == b"%PDF again"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("b", "b.pdf"), ("b.PDF", "b.PDF"), ("b.png", "b.png"), ("b.roofplan", "b.roofplan.pdf"), ("v1.5", "v1.5.pdf")],
)
def test_a_typed_name_gets_the_ending_that_it_lacks(typed: str, meant: str) -> None:
    assert with_ending(Path("folder", typed), ".pdf", ".png") == Path("folder", meant)
