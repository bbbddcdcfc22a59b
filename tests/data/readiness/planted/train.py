# ruff: noqa
"""A training script with everything in it that another chip does not like. Read by tests, never run."""

import os
import subprocess

import apex  # PLANTED: library
import deepspeed  # PLANTED: library
import pynvml  # PLANTED: driver
import torch
import torch.distributed as dist
import torch.nn.functional as F
from flash_attn import flash_attn_func  # PLANTED: library
from nvidia.dali import pipeline_def  # PLANTED: library
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoTokenizer

dist.init_process_group(backend="nccl")  # PLANTED: nccl
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))  # PLANTED: cuda-device
torch.cuda.manual_seed_all(7)  # PLANTED: cuda-device
torch.ops.load_library("build/fused.so")  # PLANTED: loaded-library
subprocess.run(["nvidia-smi", "-L"], check=True)  # PLANTED: driver
scaler = torch.cuda.amp.GradScaler()  # PLANTED: loss-scaling
tokenizer = AutoTokenizer.from_pretrained("some-model")


def collate(rows):
    batch = tokenizer(rows, padding="longest", return_tensors="pt")  # PLANTED: batch-padding
    labels = pad_sequence([row["labels"] for row in rows])  # PLANTED: batch-padding
    return batch, labels


class Router(nn.Module):
    def forward(self, x):
        weights = F.softmax(x, dim=-1)
        if weights.max() > 0.9:  # PLANTED: branch-on-value
            x = x * 2
        chosen = torch.nonzero(weights > 0.5)  # PLANTED: nonzero
        kept = x[weights > 0.5]  # PLANTED: boolean-index
        picked = torch.masked_select(x, weights > 0.5)  # PLANTED: masked-select
        experts = torch.unique(chosen)  # PLANTED: unique
        where = torch.where(weights > 0.1)  # PLANTED: nonzero
        counts = weights.sum(0)
        spread = torch.repeat_interleave(x, counts)  # PLANTED: repeats
        for turn in range(int(counts.max())):  # PLANTED: length-from-value scalar-cast
            x = x + turn
        assert (x > 0).all(), "must be positive"  # PLANTED: assert-on-value
        rows = torch.nested.nested_tensor([kept, picked])  # PLANTED: ragged
        table = weights.to_sparse()  # PLANTED: sparse
        return x, experts, where, spread, rows, table


def solve(x: torch.Tensor, most: int) -> torch.Tensor:
    error = torch.ones(())
    while error > 1e-3:  # PLANTED: loop-on-value
        step = torch.tanh(x) - x
        error = step.abs().max()
        x = x + step
    out = torch.zeros(1)
    for _ in range(most):
        out = torch.cat([out, x[:1]])  # PLANTED: growing-tensor
    return out.double()  # PLANTED: fp64


def train(model, loader, optimizer):
    model = nn.DataParallel(model).cuda()  # PLANTED: data-parallel cuda-device
    model = torch.compile(model, dynamic=True)  # PLANTED: marked-dynamic
    fast = torch.compile(model, backend="inductor")  # PLANTED: cuda-compiler
    side = torch.cuda.Stream()  # PLANTED: cuda-api
    half = torch.float16  # PLANTED: fp16
    for step, (batch, labels) in enumerate(loader):
        batch = batch.to("cuda", dtype=half)  # PLANTED: cuda-device
        loss = F.cross_entropy(fast(batch), labels)
        loss.backward()
        total = loss.item()  # PLANTED: item
        print(f"loss {loss}")  # PLANTED: printed-tensor
        number = float(loss)  # PLANTED: scalar-cast
        values = loss.detach().cpu()  # PLANTED: to-host
        torch.cuda.synchronize()  # PLANTED: wait-for-chip
        torch.cuda.empty_cache()  # PLANTED: cuda-memory
        if step % 100 == 0:
            print(step, loss.item(), total, number, values, side)
