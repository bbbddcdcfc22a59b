"""Help inside the program: pages, the shortcut sheet, and what this copy is."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from functools import partial

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QListWidget, QVBoxLayout, QWidget

from core import paths
from core.catalogue.catalogue import Catalogue
from core.learning.families import family_pages
from core.learning.glossary import glossary_text
from core.version import VERSION
from gui.actions import Action
from gui.dialogs.command_palette import PaletteEntry
from gui.session.plan_session import PlanSession
from gui.theme.naming import named
from gui.theme.plain import Reader, as_text, markdown
from gui.theme.screen_room import within_screen

BESIDE_PX = 16
"""Beside the longest title of a page."""


def help_pages() -> dict[str, str]:
    """Title -> text in Markdown of each page, in the order of their file names."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((paths.resources() / "help").glob("*.md"))]
    return {text.splitlines()[0].removeprefix("# "): text for text in texts if text}


def shortcut_text(actions: Sequence[Action]) -> str:
    """The shortcut sheet in Markdown, made from the commands themselves."""
    rows = [f"| {one.shortcut_words} | {one.text.rstrip('…')} |" for one in actions if one.shortcut]
    more = (
        "| Arrows | Walk the points of a chart, the rows of a table |",
        "| Enter | Select the point |",
        "| Shift+Enter | Pin the point as A or B |",
        "| Esc | Clear the selection, close a panel |",
        "| Ctrl+C | Copy the chart or the chosen rows |",
    )
    return "\n".join(["# Shortcuts", "", "| Keys | What they do |", "|---|---|", *rows, *more])


def about_text(catalogue: Catalogue) -> str:
    """Versions, licence, catalogue, and the promise, in Markdown."""
    return "\n\n".join(
        (
            f"# Roofplan {VERSION}",
            "Plans AI accelerators: one job on GPU and TPU in days, dollars and lock-in.",
            f"Catalogue of {catalogue.date}: {len(catalogue.accelerators)} accelerators, "
            f"{len(catalogue.rented_offers)} offers, {len(catalogue.sources)} sources.",
            "Nothing leaves this machine: no network call, no telemetry, no update check. "
            "The catalogue is updated by importing a file.",
            "Roofplan is free software under the Apache License 2.0. It is made with Python, Qt and PySide6 (LGPL), "
            "pyqtgraph, NumPy, pydantic, sqlite-utils, openpyxl and the Inter typeface (SIL Open Font License).",
            f"Python {platform.python_version()}, Qt {PySide6.__version__}, {platform.system()} {platform.release()}",
            f"Settings, recovery copies and log files: {markdown(str(paths.user_data()))}",
        )
    )


def bundled_text() -> str:
    """The parts of a packaged app with their licences, in Markdown; empty where each part was installed by itself."""
    file = paths.program_root() / paths.BUNDLED_PARTS
    if not file.exists():
        return ""
    parts = json.loads(file.read_text(encoding="utf-8"))["components"]
    rows = [f"| {one['name']} | {one['version']} | {one['licenses'][0]['license']['name']} |" for one in parts]
    where = f"Their texts are in {file.with_name(paths.LICENCE_NOTICES)}."
    return "\n".join(["# Licences", "", where, "", "| Part | Version | Licence |", "|---|---|---|", *rows])


class HelpDialogs:
    """Opens help without stopping the work."""

    def __init__(self, window: QWidget, session: PlanSession) -> None:
        self._window, self._session = window, session

    def help(self, page: str = "") -> None:
        """The help pages, the glossary, and a page on each family of chips; begins at ``page``."""
        self._show("help", "Help", self._pages(), page)

    def entries(self) -> list[PaletteEntry]:
        """Each page, to be found by its title."""
        return [PaletteEntry(page, "Help", "", "", partial(self.help, page)) for page in self._pages()]

    def _pages(self) -> dict[str, str]:
        families = family_pages(self._session.catalogue, self._session.profile)
        return {**help_pages(), "Glossary": glossary_text(), **families}

    def shortcuts(self, actions: Sequence[Action]) -> None:
        """The sheet of shortcuts."""
        self._show("shortcuts", "Shortcuts", {"Shortcuts": shortcut_text(actions)})

    def about(self) -> None:
        """Versions, licence, catalogue; in a packaged app the licences of its parts too."""
        pages = {"About": about_text(self._session.layers.shipped), "Licences": bundled_text()}
        self._show("about", "About Roofplan", {title: text for title, text in pages.items() if text})

    def _show(self, name: str, title: str, pages: dict[str, str], page: str = "") -> None:
        dialog = TextDialog(name, title, pages, self._window)
        dialog.titles.setCurrentRow(list(pages).index(page) if page else 0)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()


class TextDialog(QDialog):
    """Pages of text, with their titles at the left where there are several."""

    def __init__(self, name: str, title: str, pages: dict[str, str], parent: QWidget) -> None:
        super().__init__(parent)
        named(self, name, title)
        self.setWindowTitle(as_text(title))
        within_screen(self, 820 if len(pages) > 1 else 560, 560)
        self._pages = pages
        self.text = named(Reader(), f"{name}-text", title)
        self.titles = named(QListWidget(), f"{name}-titles", "Pages")
        self.titles.addItems(list(pages))
        self.titles.ensurePolished()
        self.titles.setFixedWidth(self.titles.sizeHintForColumn(0) + BESIDE_PX)
        self.titles.setVisible(len(pages) > 1)
        self.titles.currentTextChanged.connect(self._show)
        middle = QHBoxLayout()
        middle.addWidget(self.titles)
        middle.addWidget(self.text, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(middle, 1)
        column.addWidget(buttons)
        self.titles.setCurrentRow(0)

    def _show(self, title: str) -> None:
        self.text.show_markdown(self._pages[title])
