"""Where code of the window hands a text to Qt in a way that could read HTML, a key or a direction out of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tests.repository_files import text_of, tree_of

HOME = "gui/theme/plain.py"
"""The one file that may make the bare widgets and knows what each text needs."""
BARE = {"QLabel", "QMessageBox", "QTextBrowser", "QTextEdit", "QTextDocument", "QErrorMessage"}
WRAPPED = {
    "setToolTip": "tip",
    "showText": "tip",
    "setStatusTip": "as_text",
    "setWhatsThis": "tip",
    "QPushButton": "caption",
    "QCheckBox": "caption",
    "QRadioButton": "caption",
    "QGroupBox": "caption",
    "QAction": "caption",
    "addAction": "caption",
    "addMenu": "caption",
    "addTab": "caption",
    "setTabText": "caption",
    "addItem": "as_text",
    "setItemText": "as_text",
    "setWindowTitle": "as_text",
}
"""What takes a text -> through which function a text must go that is not written there in the code."""
PLACE = {"showText": 1, "setTabText": 1, "setItemText": 1}
"""Which argument the text is, where it is not the first; of a tab with a page it is the second."""
PAINTING = {"plot", "ci"}
"""Names of plots and of grids of plots, whose ``addItem`` takes curves, regions and bars."""
OUR_MARKS = {"gui/widgets/live.py", "gui/frame/verdict.py"}
"""Labels with links and weights of ours: every word in them is escaped."""
OUR_HTML = {"gui/tabs/catalogue/detail.py", "gui/tabs/catalogue/panel.py"}
"""Show what ``RichText`` wrote, which escapes whatever it is given."""
DRAWERS = {
    "gui/charts/paint/brush.py", "gui/frame/project_delegate.py", "gui/frame/why/dock.py",
    "gui/start/glimpse.py", "gui/tables/catalogue/delegate.py", "gui/widgets/elided.py", "gui/widgets/tab_strip.py",
}  # fmt: skip
"""Draw texts themselves, once they are as they may stand among other words."""


def unsafe_texts(name: str) -> list[str]:
    """Calls of a file that break the rules."""
    return wrong_calls(tree_of(name), name)


def wrong_calls(tree: ast.Module, name: str) -> list[str]:
    """Calls in a syntax tree that break the rules for this file."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return sorted(f"{name}:{call.lineno} {what}" for call in calls for what in _wrong(call, name))


def _wrong(call: ast.Call, name: str) -> Iterator[str]:
    called = _name(call.func)
    if called in BARE or (isinstance(call.func, ast.Attribute) and _name(call.func.value) == "QMessageBox"):
        yield f"a bare {_name(call.func)}"
    if called in WRAPPED and (text := _text(call, called)) is not None and not _is_safe(text, WRAPPED[called]):
        yield f"{called} without {WRAPPED[called]}()"
    on_button = called == "setText" and isinstance(call.func, ast.Attribute) and "button" in _name(call.func.value)
    if on_button and call.args and not _is_safe(call.args[0], "caption"):
        yield "setText of a button without caption()"
    homes: dict[str, set[str]] = {"setHtml": OUR_HTML, "setMarkdown": set(), "drawText": DRAWERS}
    if called in homes and name not in homes[called]:
        yield f"{called} outside the files that escape"
    if called == "setTextFormat" and name not in OUR_MARKS:
        yield "another format of a text"


def _text(call: ast.Call, called: str) -> ast.expr | None:
    """The text that is handed over; a scene, and a plot or a grid of plots, is given what it paints, no text."""
    on = call.func.value if isinstance(call.func, ast.Attribute) else None
    if (isinstance(on, ast.Call) and _name(on.func) == "scene") or (on is not None and _name(on) in PAINTING):
        return None
    place = 1 if called == "addTab" and len(call.args) > 1 else PLACE.get(called, 0)
    return call.args[place] if len(call.args) > place else None


def _is_safe(text: ast.expr, wrapper: str) -> bool:
    """A literal, a text that went through the function, or none: a parent, a ready action."""
    if isinstance(text, ast.IfExp):
        return _is_safe(text.body, wrapper) and _is_safe(text.orelse, wrapper)
    is_widget = isinstance(text, ast.Name) and text.id in {"self", "parent", "owner"}
    is_action = isinstance(text, ast.Subscript) and _name(text.value) == "_qt"
    is_wrapped = isinstance(text, ast.Call) and _name(text.func) in {wrapper, "toolTip"}
    return isinstance(text, ast.Constant) or is_widget or is_action or is_wrapped


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def tells_tips_bare(name: str) -> bool:
    """True for a model that answers for tooltips without the function for them."""
    return "ToolTipRole" in text_of(name) and "tip" not in _imported_from_home(name)


def _imported_from_home(name: str) -> set[str]:
    imports = (node for node in ast.walk(tree_of(name)) if isinstance(node, ast.ImportFrom))
    return {alias.name for node in imports if node.module == "gui.theme.plain" for alias in node.names}


def by_file(names: list[str], wrong: Callable[[str], list[str]]) -> list[str]:
    """What is wrong in these files, but for the home of the rules."""
    return [line for name in names if name != HOME for line in wrong(name)]
