"""What people wrote of the plan and of its workloads, in boxes of many lines: one undo step, printed on the paper."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from core.plan.plan import Plan
from core.plan.workloads import MOST_LETTERS, with_comments
from gui.session.plan_session import PlanSession
from gui.theme.naming import named
from gui.theme.plain import Label, as_text
from gui.theme.screen_room import within_screen

TITLE = "Comments"
_INTRO = "They stand in the paper and in the workbook. Where private prices are masked, they are left out."
WIDTH_PX, HEIGHT_PX, BOX_PX = 560, 520, 96


class CommentsDialog(QDialog):
    """A box for the plan, and one for each workload."""

    def __init__(self, plan: Plan, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "comments", TITLE)
        self.setWindowTitle(as_text(TITLE))
        within_screen(self, WIDTH_PX, HEIGHT_PX)
        self._inside = QWidget()
        self._boxes = QVBoxLayout(self._inside)
        self.of_plan = self._box("comment-plan", f"The plan, {plan.name}", plan.note)
        self.of_workloads = {
            one.id: self._box(f"comment-{number}", one.name, one.note) for number, one in enumerate(plan.profiles)
        }
        self._boxes.addStretch(1)
        self._build()

    def commented(self, plan: Plan) -> Plan:
        """The plan with what stands in the boxes."""
        words = {name: box.toPlainText() for name, box in self.of_workloads.items()}
        return with_comments(plan, self.of_plan.toPlainText(), words)

    def _box(self, name: str, title: str, text: str) -> QPlainTextEdit:
        box = named(QPlainTextEdit(text), name, f"Comment: {as_text(title)}")
        box.setMinimumHeight(BOX_PX)
        box.setTabChangesFocus(True)
        self._boxes.addWidget(Label(title))
        self._boxes.addWidget(box)
        box.textChanged.connect(self._look)
        return box

    def _build(self) -> None:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self._inside)
        intro = Label(_INTRO)
        intro.setWordWrap(True)
        self.trouble = named(Label(), "comments-trouble", kind="err")
        kinds = QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        self.buttons = QDialogButtonBox(kinds)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.trouble.hide()
        column = QVBoxLayout(self)
        for widget in (intro, area, self.trouble, self.buttons):
            column.addWidget(widget)

    def _look(self) -> None:
        """More letters than a comment may have are told, not cut off."""
        longest = max(len(box.toPlainText()) for box in (self.of_plan, *self.of_workloads.values()))
        is_long = longest > MOST_LETTERS
        self.trouble.setText(f"A comment has {longest:,} letters; {MOST_LETTERS:,} are the most." if is_long else "")
        self.trouble.setVisible(is_long)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not is_long)


def ask_comments(window: QWidget, session: PlanSession) -> CommentsDialog:
    """Opens the dialog without stopping the work; what is taken becomes one undo step."""
    dialog = CommentsDialog(session.plan, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def take() -> None:
        plan = dialog.commented(session.plan)
        if plan != session.plan:
            session.end_step()
            session.replace_plan(plan, "Change comments")

    dialog.accepted.connect(take)
    dialog.open()
    return dialog
