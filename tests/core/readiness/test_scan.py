"""The scan finds what was planted, line by line, raises no false alarm in clean code, and runs nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.breath import heard_by
from core.errors import InputError
from core.readiness import sources
from core.readiness.finding import Finding
from core.readiness.kinds import KINDS, Side
from core.readiness.native import native_places
from core.readiness.scan import Scan, notebook_code, scan
from core.readiness.sources import SourceFile
from tests.repository_files import ROOT

FIXTURES = ROOT / "tests" / "data" / "readiness"
REPORTED = {"fallback", "recompiles"}
"""Kinds that only a metrics report tells."""


def planted(folder: Path) -> set[tuple[str, int, str]]:
    """What the comments of the fixture say is there: file, line, kind."""
    lines = ((path, n, line) for path in folder.rglob("*.*") for n, line in enumerate(path.read_text().splitlines(), 1))
    marked = ((path, n, match[1]) for path, n, line in lines if (match := re.search(r"PLANTED: ([\w -]+)", line)))
    return {(path.relative_to(folder).as_posix(), n, kind) for path, n, kinds in marked for kind in kinds.split()}


def found(read: Scan) -> set[tuple[str, int, str]]:
    return {(one.file, one.line, one.kind_id) for one in read.findings}


def found_in(text: str) -> tuple[Finding, ...]:
    with TemporaryDirectory() as folder:
        Path(folder, "code.py").write_text(text)
        return scan(Path(folder)).findings


def test_every_planted_case_is_found_and_nothing_else() -> None:
    expected = planted(FIXTURES / "planted")
    assert found(scan(FIXTURES / "planted")) == expected
    assert len({kind for _, _, kind in expected}) >= 40
    assert {kind for _, _, kind in expected} == set(KINDS) - REPORTED


@pytest.mark.parametrize("name", ["clean_jax", "clean_pytorch", "clean_both"])
def test_clean_code_raises_no_alarm(name: str) -> None:
    read = scan(FIXTURES / name)
    assert (read.n_files, read.findings, read.skipped) == (1, (), ())


def test_each_kind_says_what_to_do_and_where_it_matters() -> None:
    assert all(kind.why and kind.instead and (kind.tpu or kind.rocm) for kind in KINDS.values())


def test_frameworks_are_counted_by_file() -> None:
    assert scan(FIXTURES / "planted").frameworks == {"pytorch": 3, "jax": 2, "tensorflow": 1, "pytorch/xla": 1}


def test_nothing_is_run(tmp_path: Path) -> None:
    trace = tmp_path / "was-run"
    (tmp_path / "code.py").write_text(f"import torch\nopen({str(trace)!r}, 'w').close()\n")
    scan(tmp_path)
    assert not trace.exists()


@pytest.mark.parametrize("text", ["import torch\ndef (", "import torch\n" + "(" * 5000, "import torch\n\0"])
def test_a_file_that_is_no_python_is_skipped_with_the_reason(tmp_path: Path, text: str) -> None:
    (tmp_path / "broken.py").write_text(text)
    (tmp_path / "good.py").write_text("import apex\n")
    read = scan(tmp_path)
    assert [name for name, _ in read.skipped] == ["broken.py"]
    assert [one.name for one in read.findings] == ["Apex"]


def test_bytes_that_are_no_text_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"import torch\nname = '\xe9'\n")
    assert "no UTF-8 text" in scan(tmp_path).skipped[0][1]


def test_no_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder of sources"):
        scan(tmp_path / "missing")


def test_a_folder_without_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_FILES", 2)
    for number in range(3):
        (tmp_path / f"m{number}.py").touch()
    with pytest.raises(InputError, match="more than 2 sources"):
        scan(tmp_path)


def test_links_tests_environments_and_hidden_folders_are_left_out(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    project = tmp_path / "project"
    for folder in (outside, project / ".git", project / "own-env", project / "build", project / "tests"):
        folder.mkdir(parents=True)
        (folder / "code.py").write_text("import apex\n")
    (project / "own-env" / "pyvenv.cfg").touch()
    (project / "linked").symlink_to(outside)
    (project / "test_model.py").write_text("import apex\n")
    read = scan(project)
    assert (read.n_files, read.n_tests, read.findings) == (0, 2, ())


def test_a_library_that_the_code_can_do_without_is_not_told() -> None:
    tried = "try:\n    import xformers\nexcept ImportError:\n    xformers = None\n"
    asked = "if is_xformers_available():\n    import xformers\n"
    assert found_in(tried) == found_in(asked) == ()
    assert [one.name for one in found_in("import xformers\n")] == ["xFormers"]


@pytest.mark.parametrize("caught", ["", " ImportError", " (OSError, ModuleNotFoundError)", " Exception"])
def test_an_import_is_tried_where_a_missing_one_is_caught(caught: str) -> None:
    assert found_in(f"try:\n    import apex\nexcept{caught}:\n    apex = None\n") == ()


def test_a_module_of_ones_own_is_no_library() -> None:
    assert found_in("from .apex import x\nfrom . import apex\n") == ()
    assert [one.name for one in found_in("from apex.optimizers import FusedAdam\n")] == ["Apex"]


def test_an_import_is_needed_where_something_else_is_caught() -> None:
    (told,) = found_in("try:\n    import apex\nexcept ValueError:\n    pass\n")
    assert told.name == "Apex"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.cu", "__device__ int f() { return __shfl_sync(m, v, 0); }\n", [("cuda-source", 1), ("cuda-warp", 1)]),
        ("a.h", "\n__global__ void k() {\n asm volatile (\"x\"); }\n", [("cuda-source", 2), ("inline-ptx", 3)]),
        ("a.h", "int f() { asm (\"x\"); }\n", []),
        ("a.cpp", "// __global__\n/* asm( */\n#include <torch/extension.h>\n", [("cpp-extension", 3)]),
        ("a.cu", "__global__ void a();\n#include <torch/extension.h>\n__global__ void b();\n",
         [("cuda-source", 1), ("cuda-source", 3)]),
    ],
)  # fmt: skip
def test_native_sources_are_read_as_text(name: str, text: str, expected: list[tuple[str, int]]) -> None:
    assert list(native_places(SourceFile(Path(name), name), text)) == expected


@pytest.mark.parametrize(
    ("name", "is_test"),
    [("test_a.py", True), ("a_test.py", True), ("a_tests.py", True), ("conftest.py", True), ("testing/a.py", True),
     ("x/tests/a.py", True), ("attest.py", False), ("tests.py", False), ("contest/a.py", False)],
)  # fmt: skip
def test_tests_are_known_by_their_name_or_folder(name: str, is_test: bool) -> None:
    assert SourceFile(Path(name), name).is_test is is_test


@pytest.mark.parametrize(
    ("padding", "kinds"),
    [
        ("True", ["batch-padding"]),
        ("'longest'", ["batch-padding"]),
        ("False", []),
        ("'max_length'", []),
        ("True, max_length=8", []),
    ],
)
def test_padding_to_the_longest_changes_shapes(padding: str, kinds: list[str]) -> None:
    told = found_in(f"import torch\nbatch = tokenizer(texts, return_tensors='pt', padding={padding})\n")
    assert [one.kind_id for one in told] == kinds


def test_code_for_tpu_matters_on_rocm_and_not_on_tpu() -> None:
    found = scan(FIXTURES / "planted").findings
    own = [one for one in found if one.file == "on_tpu.py"]
    assert own and all([side for side in Side if one.matters_on(side)] == [Side.ROCM] for one in own)


def test_pallas_kernels_with_one_for_gpu_beside_them_are_not_tied_to_tpu() -> None:
    both = "from jax.experimental import pallas as pl\nfrom jax.experimental.pallas import tpu, triton\n"
    both += "pl.pallas_call(f)\n"
    assert [one.kind_id for one in found_in(both)] == ["gpu-pallas"]


def test_a_library_matters_where_it_does_not_run() -> None:
    (both,) = found_in("import tensorrt\n")
    (tpu,) = found_in("import deepspeed\n")
    assert [both.matters_on(side) for side in Side] == [True, True]
    assert [tpu.matters_on(side) for side in Side] == [True, False]


def test_a_notebook_is_read_cell_by_cell(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["import apex"]},
        {"cell_type": "code", "source": ["%pip install apex\n", "import deepspeed"]},
    ]
    text = json.dumps({"cells": cells})
    assert notebook_code(text) == "\nimport deepspeed"
    (tmp_path / "notes.ipynb").write_text(text)
    assert [(one.line, one.name) for one in scan(tmp_path).findings] == [(2, "DeepSpeed")]


def test_a_long_line_is_shortened() -> None:
    (one,) = found_in("import torch\nx = torch.nonzero(" + "y" * 500 + ")\n")
    assert len(one.code) == 120 and one.code.endswith("…")


@pytest.mark.parametrize(
    "code",
    [
        "if x.shape[0] > 1: pass",
        "if x is not None: pass",
        "if x.dim() == 2 and x.dtype == torch.bfloat16: pass",
        "while n > 1: n -= 1",
        "assert x.ndim == 3",
        "y = torch.where(x > 0, x, 0)",
        "x[x > 0] = 0",
        "for i in range(x.shape[0]): pass",
        "if torch.npu.is_available(): pass",
        "for s in range(9):\n        if s % 3 == 0: print(x.sum().item())",
    ],
)
def test_what_is_known_without_the_values_is_no_finding(code: str) -> None:
    body = code.replace("\n", "\n    ")
    assert found_in(f"import torch\ndef f(x: torch.Tensor, n: int):\n    {body}\n") == ()


def test_a_value_is_waited_for_where_it_is_asked_again_and_again() -> None:
    """Once at the top of a file or in a plain function it costs nothing; in a loop, or a ``forward``, each time."""
    once = "import torch\nx = torch.zeros(3)\ny = x.sum().item()\ndef f(x: torch.Tensor):\n    return x.sum().item()\n"
    assert found_in(once) == ()
    for again in (
        "import torch\nx = torch.zeros(3)\nwhile True:\n    y = x.sum().item()\n",
        "import torch\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return x.sum().item()\n",
    ):
        assert len(found_in(again)) == 1


def test_a_name_may_be_read_above_where_a_loop_makes_it_a_tensor() -> None:
    """In the second turn of the loop ``b`` is a tensor, in the third ``c``."""
    body = "c = b\n        b = a\n        a = torch.zeros(n)\n        print(c.item())"
    assert len(found_in(f"import torch\ndef f(n, a, b, c):\n    for _ in range(n):\n        {body}\n")) == 1


def test_the_share_that_is_read_is_told_file_by_file(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"m{number}.py").write_text("import torch\n")
    told: list[float] = []
    with heard_by(told.append):
        scan(tmp_path)
    assert told == [0.0, 0.25, 0.5, 0.75]
