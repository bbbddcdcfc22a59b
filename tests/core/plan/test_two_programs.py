"""Several programs on one file at the same time."""

import subprocess
import sys
import textwrap
from pathlib import Path

from core.plan.plan import Plan
from core.plan.store import load, save
from core.workload.profile import Profile
from tests.repository_files import ROOT

PLAN = Plan(id="p", name="Plan", profiles=(Profile(),))
SAVER = """
    import sys
    from pathlib import Path
    from core.errors import MachineError
    from core.plan.store import load, save

    target, n_failed = Path(sys.argv[1]), 0
    plan = load(target)
    print("ready", flush=True)
    for count in range(30):
        try:
            save(plan.model_copy(update={"name": f"New {count}"}), target)
        except MachineError:
            n_failed += 1
    print(n_failed, flush=True)
"""


def test_reading_never_takes_a_save_in_progress_away(tmp_path: Path) -> None:
    file = tmp_path / "plan.roofplan"
    save(PLAN, file)
    command = [sys.executable, "-c", textwrap.dedent(SAVER), str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        while child.poll() is None:
            assert load(file).id == "p"
        assert child.stdout.read() == "0\n"
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
