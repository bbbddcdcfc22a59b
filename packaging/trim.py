"""What of all that PyInstaller finds goes into the app: libraries that a kept one needs, few plugins, no leftovers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

Entry = tuple[str, str, str]
"""Name in the bundle, source file, kind: as PyInstaller lists them."""

UNUSED_MODULES = [
    # Whole packages that others import only for what we never do.
    "pygments", "rich", "markdown_it", "mdurl", "PIL", "matplotlib", "scipy", "pandas", "IPython", "lxml",
    "pytest", "hypothesis", "setuptools", "pip", "mypy", "tkinter", "unittest", "doctest", "pdb", "pydoc_data",
    "xmlrpc", "smtplib", "ftplib", "asyncio", "lib2to3", "distutils", "readline", "curses", "webbrowser", "http.server",
    # Roofplan talks to nobody: no encrypted connection, and with it no second library of ciphers.
    "ssl", "_ssl", "_hashlib",
    # Parts of packages that we do use.
    "numpy.f2py", "numpy.testing", "numpy._core._multiarray_tests", "numpy.distutils",
    "pydantic.mypy", "pydantic.v1",
    "pyqtgraph.examples", "pyqtgraph.opengl", "pyqtgraph.flowchart", "pyqtgraph.console", "pyqtgraph.dockarea",
    "pyqtgraph.jupyter", "pyqtgraph.canvas",
    "PySide6.QtTest", "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets",
]  # fmt: skip
"""Modules that nothing loads in a whole self-test; :mod:`no_opengl` stands in for the last two."""

PLUGINS = {
    "platforms": ("xcb", "wayland", "offscreen", "windows", "cocoa"),
    "platforminputcontexts": ("compose", "ibus"),
    "platformthemes": ("xdgdesktopportal",),
    "wayland-shell-integration": ("xdg-shell",),
    "wayland-decoration-client": ("adwaita", "bradient"),
    "imageformats": ("jpeg", "svg", "ico"),
    "iconengines": ("svg",),
    "styles": ("windows", "mac"),
}
"""Qt's plugins that are wanted, by folder. PNG needs none; PDFs hold JPEG."""

UNUSED_DATA = ("/translations/", "pyqtgraph/icons/peegee/", "resources/screenshots/")
STUBS = (".pyi", "py.typed")


def wanted_data(entry: Entry) -> bool:
    """Data that the program reads."""
    name = _posix(entry[0])
    return not name.endswith(STUBS) and not any(part in name for part in UNUSED_DATA)


def without_dangling(data: Iterable[Entry], binaries: Iterable[Entry]) -> list[Entry]:
    """Data, without links to libraries that were left out; a link tells its target from its own folder."""
    kept = {_posix(entry[0]) for entry in binaries}
    return [entry for entry in data if entry[2] != "SYMLINK" or _target(entry) in kept]


def _target(link: Entry) -> str:
    return str(PurePosixPath(_posix(link[0])).parent / _posix(link[1]))


def trimmed(binaries: Iterable[Entry], needed_by: Callable[[str], set[str]]) -> list[Entry]:
    """Wanted extension modules and plugins, and of the libraries those that something kept needs.

    ``needed_by`` gives the names of the libraries that a file is linked with. A library may lie there twice, once as
    a link to the other.
    """
    entries = [entry for entry in binaries if not _is_unwanted_plugin(entry[0])]
    libraries: dict[str, list[Entry]] = {}
    for entry in entries:
        if _is_library(entry):
            libraries.setdefault(PurePosixPath(_posix(entry[0])).name.lower(), []).append(entry)
    kept = [entry for entry in entries if not _is_library(entry)]
    waiting, seen = list(kept), set[str]()
    while waiting:
        names = {name.lower() for name in needed_by(waiting.pop()[1])} - seen
        seen |= names
        more = [entry for name in sorted(names) for entry in libraries.get(name, ())]
        kept += more
        waiting += [entry for entry in more if entry[2] != "SYMLINK"]
    return kept


def _is_library(entry: Entry) -> bool:
    """Neither an extension module nor a plugin nor Python itself, which the program loads by name."""
    name = _posix(entry[0])
    is_python = PurePosixPath(name).name.lower().startswith(("libpython", "python3"))
    return entry[2] in ("BINARY", "SYMLINK") and "/plugins/" not in name and not is_python


def _is_unwanted_plugin(name: str) -> bool:
    _, is_plugin, rest = _posix(name).partition("/plugins/")
    folder, _, file = rest.partition("/")
    return bool(is_plugin) and not any(word in file for word in PLUGINS.get(folder, ()))


def _posix(name: str) -> str:
    return name.replace("\\", "/")
