"""One style sheet for all widgets, filled from the tokens of a theme.

Widgets ask for a look by a dynamic property ``kind``: ``primary`` and ``quiet`` buttons, ``note`` and ``kpi`` labels.
"""

from __future__ import annotations

from string import Template

from gui.theme.theme import Theme

_TEMPLATE = Template("""
* { font-size: 13px; }
QWidget { color: $ink; }
QMainWindow, QDialog, QMessageBox { background: $bg; }
QLabel { background: transparent; }
QLabel[kind="small"], QLabel[kind="note"] { color: $ink3; font-size: 12px; }
QLabel[kind="ink2"] { color: $ink2; }
QLabel[kind="strong"] { font-weight: 600; }
QLabel[kind="section"] { font-weight: 600; }
QLabel[kind="headline"] { font-size: 16px; font-weight: 600; }
QLabel[kind="kpi"] { font-size: 20px; font-weight: 600; }
QLabel[kind="title"] { font-size: 28px; font-weight: 600; }
QLabel[kind="good"] { color: $good; }
QLabel[kind="warn"] { color: $warn; }
QLabel[kind="err"] { color: $err; }
QLabel[kind="badge"] { color: $ink2; font-size: 12px; border: 1px solid $line2; border-radius: 3px; padding: 0 5px; }

QFrame[kind="rule"] { background: $line; border: none; max-height: 1px; min-height: 1px; }
QFrame[kind="vrule"] { background: $line; border: none; max-width: 1px; min-width: 1px; }
QWidget[surface="dock"] { background: $dock; }
QWidget[surface="bg"] { background: $bg; }

QPushButton, QToolButton {
  background: $bg; color: $ink; border: 1px solid $line2; border-radius: 4px; padding: 0 12px; min-height: 26px;
}
QPushButton:hover, QToolButton:hover { background: $tint; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: $sel; }
QPushButton:disabled, QToolButton:disabled { color: $ctl; border-color: $line; }
QPushButton:focus, QToolButton:focus { border: 2px solid $accent; padding: 0 11px; min-height: 24px; }
QPushButton[kind="primary"] { background: $btn; color: $btnt; border-color: $btn; font-weight: 600; }
QPushButton[kind="primary"]:hover { background: $ink2; }
QPushButton[kind="primary"]:disabled { background: $ctl; border-color: $ctl; }
QPushButton[kind="quiet"], QToolButton[kind="quiet"] { border: 2px solid transparent; background: transparent; padding: 0 5px; }
QPushButton[kind="quiet"]:hover, QToolButton[kind="quiet"]:hover { background: $tint; }
QPushButton[kind="quiet"]:focus, QToolButton[kind="quiet"]:focus { border-color: $accent; }
QPushButton[kind="link"] { border: 2px solid transparent; background: transparent; padding: 0 2px; text-decoration: underline; }
QPushButton[kind="link"]:focus { border-color: $accent; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox, QDateEdit, QPlainTextEdit, QTextEdit {
  background: $field; color: $ink; border: 1px solid $ctl; border-radius: 4px; padding: 0 8px; min-height: 26px;
  selection-background-color: $accent; selection-color: $bg;
}
QPlainTextEdit, QTextEdit { padding: 4px; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QDateEdit:focus, QPlainTextEdit:focus {
  border: 2px solid $accent; padding: 0 7px; min-height: 24px;
}
QLineEdit[state="error"], QComboBox[state="error"] { border-color: $err; }
QLineEdit[state="warning"], QComboBox[state="warning"] { border-color: $warn; }
QLineEdit:disabled, QComboBox:disabled { color: $ctl; border-color: $line; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url("$chevron"); width: 10px; height: 10px; }
QComboBox QAbstractItemView {
  background: $field; border: 1px solid $line2; selection-background-color: $sel; selection-color: $ink; outline: none;
}
QCheckBox { spacing: 7px; background: transparent; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid $ctl; border-radius: 3px; background: $field; }
QCheckBox::indicator:checked { background: $btn; border-color: $btn; image: url("$tick"); }
QCheckBox:focus { outline: none; }
QCheckBox::indicator:focus { border: 2px solid $accent; width: 12px; height: 12px; }

QTabBar { background: $bg; border: none; }
QTabBar::tab { background: transparent; color: $ink2; padding: 0 12px; margin: 0 0 0 0; height: 34px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: $ink; font-weight: 600; border-bottom: 2px solid $ink; }
QTabBar::tab:hover { color: $ink; }
QTabBar:focus { outline: 2px solid $accent; }
QTabWidget::pane { border: none; }

QTableView, QTreeView, QListView {
  background: $bg; border: none; outline: none; gridline-color: $line;
  selection-background-color: $sel; selection-color: $ink; alternate-background-color: $bg;
}
QHeaderView { background: $bg; border: none; }
QHeaderView::section { background: $bg; color: $ink2; border: none; border-bottom: 1px solid $line2; padding: 0 6px; height: 28px; }

QMenu { background: $field; border: 1px solid $line2; padding: 4px 0; }
QMenu::item { padding: 5px 28px 5px 16px; }
QMenu::item:selected { background: $sel; }
QMenu::item:disabled { color: $ctl; }
QMenu::separator { height: 1px; background: $line; margin: 4px 0; }
QToolTip { background: $dock; color: $ink; border: 1px solid $line2; padding: 4px 6px; }
QStatusBar { background: $dock; border-top: 1px solid $line; }
QStatusBar::item { border: none; }
QToolBar { background: $bg; border: none; border-bottom: 1px solid $line; spacing: 4px; padding: 0 8px; }
QDockWidget { border: none; }
QSplitter::handle { background: $line; }
QScrollArea { border: none; background: transparent; }
QScrollArea > QWidget > QWidget { background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: $line2; border-radius: 3px; min-height: 28px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: $line2; border-radius: 3px; min-width: 28px; margin: 2px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { border: none; background: transparent; max-height: 2px; min-height: 2px; }
QProgressBar::chunk { background: $ink; }
QSlider::groove:horizontal { height: 2px; background: $line2; }
QSlider::handle:horizontal { background: $btn; width: 12px; height: 12px; margin: -5px 0; border-radius: 6px; }
QSlider::handle:horizontal:focus { border: 2px solid $accent; width: 8px; height: 8px; }
""")


def stylesheet(theme: Theme) -> str:
    """The style sheet of a theme."""
    from gui.theme.icons import icon_file  # drawn on first use: needs a running application

    return _TEMPLATE.substitute(
        theme.colours,
        chevron=icon_file("chevron-down", theme.colours["ink2"]),
        tick=icon_file("check", theme.colours["btnt"]),
    )
