"""Files to hand over: each parses as its tool reads it, names only what the catalogue knows, runs nothing hostile."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

import pytest

from core.catalogue.catalogue import Catalogue
from core.catalogue.entries import Accelerator, Offer
from core.catalogue.loading import load_catalogue
from core.catalogue.places.sale_places import ANY
from core.comparison.evaluate import evaluate
from core.comparison.result import CandidateResult, ResultSet
from core.errors import MachineError
from core.handoff.files import files_of, write_files
from core.handoff.gke import gke
from core.handoff.order import order_of
from core.handoff.text import EACH, Fill, Script, comment, script, slug, yaml_lines
from core.plan.sample_plan import sample_plan
from core.writing import whole_file
from tests.core.handoff.yaml_subset import documents

SKY_TASK: dict[str, Any] = {
    "name": str, "num_nodes": int, "setup": str, "run": str,
    "resources": {"infra": str, "accelerators": str, "instance_type": str, "use_spot": bool},
}  # fmt: skip
"""Fields of a SkyPilot task that we write, of its reference (reference/yaml-spec). The loader of SkyPilot 0.14.1 itself
took 196 tasks of four sellers on 2026-11-23."""
JOB: dict[str, Any] = {
    "apiVersion": str, "kind": str, "metadata": {"name": str},
    "spec": {
        "completions": int, "parallelism": int, "completionMode": str, "backoffLimit": int, "replicas": int,
        "selector": {"matchLabels": dict, "job-name": str}, "clusterIP": str, "template": {
            "metadata": {"labels": dict}, "spec": {
                "nodeSelector": dict, "subdomain": str, "restartPolicy": str, "containers": [
                    {"name": str, "image": str, "command": [str], "resources": {"requests": dict, "limits": dict}}
                ],
            },
        },
    },
}  # fmt: skip
"""Fields of Kubernetes manifests that we write, of its reference."""


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(scope="module")
def sets(catalogue: Catalogue) -> tuple[ResultSet, ...]:
    return tuple(evaluate(profile, catalogue) for profile in sample_plan().profiles)


@pytest.fixture(scope="module")
def chosen(sets: tuple[ResultSet, ...]) -> list[tuple[ResultSet, CandidateResult]]:
    """One candidate of each seller, kind of chip and way to pay, of both workloads."""
    firsts: dict[object, tuple[ResultSet, int]] = {}
    for results in sets:
        columns = results.columns
        for row, (chip, offer) in enumerate(zip(columns.accelerators, columns.offers, strict=True)):
            key = results.profile.id, offer.provider, chip.kind, offer.purchase_model
            firsts.setdefault(key, (results, row))
    return [(results, results.results[row]) for results, row in firsts.values()]


@pytest.fixture(scope="module")
def files(chosen: list[tuple[ResultSet, CandidateResult]], catalogue: Catalogue) -> list[dict[str, str]]:
    return [files_of(results.profile, one, catalogue) for results, one in chosen]


def fits(value: Any, schema: Any) -> bool:
    """True for a value that has no field but those of the schema, each of its type."""
    if isinstance(schema, dict):
        return isinstance(value, dict) and all(key in schema and fits(one, schema[key]) for key, one in value.items())
    if isinstance(schema, list):
        return isinstance(value, list) and all(fits(one, schema[0]) for one in value)
    return isinstance(value, schema)


def by_ending(files: list[dict[str, str]], ending: str) -> list[str]:
    return [text for each in files for name, text in each.items() if name.endswith(ending)]


def one_of(
    sets: tuple[ResultSet, ...], catalogue: Catalogue, number: int, is_it: Callable[[Accelerator, Offer, float], bool]
) -> tuple[CandidateResult, dict[str, str]]:
    """The first candidate of a workload with such a chip, offer and count, and its files by their endings."""
    columns, profile = sets[number].columns, sets[number].profile
    asked = enumerate(zip(columns.accelerators, columns.offers, columns.n_chips, strict=True))
    result = sets[number].results[next(row for row, one in asked if is_it(*one))]
    texts = files_of(profile, result, catalogue)
    return result, {name.removeprefix(f"{slug(profile.id)}-"): text for name, text in texts.items()}


def test_tasks_follow_the_schema(files: list[dict[str, str]]) -> None:
    tasks = [one for text in by_ending(files, "skypilot.yaml") for one in documents(text)]
    assert tasks and all(fits(one, SKY_TASK) for one in tasks)
    assert all({"infra", "use_spot"} < set(one["resources"]) for one in tasks)


def test_manifests_follow_the_schema(files: list[dict[str, str]]) -> None:
    manifests = [one for text in by_ending(files, "kubernetes.yaml") for one in documents(text)]
    assert {one["kind"] for one in manifests} == {"Job", "Deployment", "Service"}
    assert all(fits(one, JOB) for one in manifests)


def test_another_parser_reads_the_same(files: list[dict[str, str]]) -> None:
    yaml = pytest.importorskip("yaml")
    for text in by_ending(files, ".yaml"):
        assert list(yaml.safe_load_all(text)) == documents(text)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_reads_every_script(files: list[dict[str, str]], tmp_path: Path) -> None:
    scripts = by_ending(files, ".sh")
    (tmp_path / "all.sh").write_text("\n".join(scripts), encoding="utf-8")
    read = subprocess.run(["bash", "-n", str(tmp_path / "all.sh")], capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, "")
    assert {text.splitlines()[0] for text in scripts} == {"#!/usr/bin/env bash"}


@pytest.fixture(scope="module")
def placeless(chosen: list[tuple[ResultSet, CandidateResult]], catalogue: Catalogue) -> list[dict[str, str]]:
    """The same where the region is open."""
    told = []
    for results, one in chosen:
        offer = one.candidate.offer.model_copy(update={"region": ANY})
        told.append(files_of(results.profile, replace(one, candidate=replace(one.candidate, offer=offer)), catalogue))
    return told


@pytest.mark.parametrize("kept", ["files", "placeless"])
def test_each_variable_of_a_script_is_to_be_filled_in_and_each_is_used(
    kept: str, request: pytest.FixtureRequest
) -> None:
    for text in by_ending(request.getfixturevalue(kept), ".sh"):
        given = re.findall(r'^([A-Z_]+)=""  # FILL IN: \S', text, re.MULTILINE)
        assert len(given) == len(set(given))
        assert set(given) == set(re.findall(r"\$\{([A-Z_]+):\?", text))


def test_a_pod_asks_for_the_chips_of_one_host_by_their_makers_name(
    chosen: list[tuple[ResultSet, CandidateResult]], files: list[dict[str, str]]
) -> None:
    names = {"NVIDIA": "nvidia.com/gpu", "AMD": "amd.com/gpu", "Google": "google.com/tpu"}
    seen = set()
    for (_, result), texts in zip(chosen, files, strict=True):
        vendor = result.candidate.accelerator.vendor
        candidate = result.candidate
        n_chips = candidate.n_chips // candidate.n_hosts if candidate.offer.chips_per_host == 1 else None
        n_chips = n_chips or min(candidate.offer.chips_per_host, candidate.n_chips)
        for text in by_ending([texts], "kubernetes.yaml"):
            pods = [one["spec"]["template"]["spec"] for one in documents(text) if "template" in one["spec"]]
            chips = [pod["containers"][0]["resources"]["limits"] for pod in pods]
            assert vendor not in names or chips == [{names[vendor]: n_chips}]
            seen.add(vendor)
    assert seen >= set(names)


def test_single_hosts_share_a_pool_and_slices_of_several_have_one_each(
    sets: tuple[ResultSet, ...], catalogue: Catalogue
) -> None:
    seen = set()
    for result in sets[1].results:
        order = order_of(sets[1].profile, result, catalogue)
        text = gke(order) if order.n_hosts > 1 and order.is_tpu else None
        if text is not None:
            is_wide = order.hosts_of_slice > 1
            loop = re.search(r"for number in \$\(seq 0 (\d+)\)", text)
            assert (int(loop[1]) + 1 if loop else 1) == (order.n_slices if is_wide else 1)
            assert f"--num-nodes={order.hosts_of_slice if is_wide else order.n_hosts}" in text
            seen.add((is_wide, order.n_slices > 1))
    assert (False, True) in seen


def test_what_names_a_machine_that_the_catalogue_does_not_know_gets_no_pool(
    sets: tuple[ResultSet, ...], catalogue: Catalogue
) -> None:
    result = next(
        one
        for one in sets[0].results
        if one.candidate.offer.provider == "gcp" and gke(order_of(sets[0].profile, one, catalogue))
    )
    order = order_of(sets[0].profile, result, catalogue)
    assert gke(replace(order, machine="")) is None
    elsewhere = result.candidate.offer.model_copy(update={"provider": "aws"})
    assert gke(replace(order, result=replace(result, candidate=replace(result.candidate, offer=elsewhere)))) is None


def test_each_file_is_for_its_own_seller(
    files: list[dict[str, str]], chosen: list[tuple[ResultSet, CandidateResult]]
) -> None:
    own = {"aws.sh": "aws", "azure.sh": "azure", "gcloud.sh": "gcp", "gke-node-pool.sh": "gcp"}
    seen = set()
    for (_, result), texts in zip(chosen, files, strict=True):
        for ending, seller in own.items():
            if any(name.endswith(ending) for name in texts):
                assert result.candidate.offer.provider == seller
                seen.add(ending)
    assert seen == set(own)


def test_machine_types_are_those_of_the_catalogue(files: list[dict[str, str]], catalogue: Catalogue) -> None:
    known = {host.instance for host in catalogue.hosts}
    told = set(re.findall(r"(?:--machine-type=|--instance-type=|--size=|instance_type: )\"?([\w.-]+)", "".join(
        text for each in files for text in each.values()
    )))  # fmt: skip
    assert len(told) > 5 and told <= known


def test_a_slice_of_many_hosts_is_a_pool_with_its_topology(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    result, texts = one_of(sets, catalogue, 0, lambda chip, _, n: chip.id == "tpu-v6e" and n >= 256)
    shape = result.throughput.system.slice
    assert shape is not None
    n_hosts = shape.n_chips // result.candidate.offer.chips_per_host
    assert "--tpu-topology=16x16" in texts["gke-node-pool.sh"] and f"--num-nodes={n_hosts}" in texts["gke-node-pool.sh"]
    job = documents(texts["kubernetes.yaml"])[0]
    assert job["spec"]["completions"] == n_hosts
    assert job["spec"]["template"]["spec"]["nodeSelector"] == {
        "cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-tpu-topology": "16x16",
    }  # fmt: skip
    assert documents(texts["skypilot.yaml"])[0]["resources"]["accelerators"] == "tpu-v6e-256"
    assert "--accelerator-type=v6e-256" in texts["gcloud.sh"] and "slurm.sh" not in texts


def test_slices_of_every_size_are_those_of_the_catalogue(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    """Each shape is one that is attested, and hosts, shape and type's number say the same number of chips."""
    known = {(one.accelerator_id, one.slice_name): one for one in catalogue.slices}
    seen: set[tuple[str, str]] = set()
    for results in sets:
        for result in results.results:
            shape, chip = result.throughput.system.slice, result.candidate.accelerator
            if shape is None or (chip.id, shape.slice_name) in seen:
                continue
            seen.add((chip.id, shape.slice_name))
            told = files_of(results.profile, result, catalogue)
            attested = known[chip.id, shape.slice_name]
            assert prod(attested.dims) == attested.n_chips == shape.n_chips
            topology = "x".join(map(str, attested.dims))
            for name, text in told.items():
                if name.endswith("gcloud.sh"):
                    assert f"-{attested.slice_name.rpartition('-')[2]} " in text
                elif "node-pools create" in text:
                    n_nodes = int(re.search(r"--num-nodes=(\d+)", text).group(1))  # type: ignore[union-attr]
                    in_machine = int(re.search(r"--machine-type=\S+-(\d+)t", text).group(1))  # type: ignore[union-attr]
                    is_wide = attested.n_chips > in_machine
                    assert n_nodes * in_machine == (attested.n_chips if is_wide else result.candidate.n_chips)
                    way = "--accelerator-topology=" if chip.id == "tpu7x" else "--tpu-topology="
                    assert (f"{way}{topology}" in text) is is_wide
    assert {chip for chip, _ in seen} >= {"tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu7x"} and len(seen) > 15


def test_shapes_of_tpu7x_come_from_a_policy(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    """GKE takes no topology for them, and Cloud TPU's interface is not known to make them."""
    _, texts = one_of(sets, catalogue, 0, lambda chip, _, n: chip.id == "tpu7x" and n >= 64)
    pool = texts["gke-node-pool.sh"]
    assert "--tpu-topology" not in pool and "--placement-policy=pretraining-70b" in pool
    assert pool.index("workload-policy pretraining-70b") < pool.index("node-pools create")
    assert "gcloud.sh" not in texts


@pytest.mark.parametrize(("n_hosts", "dims"), [(1, (2, 2, 1)), (2, (2, 2, 2)), (4, (2, 2, 4))])
def test_slices_of_two_hosts_of_tpu7x_and_more_have_a_policy(
    sets: tuple[ResultSet, ...], catalogue: Catalogue, n_hosts: int, dims: tuple[int, ...]
) -> None:
    result, _ = one_of(sets, catalogue, 0, lambda chip, offer, n: chip.id == "tpu7x" and n >= 64)
    speed = result.throughput
    assert speed.system.slice is not None
    shape = speed.system.slice.model_copy(update={"dims": dims, "n_chips": prod(dims)})
    sliced = replace(result, throughput=replace(speed, system=replace(speed.system, slice=shape)))
    order = order_of(sets[0].profile, sliced, catalogue)
    text = gke(order)
    assert text is not None and order.hosts_of_slice == n_hosts
    assert ("workload-policy" in text) == ("--placement-policy=" in text) == (n_hosts > 1)


def test_what_a_cluster_needs_besides_is_marked(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    """A run over many machines; single ones, and replicas of a service, need nothing."""
    for seller, end, what in (
        ("aws", "aws.sh", "efa"),
        ("azure", "azure.sh", "InfiniBand"),
        ("gcp", "gcloud.sh", "compact"),
    ):
        _, texts = one_of(
            sets,
            catalogue,
            0,
            lambda chip, offer, n, own=seller: offer.provider == own and chip.kind == "gpu" and n > 8,
        )
        assert re.search(rf"^# FILL IN, as the machines work as one: .*{what}", texts[end], re.MULTILINE)
    _, texts = one_of(sets, catalogue, 1, lambda _, offer, n: offer.provider == "aws" and n == 8)
    assert "work as one" not in texts["aws.sh"]
    assert (
        '--ssh-key-values="${SSH_KEY_FILE'
        in one_of(sets, catalogue, 1, lambda _, offer, __: offer.provider == "azure")[1]["azure.sh"]
    )


def test_spot_and_time_are_told(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    result, texts = one_of(
        sets, catalogue, 0,
        lambda _, offer, __: offer.purchase_model == "spot" and offer.provider == "aws",
    )  # fmt: skip
    assert documents(texts["skypilot.yaml"])[0]["resources"]["use_spot"] is True
    assert "MarketType=spot" in texts["aws.sh"] and "take the machines back" in texts["aws.sh"]
    days, hours = re.search(r"--time=(\d+)-(\d\d):00:00", texts["slurm.sh"]).groups()  # type: ignore[union-attr]
    assert 0 <= int(days) * 24 + int(hours) - result.run_h.high < 1


def test_offers_of_single_chips_order_every_chip(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    """A price of one card, at a seller of hosts of eight: files asked for an eighth of the chips."""
    result, texts = one_of(
        sets, catalogue, 0,
        lambda chip, offer, n: offer.provider == "runpod" and offer.chips_per_host == 1 and n >= 32,
    )  # fmt: skip
    candidate = result.candidate
    assert candidate.n_hosts * 8 == candidate.n_chips
    [job, _] = documents(texts["kubernetes.yaml"])
    [container] = job["spec"]["template"]["spec"]["containers"]
    [(_, a_pod)] = container["resources"]["limits"].items()
    assert job["spec"]["completions"] * a_pod == candidate.n_chips
    assert f"--nodes={candidate.n_hosts}\n" in texts["slurm.sh"] and "--gpus-per-node=8\n" in texts["slurm.sh"]
    [task] = documents(texts["skypilot.yaml"])
    assert task["num_nodes"] == candidate.n_hosts and set(task["resources"]) == {"infra", "accelerators", "use_spot"}
    assert ", 8 a node" in texts["skypilot.yaml"]
    assert f"FILL IN, one of 8 chips (the price is that of {candidate.offer.instance})" in texts["slurm.sh"]


def test_a_host_of_ones_own_rests_on_no_sellers_contract(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    result, _ = one_of(sets, catalogue, 0, lambda _, offer, __: offer.provider == "coreweave")
    offer = result.candidate.offer.model_copy(update={"provider": "own", "purchase_model": "owned"})
    own = replace(result, candidate=replace(result.candidate, offer=offer))
    text = files_of(sets[0].profile, own, catalogue)[f"{slug(sets[0].profile.id)}-slurm.sh"]
    assert "contract" not in text and "nothing here buys or books" in text
    single, texts = one_of(sets, catalogue, 1, lambda _, offer, n: offer.chips_per_host == n)
    assert single.candidate.n_hosts == 1
    assert re.search(r"; 1 host, \d+ chips?\n", texts["kubernetes.yaml"])


def test_a_service_is_no_job(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    _, texts = one_of(sets, catalogue, 1, lambda _, offer, __: offer.provider == "gcp")
    assert documents(texts["kubernetes.yaml"])[0]["kind"] == "Deployment" and "slurm.sh" not in texts


@pytest.mark.parametrize(("tensor_ranks", "stages", "is_told"), [(8, 1, False), (8, 2, True), (16, 1, True)])
def test_a_replica_over_several_hosts_says_that_nothing_keeps_it_together(
    sets: tuple[ResultSet, ...], catalogue: Catalogue, tensor_ranks: int, stages: int, is_told: bool
) -> None:
    """Hosts of eight chips; a run that ends keeps its pods together as one job whatever its layout."""
    for results, is_service in ((sets[1], True), (sets[0], False)):
        one = next(one for one in results.results if one.candidate.offer.chips_per_host == 8 and one.throughput.fits)
        layout = replace(one.throughput.layout, tp=tensor_ranks, pp=stages)
        wide = replace(one, throughput=replace(one.throughput, layout=layout))
        texts = files_of(results.profile, wide, catalogue)
        manifest = next(text for name, text in texts.items() if name.endswith("kubernetes.yaml"))
        assert ("A replica spans several hosts" in manifest) is (is_told and is_service)


@pytest.mark.parametrize("n_hosts", [1, 2, 3])
def test_two_machines_of_a_run_work_as_one_and_a_single_one_does_not(
    sets: tuple[ResultSet, ...], catalogue: Catalogue, n_hosts: int
) -> None:
    result = next(one for one in sets[0].results if one.candidate.offer.chips_per_host == 8)
    wide = replace(result, candidate=replace(result.candidate, n_chips=8 * n_hosts, n_hosts=n_hosts))
    order = order_of(sets[0].profile, wide, catalogue)
    assert order.n_hosts == n_hosts
    assert len(order.together("a network")) == (n_hosts > 1)


def test_a_seller_that_no_tool_knows_gets_no_command_of_one(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    _, texts = one_of(sets, catalogue, 0, lambda _, offer, __: offer.provider == "coreweave")
    assert set(texts) == {"kubernetes.yaml", "slurm.sh"}


HOSTILE = 'x"; rm -rf ~ $(touch hacked) `id`\n#SBATCH --wrap=id\u2028run: evil\r- \x00'


def test_hostile_names_are_texts(
    chosen: list[tuple[ResultSet, CandidateResult]], catalogue: Catalogue, tmp_path: Path
) -> None:
    """They stand in one comment each; machine names that somebody typed are no facts and are left out."""
    for results, result in chosen[::7]:
        offer = result.candidate.offer.model_copy(update={"instance": HOSTILE, "region": HOSTILE})
        evil = replace(result, candidate=replace(result.candidate, offer=offer, regions=()))
        profile = results.profile.model_copy(update={"name": HOSTILE, "id": HOSTILE})
        for name, text in files_of(profile, evil, catalogue).items():
            assert re.fullmatch(r"[a-z][a-z0-9.-]+", name)
            lines = [line for line in text.splitlines() if not line.startswith("# ")]
            assert not [line for line in lines if line.startswith("#SBATCH --wrap")]
            if name.endswith(".yaml"):
                assert all(fits(one, SKY_TASK if "sky" in name else JOB) for one in documents(text))
            else:
                (tmp_path / "evil.sh").write_text(text, encoding="utf-8")
                assert subprocess.run(["bash", "-n", str(tmp_path / "evil.sh")], check=False).returncode == 0
                assert "$(touch" not in "".join(lines) or "'" in "".join(lines)


def test_words_are_quoted_where_yaml_would_read_them() -> None:
    values = {
        "a": "no",
        "b": "1",
        "c": "x: y",
        "d": "true",
        "e": ["on", Fill("it")],
        "f": Script(("x", "  y")),
        "g": "",
        "h": True,
        "i": 3,
    }
    read = documents("\n".join(yaml_lines(values)))[0]
    assert read == {
        "a": "no",
        "b": "1",
        "c": "x: y",
        "d": "true",
        "e": ["on", "FILL-IN"],
        "f": "x\ny",
        "g": "",
        "h": True,
        "i": 3,
    }


@pytest.mark.parametrize(
    ("text", "name"), [("Chat 70B!", "chat-70b"), ("70B", "roofplan-70b"), ("聊天", "roofplan"), ("a" * 90, "a" * 40)]
)
def test_names_suit_every_tool(text: str, name: str) -> None:
    assert slug(text) == name


def test_a_comment_is_one_line() -> None:
    assert comment("a\nb\u2028c") == "# a b c"


def test_a_folder_that_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(MachineError, match="hand-off"):
        write_files({"a.sh": "x"}, tmp_path / "file" / "below")
    assert [path.read_text() for path in write_files({"a.sh": "x\n"}, tmp_path / "new")] == ["x\n"]


def test_a_command_that_is_run_once_stands_in_no_loop() -> None:
    once, thrice = (script(["# a"], [], ["echo", "--x"], times) for times in (1, 3))
    assert "for number" not in once and once.endswith("\necho \\\n    --x\n")
    assert "for number in $(seq 0 2); do\n  echo" in thrice and thrice.endswith("\ndone\n")


def test_the_number_of_a_slice_is_nothing_to_fill_in() -> None:
    looped = script(["# a"], [], ["echo", ("x-", EACH)], 3)
    assert 'echo x-"${number}"' in looped and "filled in" not in looped


def test_a_machine_of_a_large_cloud_is_named_in_the_task(sets: tuple[ResultSet, ...], catalogue: Catalogue) -> None:
    """And of a reserved block that the task by itself would not take it."""
    wanted = ("aws", "capacity_block")
    _, texts = one_of(sets, catalogue, 0, lambda _, offer, __: (offer.provider, offer.purchase_model) == wanted)
    told = documents(texts["skypilot.yaml"])[0]["resources"]
    assert told["instance_type"] in texts["aws.sh"] and "accelerators" not in told
    assert "# FILL IN: the reserved block in SkyPilot's configuration" in texts["skypilot.yaml"]


def test_a_full_disk_leaves_the_hand_off_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.sh").write_text("of yesterday")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(whole_file.os, "fsync", full)
    with pytest.raises(MachineError, match="No space left"):
        write_files({"a.sh": "x"}, tmp_path)
    assert (tmp_path / "a.sh").read_text() == "of yesterday"
