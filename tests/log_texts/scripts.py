"""Small logs of training scripts and trackers as they print them, by the id of their format; made up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

NANOGPT = "tokens per iteration will be: 491,520\nnumber of parameters: 123.59M\n" + "".join(
    (f"step {n}: train loss 3.1, val loss 3.2\nsaving checkpoint to out\n" if n % 30 == 0 else "")
    + f"iter {n}: loss 3.1000, time {30000 if n % 30 == 0 else 120}.00ms, mfu {'-100.00' if n < 20 else '42.50'}%\n"
    for n in range(0, 90, 10)
)
NANOCHAT = "".join(
    f"step {n:05d}/21400 (0.10%) | loss: 3.1{n} | lrm: 1.00 | dt: 500.00ms | tok/sec: 1,048,576 | "
    "mfu: 47.50 | total time: 1.00m\n"
    for n in range(9)
)
SPEED_RUN = "".join(f"step:{n}/1750 train_time:{100 * n}ms step_avg:100.00ms\n" for n in range(1, 9))
LLM_C = (
    "| num_processes         | 8                                                  |\n"
    "| device                | NVIDIA A100-SXM4-80GB                              |\n"
    + "".join(
        f"step {n:4d}/19560 | loss 3.100000 (+0.10z)| norm 0.5000 (-0.20z)| lr 6.00e-04 | 350.00 ms | 48.5% bf16 MFU | "
        "1600000 tok/s\n"
        for n in range(1, 9)
    )
)
LITGPT = "".join(
    f"Epoch 1 | iter {n} step {n // 4} | loss train: 2.500, val: n/a | iter time: 250.00 ms"
    f"{' (step)' if n % 4 == 0 else ''} remaining time: 0:10:00\n"
    for n in range(1, 33)
)
TORCHTUNE = "".join(
    f"Step {n} | loss:2.5 lr:2e-05 tokens_per_second_per_gpu:1500.5 peak_memory_reserved:45.5 \n" for n in range(1, 9)
)
NANOTRON = "".join(
    f"01/10/2025 10:00:0{n} [INFO|DP=0|PP=0|TP=0]: iteration: {n} / 1000 | consumed_tokens: 4.19M | "
    "elapsed_time_per_iteration_ms: 2K | tokens_per_sec: 2.1M | tokens_per_sec_per_gpu: 32.8K | lm_loss: 2.5 | "
    "model_tflops_per_gpu: 412 | grad_norm: 0.5\n"
    for n in range(1, 9)
)
FAIRSEQ = "".join(
    f"2024-05-01 10:00:00 | INFO | train_inner | epoch 001:    {n} / 1000 loss=9.1, ppl=550, wps=45000.5, ups=2.5, "
    f"wpb=18000, bsz=512, num_updates={n}, lr=1e-4, wall=50\n"
    for n in range(1, 9)
)
LINGUA = "".join(
    f"INFO    24-11-01 10:00:0{n}.0 - 0:00:10 - step: {n}  acc: 0  loss:  2.5  grad:  0.5  flops: 4.12e+14  "
    "wps: 1.23e+04  iter:  1.25  data:  0.01  lr: 3e-4  mem: 45%  pow: 600.5 W\n"
    for n in range(1, 9)
)
OLMO = "".join(
    f"2024-05-01 10:00:0{n}.123 node1:0 olmo.train INFO [step={n}/739,328,epoch=0]\n    train/CrossEntropyLoss=2.5\n"
    "    throughput/total_tokens=4,194,304\n    throughput/device/tokens_per_second=12,345\n"
    "    throughput/device/batches_per_second=0.2000\n    System/Peak GPU Memory (MB)=40,960\n"
    for n in range(1, 9)
)
KERAS = "".join(
    f"Epoch {n}/8\n 50/100 [===>....] - ETA: 5s - loss: 2.6\n100/100 [======] - 20s 200ms/step - loss: 2.5000\n"
    for n in range(1, 9)
)
IMAGENET = "".join(
    f"Epoch: [0][{10 * n:5d}/5005]\tTime  0.300 ( 0.350)\tData  0.010 ( 0.020)\tLoss 6.9e+00 (6.9e+00)\n"
    for n in range(8)
)
TIMM = "".join(
    f"Train: 0 [{50 * n:4d}/1251 (  4%)]  Loss: 6.9 (6.9)  Time: 0.300s, 3413.33/s  (0.350s, 2925.71/s)  LR: 1e-06\n"
    for n in range(8)
)
WANDB_CHART = '"Step","run-a - tokens_per_sec","run-a - tokens_per_sec__MIN","run-b - tokens_per_sec"\n' + "".join(
    f'"{n}","1200.5","1100.5","{"" if n == 3 else "600.5"}"\n' for n in range(1, 9)
)
WANDB_HISTORY = "".join(
    json.dumps(
        {"_step": n, "_runtime": 20.0 * n, "_timestamp": 1.7e9 + 20 * n, "train/global_step": 10 * n, "train/loss": 2.5}
    )
    + "\n"
    for n in range(1, 9)
)
WANDB_TABLE = ",_step,_runtime,_timestamp,loss,tokens_per_sec\n" + "".join(
    f"{n},{n},{10 * n},{1700000000 + 10 * n},2.5,1200.5\n" for n in range(8)
)
WANDB_EVENTS = "".join(
    json.dumps(
        {
            "system.gpu.0.gpu": 95,
            "system.gpu.0.memoryAllocatedBytes": 2**34,
            "system.gpu.0.powerWatts": 300.5,
            "system.gpu.1.gpu": 85,
            "system.gpu.process.0.gpu": 1,
            "system.cpu": 10.0,
            "_timestamp": 1.7e9 + 15 * n,
        }
    )
    + "\n"
    for n in range(5)
)
INTERNLM = "".join(
    f"2025-03-07 23:40:{4 * n:02d},477\tINFO train.py:323 in record_current_batch_training_metrics -- "
    f"tflops=188.5,step={n},"
    f"loss=9.{n},tgs (tokens/gpu/second)=4050.5,lr=4.4e-06,micro_num=4,num_consumed_tokens={131072 * n}\n"
    for n in range(1, 9)
)
INTERNLM_BLANKS = "".join(
    f"2025-03-07 23:40:{4 * n:02d},047 INFO training_internlm.py:599 in record_current_batch_training_metrics -- "
    f"tflops=180.5 "
    f"step={n} loss=0.5 tgs (tokens/gpu/second)=3345.5 tgs/last_tgs_1=3345.7 tgs/tgs_all=2958.4 lr=1e-05 micro_num=4\n"
    for n in range(1, 9)
)
AXLEARN = "".join(
    f"I0312 08:1{n}:00.123456 140350 trainer.py:520] gpt_trainer process   {process} step {100 * n:8d}] "
    "Average step time: 2.45 seconds\n"
    for n in range(1, 6)
    for process in (0, 1)
)
LEVANTER = "".join(
    f"2025-07-28T10:0{n}:01 - 0 - levanter.tracker.tqdm_logging - tqdm_logging.py:68 - INFO :: "
    f"Progress on:train {2.9 + n / 10:.2f}kit/10.0kit rate:1.6it/s remaining:1:02:12 elapsed:2{n}:20 postfix:loss=2.8\n"
    for n in range(1, 6)
)
OPENMMLAB = "".join(
    f"2025/03/07 23:40:{5 * n:02d} - mmengine - INFO - Epoch(train) [2][{50 * n:4d}/1000]  "
    f"lr: 1.0000e-03  eta: 1:00:12  "
    f"time: 0.5000  data_time: 0.0120  memory: 10234  loss: 0.9{n}\n"
    for n in range(1, 9)
)
DETECTRON2 = "".join(
    f"[03/07 23:40:{5 * n:02d} d2.utils.events]:  eta: 1:00:12  iter: {20 * n - 1}  total_loss: 1.2  time: 0.2500  "
    "last_time: 0.2  data_time: 0.0100  last_data_time: 0.003   lr: 0.0001  max_mem: 3200M\n"
    for n in range(1, 9)
)
LLAMA_FACTORY = "".join(
    json.dumps({"current_steps": 10 * n, "total_steps": 100, "loss": 1.1, "lr": 1e-5, "percentage": 10.0 * n,
                "elapsed_time": f"0:00:{6 * n:02d}", "remaining_time": "0:01:00", "throughput": 4100.5})
    + "\n"
    for n in range(1, 9)
)  # fmt: skip

BY_FORMAT: Mapping[str, Sequence[str]] = {
    "nanogpt": (NANOGPT, NANOCHAT, SPEED_RUN),
    "llm-c": (LLM_C,),
    "litgpt": (LITGPT,),
    "torchtune-disk": (TORCHTUNE,),
    "nanotron": (NANOTRON,),
    "fairseq": (FAIRSEQ,),
    "lingua": (LINGUA,),
    "olmo": (OLMO,),
    "keras-bar": (KERAS,),
    "average-meters": (IMAGENET, TIMM),
    "wandb-history": (WANDB_CHART, WANDB_HISTORY, WANDB_TABLE),
    "wandb-events": (WANDB_EVENTS,),
    "internlm": (
        INTERNLM,
        INTERNLM_BLANKS,
    ),
    "axlearn": (AXLEARN,),
    "levanter": (LEVANTER,),
    "openmmlab": (
        OPENMMLAB,
        DETECTRON2,
    ),
    "llama-factory": (LLAMA_FACTORY,),
}
