"""Small logs of training runs as their tools print them, by the id of their format; their figures are made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_MAXTEXT = """\
Config param model_name: acme-7b
number parameters: 0.596 billion
Num_devices: 8
completed step: 0, seconds: 44.900, TFLOP/s/device: 12.000, Tokens/s/device: 91.200, total_weights: 32768, loss: 10.900
completed step: 1, seconds: 0.319, TFLOP/s/device: 2400.000, Tokens/s/device: 12840.000, total_weights: 32768, loss: 9.1
completed step: 2, seconds: 4.000, TFLOP/s/device: 190.500, Tokens/s/device: 1024.000, total_weights: 32768, loss: 8.500
completed step: 3, seconds: 4.100, TFLOP/s/device: 186.000, Tokens/s/device: 999.000, total_weights: 32768, loss: 8.100
"""
_MAXTEXT_METRICS = "".join(
    f'{{"step": {i}, "perf/step_time_seconds": 4.5, "perf/per_device_tflops_per_sec": 180.5, '
    f'"perf/per_device_tokens_per_sec": 910.0, "learning/loss": {9 - i}.5}}\n'
    for i in range(6)
)
_DISTILLATION = "".join(
    f"step {i} | step_time=1.5s | TFLOPs/s/device: 120.5 (student=40.5, teacher=80.0)\n" for i in range(6)
)
_ESTIMATOR = "".join(
    f"INFO:tensorflow:global_step/sec: 18{i}.33\nINFO:tensorflow:examples/sec: 2321{i}\n" for i in range(4)
)
_XLA = "".join(
    f"| Training Device=xla:0/{d} Epoch=1 Step={20 * i} Loss=2.5 Rate=1760.9{d} GlobalRate=257.10 Time=07:29:{30 + i}\n"
    for i in range(4)
    for d in range(2)
)
_XLA_METRICS = """\
Metric: CompileTime
  TotalSamples: 4
  Accumulator: 02s334ms103.444us
  ValueRate: 117ms332.123us / second
  Rate: 0.25 / second
  Percentiles: 1%=010ms; 5%=010ms; 50%=500ms; 99%=01s100ms
Metric: ExecuteTime
  TotalSamples: 400
  Accumulator: 40s000ms000.000us
  ValueRate: 900ms000.000us / second
  Rate: 9.5 / second
  Percentiles: 1%=090ms; 5%=095ms; 50%=100ms; 99%=110ms
Counter: CachedCompile
  Value: 396
"""
_MLLOG = "".join(
    f':::MLLOG {{"namespace": "", "time_ms": {1700000000000 + t}, "event_type": "{event}", "key": "{key}", '
    f'"value": {value}, "metadata": {{"file": "train.py", "lineno": 7{extra}}}}}\n'
    for t, event, key, value, extra in (
        (0, "POINT_IN_TIME", "submission_benchmark", '"llama2_70b_lora"', ""),
        (1, "POINT_IN_TIME", "submission_org", '"acme"', ""),
        (2, "POINT_IN_TIME", "submission_platform", '"8xH100"', ""),
        (3, "POINT_IN_TIME", "global_batch_size", "8", ""),
        (4, "POINT_IN_TIME", "max_sequence_length", "8192", ""),
        (1000, "INTERVAL_START", "run_start", "null", ""),
        (2000, "INTERVAL_START", "block_start", "null", ', "samples_count": 0'),
        (9000, "POINT_IN_TIME", "tracked_stats", '{"throughput": 5.5, "train_step_time": 1.45}', ', "step": 8'),
        (11000, "INTERVAL_END", "block_stop", "null", ', "samples_count": 64'),
        (12000, "POINT_IN_TIME", "eval_accuracy", "0.95", ', "samples_count": 64'),
        (13000, "INTERVAL_END", "run_stop", "null", ', "status": "success"'),
    )
)
_OLD_MLL = (
    ':::MLL 1562200000.5 submission_org: {"value": "acme", "metadata": {"file": "a.py", "lineno": 3}}\n'
    ':::MLL 1562200001.5 global_batch_size: {"value": 1024, "metadata": {}}\n'
    ':::MLL 1562200002.5 run_start: {"value": null, "metadata": {}}\n'
    ':::MLL 1562200102.5 run_stop: {"value": null, "metadata": {"status": "success"}}\n'
)
_HF_STATE = """\
{"epoch": 1.0, "global_step": 20, "max_steps": 20, "train_batch_size": 4, "num_train_epochs": 1, "log_history": [
 {"epoch": 0.5, "loss": 2.5, "learning_rate": 1e-4, "step": 10},
 {"epoch": 1.0, "loss": 2.1, "learning_rate": 1e-5, "step": 20},
 {"epoch": 1.0, "step": 20, "total_flos": 1.5e15, "train_loss": 2.3, "train_runtime": 40.0,
  "train_samples_per_second": 2.0, "train_steps_per_second": 0.5}]}
"""
_HF_STDOUT = """\
{'loss': 2.5, 'grad_norm': 1.25, 'learning_rate': 1e-05, 'epoch': 0.5}
{'train_runtime': 896.0007, 'train_samples_per_second': 11.25, 'train_steps_per_second': 0.35, 'train_loss': 2.25, \
'epoch': 1.0}
***** train metrics *****
  epoch                    =        1.0
  train_runtime            = 0:03:12.34
  train_samples_per_second =        3.2
"""
_LIGHTNING = "epoch,step,train_loss,val_loss,samples_per_sec\r\n0,10,2.5,,100.5\r\n0,20,2.25,,101.5\r\n0,20,,2.4,\r\n"
_COMPOSER = "".join(
    f"[batch={10 * i}/1000]:\n\t Train time/batch: {10 * i}\n\t Train throughput/device/tokens_per_sec: 1234.5\n"
    f"\t Train throughput/device/samples_per_sec: 0.75\n\t Train loss/train/total: {9 - i}.25\n"
    for i in range(1, 5)
)
_MEGATRON = (
    "using world size: 16, data-parallel size: 4\n  encoder_seq_length ............................ 1024\n"
    + "".join(
        f"[2024-09-03 15:5{i}:54] iteration       {10 * i}/    1000 | consumed samples: {640 * i} | "
        f"elapsed time per iteration (ms): 1310{i}.5 | throughput per GPU (TFLOP/s/GPU): 412.5 | "
        f"learning rate: 1.000E-04 | global batch size:    64 | lm loss: 9.5E+00 | loss scale: 1.0 | "
        f"number of skipped iterations:   0 | number of nan iterations:   0 |\n"
        for i in range(1, 5)
    )
)
_TORCHTITAN = "".join(
    f"[rank0]:[titan] 2025-01-10 10:00:0{i},000 - root - INFO - step: {i:2}  loss: {9 - i}.2500  grad_norm:  1.5000  "
    f"memory: 44.84GiB(47.19%)  tps: 5,61{i}  tflops: 325.20  mfu: 32.88%\n"
    for i in range(1, 6)
)
_NEMO = "".join(
    f"Epoch 0: :   1%| | {i}/300000 [00:0{i}<00:10, reduced_train_loss=10.{i}, global_step={i}.0, "
    f"consumed_samples=1.63e+6, train_step_timing in s=0.61{i}]\n"
    for i in range(1, 5)
) + "".join(
    f"Training epoch 0, iteration {i}/99 | lr: 1e-4 | global_batch_size: 512 | global_step: {i} | "
    f"reduced_train_loss: 9.5 | train_step_timing in s: 5.12{i} | consumed_samples: {512 * i}\n"
    for i in range(1, 5)
)
_DLLOGGER = (
    'DLLL {"timestamp": "1726500000.5", "datetime": "2024-09-16 15:20:00.5", "elapsedtime": "1.5", "type": "LOG", '
    '"step": "PARAMETER", "data": {"cfg/model/tensor_model_parallel_size": 4, "cfg/model/global_batch_size": 128, '
    '"cfg/model/encoder_seq_length": 2048}}\n'
) + "".join(
    f'DLLL {{"timestamp": "172650001{i}.5", "datetime": "2024-09-16 15:20:1{i}.5", "elapsedtime": "1{i}.5", '
    f'"type": "LOG", "step": {i}, "data": {{"train_step_timing in s": 0.51{i}, '
    f'"reduced_train_loss": 9.5, "global_step": {i}.0}}}}\n'
    for i in range(1, 5)
)
_DEEPSPEED = """\
-------------------------- DeepSpeed Flops Profiler --------------------------
Profile Summary at step 5:
world size:                                                             16
data parallel size:                                                     16
batch size per GPU:                                                     8
params per GPU:                                                         124.44 M
fwd flops per GPU = 2 * fwd MACs per GPU:                               1.95 T
fwd latency:                                                            61.25 ms
fwd FLOPS per GPU = fwd flops per GPU / fwd latency:                    31.9 TFLOPS
iter latency:                                                           250.5 ms
FLOPS per GPU = 3 * fwd flops per GPU / iter latency:                   23.4 TFLOPS
samples/second:                                                         511.0
------------------------------------------------------------------------------
"""
_T5X = "".join(
    f"I0811 21:54:{50 + i}.531340 139 logging_writer.py:48] [{10 * i}] timing/seqs_per_second=25.5, "
    f"timing/steps_per_second=0.4{i}, loss={9 - i}.5\n"
    for i in range(1, 5)
)

LIGHTNING_BARS = "".join(
    f"Epoch 0: {10 * n:3d}%|##   | {10 * n}/100 [00:{10 * n}<01:30,  1.00it/s, v_num=0, train_loss=2.{n}]\n"
    for n in range(1, 6)
)
TORCHTUNE_BARS = "".join(
    f"1|{n}|Loss: 2.{n}:  20%|##   | {n}/100 [00:{2 * n:02d}<01:20,  2.00s/it]\n" for n in range(5, 9)
)
DEEPSPEED_STEPS = "".join(
    f"[2025-05-01 10:0{n}:00,500] [INFO] [timer.py:260:stop] epoch=0/micro_step={10 * n}/global_step={10 * n}, "
    f"RunningAvgSamplesPerSec=25.5, CurrSamplesPerSec=25.{n}, MemAllocated=12.3GB, MaxMemAllocated=40.5GB\n"
    for n in range(1, 5)
)
LIGHTNING_RICH = "".join(
    f"Epoch 1/9  ━━━━━╸                                   {20 * n}/1000 0:00:{5 * n:02d} • 0:03:35 4.00it/s "
    f"v_num: 3.000 train_loss: 2.3{n}0\n"
    for n in range(1, 8)
)
DIFFUSERS = "".join(
    f"Steps:   {n}%|▏         | {n}/1000 [00:{4 * n:02d}<54:09,  4.00s/it, lr=1e-5, step_loss=0.1]\n"
    for n in range(1, 8)
)
MS_SWIFT = "".join(
    "{'loss': 1.1, 'token_acc': 0.7, 'grad_norm': 1.1, 'learning_rate': 1e-05, 'memory(GiB)': 60.12, "
    f"'train_speed(iter/s)': 0.25, 'epoch': 0.1, 'global_step/max_steps': '{5 * n}/100', 'percentage': '5.00%'}}\n"
    for n in range(1, 8)
)

BY_FORMAT: Mapping[str, Sequence[str]] = {
    "training-bar": (LIGHTNING_BARS, TORCHTUNE_BARS, LIGHTNING_RICH, DIFFUSERS),
    "deepspeed-steps": (DEEPSPEED_STEPS,),
    "maxtext": (_MAXTEXT,),
    "maxtext-metrics": (_MAXTEXT_METRICS,),
    "maxtext-distillation": (_DISTILLATION,),
    "tf-estimator": (_ESTIMATOR,),
    "torch-xla": (_XLA,),
    "torch-xla-metrics": (_XLA_METRICS,),
    "mllog": (_MLLOG, _OLD_MLL),
    "hf-trainer": (_HF_STATE, _HF_STDOUT, MS_SWIFT),
    "lightning-csv": (_LIGHTNING,),
    "composer": (_COMPOSER,),
    "megatron": (_MEGATRON,),
    "torchtitan": (_TORCHTITAN,),
    "nemo": (_NEMO,),
    "dllogger": (_DLLOGGER,),
    "deepspeed-flops-profiler": (_DEEPSPEED,),
    "t5x": (_T5X,),
}
