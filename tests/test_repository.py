"""Guards of the repository itself: its shape, its layers, its size, and what may never be written into it."""

from __future__ import annotations

import ast
import os
import re
import socket
import subprocess
import sys
import tomllib
from collections import Counter

import pytest

from core.version import VERSION
from tests.repository_files import (
    ROOT,
    foreign_private_names,
    function_lengths,
    imported,
    sources,
    text_of,
    tracked,
    tree_of,
)
from tests.text_rules import by_file, tells_tips_bare, unsafe_texts, wrong_calls

TOP_LEVEL = {
    ".ci", ".gitignore", "ACCURACY.md", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE", "Makefile", "README.md", "core",
    "gui", "packaging", "profiles", "pyproject.toml", "requirements.txt", "resources", "tests",
}  # fmt: skip
WINDOW_LIBRARIES = {"PySide6", "shiboken6", "pyqtgraph", "gui"}

# Written in pieces, so that this file is free of them too.
INDEX_HOSTS = [
    host.replace(" ", ".")
    for host in ("pypi org", "pythonhosted org", "registry npmjs", "deb debian org", "security debian org")
]
MACHINE_PATHS = ["/" + "work/", "/" + "farm/", "/" + "root/", "/" + "home/"]
WORKPLACE_WORDS = ["farm" + "-st", "farm" + "-be", "before" + "-stop", "../" + ".library"]


def test_top_level_holds_only_known_names() -> None:
    assert {name.split("/")[0] for name in tracked()} <= TOP_LEVEL


def test_folders_that_are_no_packages_have_no_init() -> None:
    """``packaging/__init__.py`` would hide the library of that name; ``tests/core/__init__.py`` would hide ours."""
    pattern = re.compile(r"(packaging|tests|resources|profiles)/(.*/)?__init__\.py")
    assert [name for name in tracked() if pattern.fullmatch(name)] == []


def test_every_folder_of_code_is_a_package() -> None:
    folders = {name.rsplit("/", 1)[0] for name in sources("core", "gui")}
    assert [folder for folder in sorted(folders) if f"{folder}/__init__.py" not in tracked()] == []


def test_core_never_imports_a_window_library() -> None:
    wrong = {name: imported(name) for name in sources("core")}
    assert {k: v for k, v in wrong.items() if {m.split(".")[0] for m in v} & WINDOW_LIBRARIES} == {}


def test_the_command_line_runs_without_qt() -> None:
    """Not even indirectly: a fresh process that imports the program has no Qt in it."""
    code = "import sys, gui.entry; sys.exit(any(m.split('.')[0] == 'PySide6' for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("words", [INDEX_HOSTS, MACHINE_PATHS, WORKPLACE_WORDS], ids=["hosts", "paths", "words"])
def test_no_trace_of_a_machine_or_an_index(words: list[str]) -> None:
    pattern = re.compile("|".join(rf"(?<![\w.]){re.escape(word)}" for word in words), re.IGNORECASE)
    assert [f"{name}: {found[0]}" for name in tracked() if (found := pattern.search(text_of(name)))] == []


def test_no_lock_file_and_no_compiled_file_is_tracked() -> None:
    wrong = re.compile(r"(.*/)?(uv\.lock|pylock\..*|poetry\.lock|.*\.pyc)")
    assert [name for name in tracked() if wrong.fullmatch(name)] == []


def test_rooms_stay_small() -> None:
    """A room that nobody can take in at a glance gets rooms of its own."""
    modules = [name for name in sources("core", "gui", "tests", "packaging") if not name.endswith("__init__.py")]
    counts = Counter(name.rsplit("/", 1)[0] for name in modules)
    assert {folder: n for folder, n in counts.items() if n > 20} == {}


def test_no_module_reaches_into_anothers_private_names() -> None:
    wrong = {name: foreign_private_names(name) for name in sources("core", "gui")}
    assert {name: names for name, names in wrong.items() if names} == {}


def test_every_room_says_in_one_line_what_it_is() -> None:
    rooms = [name for name in sources("core", "gui") if name.endswith("__init__.py")]
    assert [name for name in rooms if not re.fullmatch(r'"""[^"\n]+\."""\n', text_of(name))] == []


def test_functions_stay_short() -> None:
    lengths = sorted(length for name in sources("core", "gui") for length, _ in function_lengths(name))
    longest = [row for name in sources("core", "gui") for row in function_lengths(name) if row[0] > 45]
    assert longest == []
    assert lengths[int(0.9 * (len(lengths) - 1))] <= 16
    assert sum(length > 30 for length in lengths) <= 55


def test_only_one_file_looks_at_the_frozen_state() -> None:
    users = [name for name in sources("core", "gui") if re.search(r"sys,? *\.?[\"' ]*frozen\b", text_of(name))]
    assert users == ["core/paths.py"]


def test_versions_agree() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    newest = re.search(r"^## (\d+\.\d+\.\d+)", text_of("CHANGELOG.md"), re.MULTILINE)
    assert newest is not None
    assert (project["version"], newest[1]) == (VERSION, VERSION)


def test_every_requirement_is_pinned_with_hashes() -> None:
    blocks = re.split(r"\n(?=\S)", text_of("requirements.txt"))
    pinned = [block for block in blocks if not block.startswith("#")]
    assert pinned
    assert [block.split()[0] for block in pinned if "==" not in block or "--hash=sha256:" not in block] == []


def test_qt_stays_below_the_release_that_aborts() -> None:
    """PySide6 6.12.0 drops a reference to None at every call that returns nothing, and dies of it on Python 3.11."""
    found = re.search(r"^pyside6-essentials==(\d+)\.(\d+)", text_of("requirements.txt"), re.MULTILINE | re.IGNORECASE)
    assert found is not None
    assert (6, 11) <= (int(found[1]), int(found[2])) < (6, 12)


def test_many_calls_into_qt_do_not_kill_the_process() -> None:
    code = (
        "from PySide6.QtWidgets import QApplication, QLabel\n"
        "app = QApplication([])\nlabel = QLabel()\n"
        "for _ in range(300_000): label.setText('')\n"
        "print('alive')"
    )
    command = [sys.executable, "-c", code, "-platform", "offscreen"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=_offscreen())
    assert (done.returncode, done.stdout.strip()) == (0, "alive")


def test_every_module_says_what_it_is() -> None:
    assert [name for name in sources("core", "gui") if not ast.get_docstring(tree_of(name))] == []


def test_no_test_can_reach_a_network() -> None:
    with socket.socket() as made, pytest.raises(AssertionError, match="tried to reach the network"):
        made.connect(("127.0.0.1", 9))


def _offscreen() -> dict[str, str]:
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen"}


def test_texts_of_users_reach_qt_as_texts() -> None:
    """No bare label, no tip, button, tab or menu entry whose text could be read as HTML or hide a letter as a key."""
    assert by_file(sources("gui"), unsafe_texts) == []
    assert [name for name in sources("gui") if tells_tips_bare(name)] == []


def test_a_rule_for_texts_sees_what_it_forbids() -> None:
    bad = ("QLabel(a)", 'w.setToolTip(f"{a}")', 'w.setToolTip(a if b else "c")', "QPushButton(a)", "t.addTab(p, a)")
    good = ("Label(a)", "w.setToolTip(tip(a))", 'w.setToolTip("c")', "QPushButton(caption(a))", 't.addTab(p, "a")')
    assert [text for text in bad if not wrong_calls(ast.parse(text), "gui/any.py")] == []
    assert [text for text in good if wrong_calls(ast.parse(text), "gui/any.py")] == []
