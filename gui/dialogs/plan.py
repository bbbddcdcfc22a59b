"""Small questions about the parts of a plan: which workload, which name."""

from __future__ import annotations

from PySide6.QtWidgets import QInputDialog, QWidget

from core.plan.scenario import add_scenario
from core.plan.workloads import add_workload
from core.workload.library import load_profiles, more_profiles
from core.workload.profile import Profile
from gui.dialogs.money import ask_money
from gui.dialogs.readiness import ReadinessDialog
from gui.session.plan_session import PlanSession

EMPTY = "Empty workload"


class PlanDialogs:
    """Each answer becomes one undo step."""

    def __init__(self, window: QWidget, session: PlanSession) -> None:
        self._window, self._session = window, session

    def add_workload(self) -> bool:
        """Asks for a shipped workload and adds it."""
        profiles = (load_profiles() | more_profiles()).values()
        shipped = {profile.name: profile for profile in profiles} | {EMPTY: Profile()}
        name, is_chosen = QInputDialog.getItem(self._window, "Add workload", "Begin with", list(shipped), 0, False)
        if is_chosen:
            self._session.replace_plan(add_workload(self._session.plan, shipped[name]), "Add workload")
            self._session.show_profile(len(self._session.plan.profiles) - 1)
        return is_chosen

    def add_scenario(self) -> None:
        """Asks for a name and adds a scenario that begins as the shown one."""
        name, is_chosen = QInputDialog.getText(self._window, "Add scenario", "Name, such as: 60 % use")
        if is_chosen and name.strip():
            plan = add_scenario(self._session.plan, name.strip(), self._session.scenario_id)
            self._session.replace_plan(plan, f"Add scenario {name.strip()}")
            self._session.set_scenario(plan.scenarios[-1].id)

    def money(self) -> None:
        """Asks for the currency and for the age from which prices are flagged."""
        ask_money(self._window, self._session)

    def scan_code(self) -> None:
        """Opens the scan of a source folder, beside which the window can be used."""
        ReadinessDialog(self._session, self._window).open()

    def connect_panel(self, panel: QWidget) -> None:
        """Hears where a tab offers the scan."""
        if (wanted := getattr(panel, "scan_wanted", None)) is not None:
            wanted.connect(self.scan_code)

    def rename(self) -> None:
        """Asks for another name of the plan."""
        plan = self._session.plan
        name, is_chosen = QInputDialog.getText(self._window, "Rename plan", "Name", text=plan.name)
        if is_chosen and name.strip():
            self._session.replace_plan(plan.model_copy(update={"name": name.strip()}), "Rename plan")
