"""Nothing leaves the machine: no socket but local ones, and nothing in the process that could speak to a network."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gui.hostile.running import driven, namespaces, run_app
from tests.repository_files import imported, sources

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces and strace")
SPEAKS_TO_NETWORKS = {
    "PySide6.QtNetwork", "PySide6.QtWebSockets", "aiohttp", "asyncio", "ftplib", "http", "httpx", "imaplib", "poplib",
    "requests", "smtplib", "socket", "socketserver", "ssl", "telnetlib", "urllib.request", "urllib3", "xmlrpc",
}  # fmt: skip
_SOCKET = re.compile(r"\b(?:socket|socketpair)\((\w+)")


def test_no_code_of_ours_imports_what_speaks_to_networks() -> None:
    """``socket`` too: a second start finds the first one by files."""
    wrong = {name: {one for one in imported(name) if _speaks(one)} for name in sources("core", "gui")}
    assert {name: modules for name, modules in wrong.items() if modules} == {}


def _speaks(module: str) -> bool:
    return any(module == one or module.startswith(f"{one}.") for one in SPEAKS_TO_NETWORKS)


def test_the_whole_program_works_without_a_network(tmp_path: Path) -> None:
    """In a namespace without any, loopback down; it makes no socket and loads no library that could."""
    told = driven(tmp_path, before=namespaces("-rn"), ROOFPLAN_HOME=str(tmp_path / "home"))
    assert told["saved"] and told["n"] > 0
    assert told["sockets"] == []
    assert told["libraries"] == []


def test_the_program_asks_the_system_for_no_socket_but_local_ones(tmp_path: Path) -> None:
    """Qt and its plugins included, which Python cannot watch."""
    assert sockets_asked_for(tmp_path) <= {"AF_UNIX"}


def test_a_part_that_reached_out_would_be_seen(tmp_path: Path) -> None:
    """Else the test before could not fail."""
    assert "AF_INET" in sockets_asked_for(tmp_path, "connect")


def sockets_asked_for(tmp_path: Path, *words: str) -> set[str]:
    """Families of the sockets that the process and its children made, by the system's own account."""
    told = tmp_path / "calls.txt"
    watch = ["strace", "-f", "-qq", "-e", "trace=network", "-o", str(told)]
    allowed = shutil.which("strace") and subprocess.run([*watch, "true"], capture_output=True, check=False)
    if not allowed or allowed.returncode:
        pytest.skip("no strace here")
    done = run_app(tmp_path, *words, before=watch, ROOFPLAN_HOME=str(tmp_path / "home"))
    assert done.returncode == 0 or words, done.stderr
    return set(_SOCKET.findall(told.read_text(encoding="utf-8")))
