"""Small logs of servers as their tools print them, written for the tests: their figures are made up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

VLLM_BLOCK = """\
Namespace(backend='vllm', model='acme/Model-7B', max_concurrency=64, num_prompts=100, request_rate=inf)
============ Serving Benchmark Result ============
Successful requests:                     98
Failed requests:                         2
Maximum request concurrency:             64
Benchmark duration (s):                  20.00
Total input tokens:                      98000
Total generated tokens:                  9800
Request throughput (req/s):              4.90
Output token throughput (tok/s):         490.00
Peak output token throughput (tok/s):    900.00
Peak concurrent requests:                70.00
Total Token throughput (tok/s):          5,390.00
---------------Time to First Token----------------
Mean TTFT (ms):                          250.50
Median TTFT (ms):                        200.00
P99 TTFT (ms):                           2500.00
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          25.00
Median TPOT (ms):                        24.00
P90 TPOT (ms):                           26.00
P99 TPOT (ms):                           30.00
---------------Inter-token Latency----------------
Mean ITL (ms):                           0.00
----------------End-to-end Latency----------------
Mean E2EL (ms):                          2700.00
==================================================
"""
SGLANG_BLOCK = """\
# request rate: 2
============ Serving Benchmark Result ============
Backend:                                 sglang
Max reqeuest concurrency:                not set
Successful requests:                     50
Benchmark duration (s):                  10.00
Total input tokens:                      5000
Total generated tokens:                  2500
Total generated tokens (retokenized):    2499
Request throughput (req/s):              5.00
Input token throughput (tok/s):          500.00
Output token throughput (tok/s):         250.00
Total throughput (tok/s):                750.00
Concurrency:                             8.25
----------------End-to-End Latency----------------
Mean E2E Latency (ms):                   1650.00
Median E2E Latency (ms):                 1600.00
---------------Time to First Token----------------
Mean TTFT (ms):                          100.00
P99 TTFT (ms):                           [cut]
"""
PLACEHOLDERS = """\
============ Serving Benchmark Result ============
Successful requests:                     xxxxxxx
Request throughput (req/s):              X.XX
Mean TTFT (ms):                          xxx
==================================================
"""
VLLM_JSON = """\
{"date": "20260110-101500", "backend": "vllm", "model_id": "acme/Model-7B", "num_prompts": 100, "request_rate": "inf",
 "max_concurrency": 16, "duration": 50.0, "completed": 99, "total_input_tokens": 99000, "total_output_tokens": 9900,
 "request_throughput": 1.98, "output_throughput": 198.0, "total_token_throughput": 2178.0, "mean_ttft_ms": 250.0,
 "median_ttft_ms": 200.0, "std_ttft_ms": 30.0, "p99_ttft_ms": 900.0, "mean_tpot_ms": 20.0, "mean_e2el_ms": 2200.0}
"""
SGLANG_JSONL = """\
{"backend": "sglang", "request_rate": 4.0, "max_concurrency": 8, "duration": 25.0, "completed": 100, \
"request_throughput": 4.0, "input_throughput": 400.0, "output_throughput": 200.0, "mean_e2e_latency_ms": 1500.0, \
"p99_ttft_ms": 80.0, "accept_length": null}
{"backend": "sglang", "request_rate": 8.0, "duration": 12.5, "completed": 100, "request_throughput": 8.0, \
"output_throughput": 390.0, "mean_e2e_latency_ms": 1900.0}
"""
INFERENCEX_JSON = """\
{"model_id": "acme/Model-700B", "num_prompts": 40, "max_concurrency": 4, "duration": 71.5, "completed": 40,
 "good_completed": null, "total_output_tokens": 5120, "request_throughput": 0.56, "output_throughput": 71.7,
 "median_ttft": 1.25, "p99_e2el": 9.5, "median_tpot": 0.045}
"""
INFERENCEX_AGGREGATE = """\
{"hw": "b200-trt", "conc": 64, "model": "acme/Model-700B", "framework": "trt", "precision": "fp4", "isl": 1024,
 "osl": 8192, "tp": 8, "ep": 1, "dp_attention": "false", "tput_per_gpu": 1000.0, "output_tput_per_gpu": 900.0,
 "input_tput_per_gpu": 100.0, "mean_ttft": 0.25, "median_tpot": 0.02, "median_intvty": 50.0}
"""
VLLM_OFFLINE = """\
Namespace(input_len=1024, output_len=128, num_prompts=1000, model='acme/Model-7B', tensor_parallel_size=4)
Throughput: 7.15 requests/s, 8236.80 total tokens/s, 915.20 output tokens/s
Throughput: 3.00 requests/s, 3456.00 tokens/s
Avg latency: 1.25 seconds
10% percentile latency: 1.2 seconds
50% percentile latency: 1.24 seconds
99% percentile latency: 1.5 seconds
"""
VLLM_OFFLINE_JSON = """\
{"elapsed_time": 12.5, "num_requests": 100, "total_num_tokens": 100000, "requests_per_second": 8.0, \
"tokens_per_second": 8000.0}
{"avg_latency": 2.5, "latencies": [2.4, 2.6], "percentiles": {"10": 2.4, "50": 2.5, "99": 2.6}}
"""
VLLM_ENGINE = """\
INFO 12-31 23:59:40 [llm_engine.py:234] Initializing an LLM engine with config: model='acme/Model-7B', \
tensor_parallel_size=2
INFO 12-31 23:59:50 [loggers.py:80] Engine 000: Avg prompt throughput: 100.0 tokens/s, Avg generation throughput: \
400.0 tokens/s, Running: 8 reqs, Waiting: 2 reqs, GPU KV cache usage: 40.5%, Prefix cache hit rate: 0.0%
INFO 01-01 00:00:00 [loggers.py:80] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: \
600.0 tokens/s, Running: 8 reqs, Waiting: 0 reqs, GPU KV cache usage: 60.5%, Prefix cache hit rate: 0.0%
"""
SGLANG_ENGINE = """\
[2026-01-10 10:00:00 TP0] Prefill batch. #new-seq: 1, #new-token: 512, #cached-token: 0, token usage: 0.00, \
#running-req: 0, #queue-req: 3, input throughput (token/s): 900.0
[2026-01-10 10:00:02 TP0] Decode batch. #running-req: 4, #token: 2048, token usage: 0.25, gen throughput (token/s): \
120.5, #queue-req: 0
[2026-01-10 10:00:05 TP0] Decode batch, #running-req: 4, #full token: 4096, full token usage: 0.50, cuda graph: True, \
gen throughput (token/s): 140.5, #queue-req: 0,
"""
JETSTREAM = """\
Successful requests: 100
Benchmark duration: 20.000000 s
Total input tokens: 20000
Total generated tokens: 10000
Request throughput: 5.00 requests/s
Input token throughput: 1000.00 tokens/s
Output token throughput: 500.00 tokens/s
Mean TTFT: 216.86 ms
Median TTFT: 204.70 ms
P99 TTFT: 423.94 ms
TTST mean: 572.02 ms
TTST p99: 814.23 ms
Mean TPOT: 17.10 ms
"""
GKE_TEXT = """\
====Result for Model: acme/Model-7B====
Errors: {'TimeoutError': 0}
Total time: 60.00 s
Successful/total requests: 110/120
Requests/min: 120.00
Output_tokens/min: 12000.00
Input_tokens/min: 60000.00
Tokens/min: 72000.00
Average Time to First Token (s): 0.25
Average seconds/token (includes waiting time on server): 0.01
Average milliseconds/request (includes waiting time on server): 2500.00
Average length of prompt: 500.00
"""
GKE_JSON = """\
{"config": {"model": "acme/Model-7B", "model_server": "vllm"},
 "summary_stats": {"stats": [{"request_rate": 5.0,
   "request_latency": {"name": "latency", "description": "milliseconds/request", "mean": 2500.0, "p99": 4000.0},
   "tpot": {"description": "milliseconds/output_token (includes waiting time on server)", "mean": 30.0},
   "throughput": {"mean": 4.5}}]},
 "dimensions": {"date": "20260110-101500", "backend": "vllm", "model_id": "acme/Model-7B"}}
{"dimensions": {"model_id": "acme/Model-7B", "backend": "vllm"}, "metrics": {"benchmark_time": 60.0, "request_rate": 2,
  "throughput": 200.0, "output_tokens_per_min": 12000.0, "avg_latency": 2.5, "avg_ttft": 0.25, "p99_ttft": 0.75}}
"""
TRTLLM_REPORT = """\
[01/10/2026-10:15:00] [TRT-LLM] [I] Benchmark done.
===========================================================
= PYTORCH BACKEND
===========================================================
Model:                  acme/Model-7B
TensorRT-LLM Version:   1.0.0
Dtype:                  bfloat16
Quantization:           FP8
===========================================================
= REQUEST DETAILS
===========================================================
Number of requests:             256
Number of concurrent requests:  250.5
Average Input Length (tokens):  1024.0000
Average Output Length (tokens): 128.0000
===========================================================
= WORLD + RUNTIME INFORMATION
===========================================================
TP Size:                4
PP Size:                1
EP Size:                None
KV Memory Percentage:   90.00%
===========================================================
= PERFORMANCE OVERVIEW
===========================================================
Request Throughput (req/sec):                     20.0000
Total Output Throughput (tokens/sec):             2560.0000
Total Token Throughput (tokens/sec):              23040.0000
Total Latency (ms):                               12800.0000
Average request latency (ms):                     9000.0000
Per User Output Throughput [w/ ctx] (tps/user):   14.2000
Per GPU Output Throughput (tps/gpu):              640.0000
Average time-to-first-token [TTFT] (ms):          500.0000
[TPOT] P50    : 60.0000
[Latency] P95    : 11000.0000
[Latency] P99    : 12000.0000
[Latency] MAXIMUM: 12500.0000
"""
TRTLLM_LINES = """\
[BENCHMARK] num_samples 500
[BENCHMARK] num_error_samples 1
[BENCHMARK] total_latency(ms) 50000.00
[BENCHMARK] seq_throughput(seq/sec) 10.00
[BENCHMARK] token_throughput(token/sec) 2500.00
[BENCHMARK] avg_sequence_latency(ms) 2700.00
[BENCHMARK] p99_sequence_latency(ms) 3100.00
# [BENCHMARK] batch_size 8 input_length 60 output_length 20 latency(ms) 46.01
[BENCHMARK] model_name gpt_350m world_size 1 precision float16 batch_size 8 input_length 60 output_length 20 \
tokens_per_sec 3477.28 percentile99(ms) 46.276 latency(ms) 46.013 compute_cap sm80
"""
GENAI_TABLE = """\
                     NVIDIA AIPerf | LLM Metrics
┏━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┳━━━━━━━━━━┓
┃                  Metric ┃      avg ┃      min ┃      max ┃      p99 ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━╇━━━━━━━━━━┩
│     Time to First Token │ 1,250.50 │   100.00 │ 9,000.00 │ 8,500.00 │
│                    (ms) │          │          │          │          │
│    Inter Token Latency  │    10.50 │    10.00 │    11.00 │    10.90 │
│                    (ms) │          │          │          │          │
│    Request Latency (ms) │ 2,940.39 │ 1,536.67 │ 7,319.35 │ 7,034.86 │
│  Output Sequence Length │   261.00 │   256.00 │   298.00 │   296.00 │
│            Output Token │   520.87 │      N/A │      N/A │      N/A │
│   Throughput (per sec)  │          │          │          │          │
│ Request Throughput      │     1.99 │        - │        - │        - │
│       (requests/sec)    │          │          │          │          │
│           Request Count │    40.00 │      N/A │      N/A │      N/A │
└─────────────────────────┴──────────┴──────────┴──────────┴──────────┘
"""
GENAI_CSV = """\
Metric,avg,min,max,p99,p90,p50
Time To First Token (ms),"1,146.31",249.48,"3,485.23","3,457.97",2000.0,640.07
Inter Token Latency (ms),30.35,27.59,35.60,35.23,33.0,30.13
Output Sequence Length (tokens),174.45,164.00,187.00,186.22,180.0,174.00

Metric,Value
Output Token Throughput (per sec),261.25
Request Throughput (per sec),1.50
Request Count (count),40.00
"""
GENAI_JSON = """\
{"request_throughput": {"unit": "requests/sec", "avg": 0.5},
 "request_latency": {"unit": "s", "avg": 2.5, "p50": 2.4, "p99": 3.0, "max": 3.5, "std": 0.1},
 "time_to_first_token": {"unit": "ms", "avg": 44.0, "p99": null},
 "output_token_throughput_per_user": {"unit": "tokens/sec/user", "avg": 50.0},
 "request_count": {"unit": "requests", "avg": 80.0},
 "input_config": {"endpoint": {"model_names": ["acme/Model-7B"]}, "loadgen": {"concurrency": 4}}}
"""
AIPERF_REQUESTS = """\
{"metadata": {"request_start_ns": 1760000000000000000, "request_end_ns": 1760000002000000000, "benchmark_phase": \
"profiling"}, "metrics": {"time_to_first_token": {"value": 50.0, "unit": "ms"}, "request_latency": {"value": 2.0, \
"unit": "s"}, "output_sequence_length": {"value": 100, "unit": "tokens"}}, "error": null}
{"metadata": {"request_start_ns": 1760000001000000000, "request_end_ns": 1760000004000000000}, "metrics": \
{"time_to_first_token": {"value": 70.0, "unit": "ms"}, "request_latency": {"value": 3.0, "unit": "s"}, \
"output_sequence_length": {"value": 300, "unit": "tokens"}}, "error": null}
{"metadata": {"request_start_ns": 1760000001000000000}, "metrics": {}, "error": {"code": 500}}
"""
TELEMETRY = """\
                 NVIDIA GenAI-Perf | Power Metrics
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
│            GPU Power Usage (W)            │
│ ┏━━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━┳━━━━━━━━┓ │
│ ┃ GPU Index ┃    avg ┃    max ┃    p99 ┃ │
│ ┡━━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━╇━━━━━━━━┩ │
│ │         0 │ 300.00 │ 500.00 │ 490.00 │ │
│ │         1 │ 200.00 │ 400.00 │    N/A │ │
│ └───────────┴────────┴────────┴────────┘ │
│           GPU Memory Used (GB)            │
│ ┃ GPU Index ┃    avg ┃    max ┃    p99 ┃ │
│ │         0 │  53.69 │  53.69 │  53.69 │ │
└───────────────────────────────────────────┘
"""
MLPERF_SUMMARY = """\
================================================
MLPerf Results Summary
================================================
SUT name : acme-SUT
Scenario : Server
Mode     : PerformanceOnly
Completed samples per second    : 104.35
Completed tokens per second: 30438.66
Result is : VALID
  Performance constraints satisfied : Yes

================================================
Additional Stats
================================================
Scheduled samples per second : 105.21
Min latency (ns)                : 264927366
Mean latency (ns)               : 47100000000
50.00 percentile latency (ns)   : 40000000000
97.00 percentile latency (ns)   : 90000000000
99.90 percentile latency (ns)   : 99000000000
Mean First Token latency (ns)               : 253000000
99.00 percentile first token latency (ns)   : 560000000
Mean Time to Output Token (ns)              : 161000000
================================================
Test Parameters Used
================================================
target_qps : 105
target_latency (ns): 2000000000

No warnings encountered during test.
"""
MLPERF_ACCURACY = "\nNo warnings encountered during test.\n\nNo errors encountered during test.\n"
_DETAIL = ':::MLLOG {{"key": "{}", "value": {}, "time_ms": 1.5, "namespace": "mlperf::logging", "event_type": "X"}}\n'
MLPERF_DETAIL = "".join(
    _DETAIL.format(key, value)
    for key, value in (
        ("loadgen_version", '"4.1 @ 2ed9555be0"'), ("effective_scenario", '"Offline"'), ("result_validity", '"VALID"'),
        ("result_samples_per_second", "250.5"), ("result_mean_latency_ns", "10329251"),
        ("result_99.00_percentile_latency_ns", "10391624"), ("result_99.90_percentile_latency_ns", "10399999"),
        ("result_query_count", "58037"), ("loaded_qsl_set", "[1, 2, 3]"),
    )
)  # fmt: skip
MLPERF_HARNESS = """\
{"benchmark_full": "bert-99", "config_name": "x", "result_completed_samples_per_sec": 25405.6, "scenario": "Server",
 "result_validity": "VALID", "scenario_key": "result_completed_samples_per_sec", "tensorrt_version": "10.2.0",
 "system_name": "DGX-A100_A100-SXM4-40GBx8_TRT", "result_99.00_percentile_latency_ns": "5000000"}
"""

LLAMA_BENCH = """\
ggml_cuda_init: found 1 CUDA devices:
  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes
| model                          |       size |     params | backend    | ngl |          test |                  t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | ------------: | -------------------: |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 |         pp512 |      5120.00 ± 30.12 |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 |         tg128 |        128.00 ± 0.31 |
"""
LLAMA_TIMINGS = """\
llama_perf_context_print: prompt eval time =     100.00 ms /   512 tokens (0.20 ms per token, 5120.0 tokens per second)
llama_perf_context_print:        eval time =    1000.00 ms /   125 runs   (8.00 ms per token, 125.0 tokens per second)
"""
OLLAMA = """\
total duration:       8.763920927s
prompt eval count:    26 token(s)
prompt eval rate:     200.00 tokens/s
eval count:           260 token(s)
eval rate:            65.00 tokens/s
"""
ONE_BATCH = """\
Warmup ...
Prefill. latency: 9.50000 s, throughput:      1.00 token/s
Total. latency: 15.000 s, throughput:     40.00 token/s
Benchmark ...
Prefill. latency: 0.50000 s, throughput:  32768.00 token/s
Decode.  latency: 0.09000 s, throughput:    170.00 token/s
Decode.  median latency: 0.01000 s, median throughput:   1600.00 token/s
Total. latency:  5.000 s, throughput:   4000.00 token/s
"""
TRTLLM_JSON = json.dumps(
    {
        "engine": {"model": "acme-8b", "version": "1.0", "quantization": "FP8"},
        "world_info": {"tp_size": 2, "pp_size": 1, "ep_size": None, "world_size": 2},
        "request_info": {"num_requests": 1000, "avg_input_length": 1024.0, "avg_output_length": 128.0},
        "performance": {
            "total_latency_ms": 100_000.0, "avg_request_latency_ms": 3300.0, "request_throughput_req_s": 10.0,
            "system_output_throughput_tok_s": 1280.0, "output_throughput_per_gpu_tok_s": 640.0,
            "request_latency_percentiles_ms": {"p50": 3200.0, "p99": 5000.0},
        },
        "streaming_metrics": {"avg_ttft_ms": 150.5, "avg_tpot_ms": 25.0},
    }
)  # fmt: skip
GUIDELLM = json.dumps(
    {
        "benchmarks": [
            {
                "metrics": {
                    "requests_per_second": {"successful": {"mean": 10.0, "percentiles": {"p50": 9.0}}},
                    "request_concurrency": {"successful": {"mean": 33.0}},
                    "request_latency": {"successful": {"mean": 3.3, "percentiles": {"p99": 5.0}}},
                    "time_to_first_token_ms": {"successful": {"mean": 150.5, "percentiles": {"p50": 140.5}}},
                    "output_tokens_per_second": {"successful": {"mean": 1280.0}, "errored": {"mean": 5.0}},
                }
            }
        ]
    }
)
LLMPERF = json.dumps(
    {
        "model": "acme/llama", "num_concurrent_requests": 10, "results_ttft_s_mean": 0.1505,
        "results_ttft_s_quantiles_p50": 0.1405, "results_inter_token_latency_s_mean": 0.025,
        "results_end_to_end_latency_s_quantiles_p99": 5.0, "results_mean_output_throughput_token_per_s": 1280.0,
        "results_num_completed_requests_per_min": 600.0, "results_num_requests_started": 1000,
        "results_number_errors": 3,
    }
)  # fmt: skip

BY_FORMAT: Mapping[str, Sequence[str]] = {
    "llama-cpp": (LLAMA_BENCH, LLAMA_TIMINGS, OLLAMA),
    "serving-bench-stdout": (VLLM_BLOCK, SGLANG_BLOCK),
    "serving-bench-json": (VLLM_JSON, SGLANG_JSONL, INFERENCEX_JSON, INFERENCEX_AGGREGATE),
    "vllm-offline": (VLLM_OFFLINE, VLLM_OFFLINE_JSON),
    "vllm-engine": (VLLM_ENGINE,),
    "sglang-engine": (SGLANG_ENGINE,),
    "jetstream": (JETSTREAM,),
    "gke-latency-profile": (GKE_TEXT, GKE_JSON),
    "trtllm-bench": (TRTLLM_REPORT,),
    "trtllm-benchmark": (TRTLLM_LINES,),
    "genai-perf": (GENAI_TABLE, GENAI_CSV, GENAI_JSON),
    "aiperf-requests": (AIPERF_REQUESTS,),
    "genai-perf-telemetry": (TELEMETRY,),
    "mlperf-log-summary": (MLPERF_SUMMARY,),
    "mlperf-log-detail": (MLPERF_DETAIL,),
    "mlperf-harness-json": (MLPERF_HARNESS,),
    "sglang-one-batch": (ONE_BATCH,),
    "trtllm-report": (TRTLLM_JSON,),
    "guidellm": (GUIDELLM,),
    "llmperf": (LLMPERF,),
}
