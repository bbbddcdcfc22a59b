# ruff: noqa
"""A training script that runs anywhere: no finding is right. Read by tests, never run."""

import argparse
import time

import torch
import torch.nn.functional as F
from torch import nn
from transformers import AutoTokenizer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained("some-model")
DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16}


def collate(rows, length=2048):
    return tokenizer(rows, padding="max_length", max_length=length, truncation=True, return_tensors="pt")


class Block(nn.Module):
    def __init__(self, width, heads, dropout=0.0):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = dropout

    def forward(self, x, mask=None):
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        if x.dim() == 2:
            x = x.unsqueeze(0)
        if self.training and self.dropout > 0:
            x = F.dropout(x, self.dropout)
        batch, length, width = x.shape
        assert width == self.norm.normalized_shape[0]
        y = self.norm(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        for _ in range(2):
            x = torch.where(x > 0, x, 0.5 * x)
        if x.dtype == torch.float16:
            x = x.to(torch.bfloat16)
        return x + self.down(F.gelu(self.up(x)))


def parameters_of(model):
    return sum(one.numel() for one in model.parameters())


def train(model, loader, optimizer, args):
    model = torch.compile(model.to(device))
    began, losses = time.time(), []
    for step, batch in enumerate(loader):
        batch = {name: value.to(device) for name, value in batch.items()}
        with torch.autocast(device.type, dtype=torch.bfloat16):
            loss = F.cross_entropy(model(batch["input_ids"]), batch["labels"])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % args.log_every == 0:
            losses.append(loss.item())
            print(f"step {step}: loss {loss.item():.3f}, {time.time() - began:.1f} s")
        if step > args.steps and batch["input_ids"].shape[1] > 1:
            break
    return losses


def report(losses: list[float]) -> float:
    total = float(sum(losses))
    while total > 100.0:
        total /= 10.0
    unique = set(losses)
    for item in sorted(unique):
        print(item, int(total))
    return total


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--log-every", type=int, default=10)
    print(parser.parse_args())
