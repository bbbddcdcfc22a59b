"""Small logs of what chips and links did, as the tools print them, by the id of their format; figures are made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_QUERY = "timestamp, index, name, utilization.gpu [%], memory.used [MiB], power.draw [W]\n" + "".join(
    f"2026/01/10 10:00:0{t}.{15 * g:03}, {g}, NVIDIA H100 80GB HBM3, 9{t} %, 40960 MiB, {600 + g}.50 W\n"
    for t in range(3)
    for g in range(2)
)
_APPS = (
    "timestamp, gpu_name, gpu_bus_id, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"
    "2026/01/10 10:00:00.125, NVIDIA H100 80GB HBM3, 00000000:18:00.0, GPU-1, 4242, /opt/my app (x)/python, 4096 MiB\n"
    "2026/01/10 10:00:01.125, NVIDIA H100 80GB HBM3, 00000000:18:00.0, GPU-1, 4242, /opt/my app (x)/python, [N/A]\n"
    "2026/01/10 10:00:02.125, NVIDIA H100 80GB HBM3, 00000000:18:00.0, GPU-1, 4242, C:\\\\a.exe, 8192 MiB\n"
)
_ACCOUNTED = (
    "gpu_name, gpu_bus_id, pid, gpu_utilization [%], mem_utilization [%], max_memory_usage [MiB], time [ms]\n"
    "NVIDIA L40S, 00000000:01:00.0, 4242, 85 %, 20 %, 4096 MiB, 60000 ms\n"
)
_DMON_HEAD = (
    "# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk    fb\n"
    "# Idx     W     C     C     %     %     %     %   MHz   MHz    MB\n"
)
_DMON = _DMON_HEAD + "".join(
    f"    {g}   30{t}    50     -    9{t}    40     0     0  2619  1980 40960\n" for t in range(3) for g in range(2)
) + _DMON_HEAD + "    0     -     -     -\n"  # fmt: skip
_PMON = (
    "# gpu        pid  type    sm   mem   enc   dec   command\n# Idx          #   C/G     %     %     %     %   name\n"
    + "".join(
        f"    0       424{t}     C    9{t}    40     -     -   python train.py\n"
        "    1          -     -     -     -     -     -   -\n"
        for t in range(3)
    )
)  # fmt: skip
_TABLE = """\
Tue Jul 14 09:00:43 2026
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 590.48.01              Driver Version: 590.48.01      CUDA Version: 13.1     |
+-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  NVIDIA H100 80GB HBM3          On  |   00000000:18:00.0 Off |                    0 |
| N/A   50C    P0            600W /  700W |   40960MiB /  81559MiB |     95%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
"""
_Q = """\
==============NVSMI LOG==============

Timestamp                                 : Tue Jul 14 08:12:53 2026
Driver Version                            : 590.48.01
Attached GPUs                             : 1
GPU 00000000:18:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    FB Memory Usage
        Total                             : 81559 MiB
        Used                              : 40960 MiB
    BAR1 Memory Usage
        Used                              : 1 MiB
    Utilization
        GPU                               : 95 %
        Memory                            : 40 %
    Temperature
        GPU Current Temp                  : 50 C
    GPU Power Readings
        Average Power Draw                : 600.50 W
        Current Power Limit               : 700.00 W
    Clocks
        SM                                : 1980 MHz
"""
_XML = """\
<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
  <timestamp>Tue Jul 14 08:12:53 2026</timestamp>
  <driver_version>550.54.15</driver_version>
  <attached_gpus>1</attached_gpus>
  <gpu id="00000000:18:00.0">
    <product_name>NVIDIA H100 80GB HBM3</product_name>
    <uuid>GPU-1</uuid>
    <fb_memory_usage><total>81559 MiB</total><used>40960 MiB</used></fb_memory_usage>
    <utilization><gpu_util>95 %</gpu_util><memory_util>40 %</memory_util></utilization>
    <temperature><gpu_temp>50 C</gpu_temp></temperature>
    <gpu_power_readings>
      <power_draw>600.50 W</power_draw><current_power_limit>700.00 W</current_power_limit>
    </gpu_power_readings>
    <clocks><sm_clock>1980 MHz</sm_clock><mem_clock>2619 MHz</mem_clock></clocks>
  </gpu>
</nvidia_smi_log>
"""
_C2C = "GPU 0: NVIDIA GH200 480GB (UUID: GPU-1)\n\t C2C Link 0: 44.712 GB/s\n\t C2C Link 1: 44.712 GB/s\n"
_DCGMI = "#Entity   GPUTL  POWER   GRACT  TENSO  DRAMA  NVLTX\nID               W\n" + "".join(
    f"GPU {g}     9{t}     600.5   0.95{t}  0.45{t}  0.35{t}  19694075{t}\n" for t in range(3) for g in (1, 0)
)
_PROM = (
    "# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).\n# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n"
    'DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",device="nvidia0",modelName="NVIDIA H100 80GB HBM3",Hostname="a"} 95\n'
    'DCGM_FI_DEV_FB_USED{gpu="0", UUID="GPU-1",modelName="NVIDIA H100 80GB HBM3"} 40960\n'
    'DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-1"} 600.5\nDCGM_FI_PROF_PIPE_TENSOR_ACTIVE{gpu="0",UUID="GPU-1"} 0.45\n'
    '# HELP nvidia_smi_utilization_gpu_ratio x\nnvidia_smi_utilization_gpu_ratio{uuid="1"} 0.95\n'
)
_GPUSTAT = """\
{"hostname": "a", "driver_version": "550", "query_time": "2026-01-10T10:00:00.5", "gpus": [{"index": 0, "uuid": "GPU-1",
 "name": "NVIDIA H100 80GB HBM3", "temperature.gpu": 50, "fan.speed": null, "utilization.gpu": 95, "power.draw": 600,
 "enforced.power.limit": 700, "memory.used": 40960, "memory.total": 81559, "processes": []}]}
"""
_NVTOP = """\
[{"device_name": "NVIDIA H100 80GB HBM3", "gpu_clock": "1980MHz", "mem_clock": "2619MHz", "temp": "50C",
  "fan_speed": "CPU Fan", "power_draw": "117W", "gpu_util": "73%", "mem_util": "40%"}]
"""
_ROCM_JSON = """\
WARNING: AMD GPU device(s) is/are in a low-power state.
{"card0": {"Temperature (Sensor junction) (C)": "39.0", "sclk clock speed:": "(300Mhz)", "GPU use (%)": "95",
 "GPU Memory Allocated (VRAM%)": "40", "Current Socket Graphics Package Power (W)": "300.5",
 "VRAM Total Memory (B)": "206158430208", "VRAM Total Used Memory (B)": "103079215104",
 "Card Series": "AMD Instinct MI300X"},
 "system": {"Driver version": "6.7.0"}}
"""
_ROCM_CSV = (
    "device,GPU use (%),Average Graphics Package Power (W),GPU memory use (%)\ncard0,95,300.5,40\ncard1,90,290.5,30\n"
)
_AMD_CSV = (
    "\ufeffgpu,gfx_usage,mem_usage,mm_usage_list,fb_total,fb_used,gfx_cur_clk\n0,98,1,[0, 0],14928,363,N/A\n"
    "1,97,1,[0, 0],14928,364,1500\n"
)
_AMD_TEXT = """\
GPU: 0
    USAGE:
        GFX_ACTIVITY: 95 %
        UMC_ACTIVITY: 40 %
        VCN_ACTIVITY: [0 %, 0 %,
            0 %]
    POWER:
        SOCKET_POWER: 300 W
    TEMPERATURE:
        HOTSPOT: 60 °C
    MEM_USAGE:
        TOTAL_VRAM: 196592 MB
        USED_VRAM: 98304 MB
"""
_NCCL = """\
# nThread 1 nGpus 8 minBytes 1048576 maxBytes 8388608 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1
# Using devices
#  Rank  0 Group  0 Pid   4242 on      hosta device  0 [0x18] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid   4242 on      hosta device  1 [0x2a] NVIDIA H100 80GB HBM3
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    45.50   23.05   40.33      0    45.00   23.30   40.78      0
     4194304       1048576     float     sum      -1    70.50   59.49  104.11      0    70.00   59.92  104.86    N/A
     8388608       2097152     float     sum      -1    95.50   87.84  153.72      0    95.00   88.30  154.53      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 99.72
"""
_NVBANDWIDTH = """\
nvbandwidth Version: v0.9
Device 0: NVIDIA H100 80GB HBM3 (00000000:18:00)

Running device_to_device_memcpy_read_ce.
memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0       N/A    370.50
 1    371.50       N/A

SUM device_to_device_memcpy_read_ce 742.00
"""
_TPU_INFO = """\
TPU Chips
┏━━━━━━━━━━━━━┳━━━━━━━━━━━━━━┳━━━━━━━━━┳━━━━━┓
┃ Chip        ┃ Type         ┃ Devices ┃ PID ┃
┡━━━━━━━━━━━━━╇━━━━━━━━━━━━━━╇━━━━━━━━━╇━━━━━┩
│ /dev/vfio/0 │ TPU v6e chip │ 1       │ 42  │
└─────────────┴──────────────┴─────────┴─────┘
TPU Runtime Utilization
┏━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┓
┃ Device ┃ Memory usage         ┃ Duty cycle ┃
┡━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━┩
│ 0      │ 18.45 GiB / 31.25 GiB │    100.00% │
└────────┴──────────────────────┴────────────┘
TensorCore Utilization
┏━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┓
┃ Chip ID ┃ TensorCore Utilization ┃
┡━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━┩
│ 0       │ 13.60%                 │
└─────────┴────────────────────────┘
"""
AMD_SCREEN = """\
+------------------------------------------------------------------------------+
| AMD-SMI 26.0.0               amdgpu version: 6.14.14  ROCm version: 7.0.0    |
| Platform: Linux Baremetal                                                    |
|-------------------------------------+----------------------------------------|
| BDF                        GPU-Name | Mem-Uti   Temp   UEC       Power-Usage |
| GPU  HIP-ID  OAM-ID  Partition-Mode | GFX-Uti    Fan               Mem-Usage |
|=====================================+========================================|
| 0000:75:00.0    AMD Instinct MI355X | 20 %     40 °C   0           930/1400 W |
|   0       0       0        SPX/NPS1 | 97 %       N/A        196608/294912 MB |
|-------------------------------------+----------------------------------------|
| 0000:05:00.0    AMD Instinct MI355X | 20 %     40 °C   0           930/1400 W |
|   1       1       2        SPX/NPS1 | 97 %       N/A        196608/294912 MB |
+-------------------------------------+----------------------------------------+
"""
ROCM_SCREEN = """\
=========================== ROCm System Management Interface ===========================
==================================== Concise Info ======================================
Device  Node  IDs              Temp        Power     Partitions          SCLK     MCLK    Fan  Perf  PwrCap  VRAM%  GPU%
              (DID,     GUID)  (Junction)  (Socket)  (Mem, Compute, ID)
========================================================================================
0       1     0x74a1,   55354  41.0°C      739.0W    NPS1, SPX, 0        2031Mhz  900Mhz  0%   auto  750.0W  78%    98%
1       2     0x74a1,   55354  41.0°C      740.0W    NPS1, SPX, 0        2031Mhz  900Mhz  0%   auto  750.0W  78%    96%
========================================================================================
=============================== End of ROCm SMI Log ====================================
"""
ROCM_LISTS = """\
========================= ROCm System Management Interface =========================
================================ % time GPU is busy ================================
GPU[0]\t\t: GPU use (%): 98
GPU[1]\t\t: GPU use (%): 97
================================ Power Consumption =================================
GPU[0]\t\t: Current Socket Graphics Package Power (W): 739.0
GPU[1]\t\t: Current Socket Graphics Package Power (W): 741.0
=============================== Memory Usage (Bytes) ===============================
GPU[0]\t\t: VRAM Total Memory (B): 206158430208
GPU[0]\t\t: VRAM Total Used Memory (B): 103079215104
=============================== End of ROCm SMI Log ================================
"""
GPUSTAT_SCREEN = """\
host-a100                Tue Jul 14 09:00:43 2026  550.54
[0] NVIDIA A100-SXM4-80GB | 45°C,  98 % | 65536 / 81920 MB | user(65000M)
[1] NVIDIA A100-SXM4-80GB | 46°C,  97 %,  398 / 400 W | 65536 / 81920 MB | user(65000M)
"""
NVIDIA_SCREEN = _TABLE

_PROM_JSON = (
    '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL","gpu":"0"},'
    '"values":[[1700000000,"90"],[1700000015.5,"91"]]},{"metric":{"__name__":"DCGM_FI_DEV_FB_USED","gpu":"0"},'
    '"values":[[1700000000,"40960"]]}]}}\n'
)
DMON_GPM = (
    "# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk  smutil  smocc  mmaact   dram\n"
    "# Idx      W      C      C      %      %    MHz    MHz   GPM:%  GPM:%   GPM:%  GPM:%\n"
) + "".join(
    f"    {n}    612     55     68     99     61   2619   1755    85.0   31.0    52.0   40.0\n" for n in (0, 1) * 3
)
STAMP_IN_BRACKETS = "index, name, utilization.gpu [%], memory.used [MiB], power.draw [W]\n" + "".join(
    f"[2025-03-07 23:40:{5 * n:02d}] {gpu}, NVIDIA A100-SXM4-80GB, 90 %, 71680 MiB, 360.00 W\n"
    for n in range(6)
    for gpu in (0, 1)
)
BY_TWO_TASKS = "".join(
    f"{task}: {row}\n"
    for row in (
        "timestamp, index, utilization.gpu [%], power.draw [W]",
        *(f"2025/03/07 23:40:{5 * n:02d}.100, {gpu}, 9{n} %, 360.00 W" for n in range(6) for gpu in (0, 1)),
    )
    for task in (0, 1)
)
TPU7X = """TPU Chips
┏━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━┳━━━━━━━┓
┃ Chip        ┃ Type       ┃ Devices ┃ PID   ┃
┡━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━╇━━━━━━━┩
│ /dev/vfio/0 │ TPU7x chip │ 2       │ 12345 │
└─────────────┴────────────┴─────────┴───────┘
TPU Runtime Utilization
┏━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┓
┃ Device ┃ HBM Usage (GiB)      ┃ Duty cycle ┃
┡━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━┩
│ 0      │ 38.50 GiB / 94.75 GiB│     97.00% │
│ 1      │ 37.50 GiB / 94.75 GiB│            │
└────────┴──────────────────────┴────────────┘
"""

BY_FORMAT: Mapping[str, Sequence[str]] = {
    "gpu-burn": ("1.0%  proc'd: 109 (15000 Gflop/s) - 109 (13000 Gflop/s)   errors: 0 - 0   temps: 47 C - 48 C\n",),
    "nvidia-smi-csv": (_QUERY, STAMP_IN_BRACKETS, BY_TWO_TASKS),
    "nvidia-smi-query-compute-apps": (_APPS, _ACCOUNTED),
    "nvidia-smi-dmon": (_DMON, DMON_GPM),
    "nvidia-smi-pmon": (_PMON,),
    "nvidia-smi-table": (_TABLE * 2,),
    "nvidia-smi-q": (_Q,),
    "nvidia-smi-xml": (_XML * 2,),
    "nvidia-smi-c2c": (_C2C,),
    "dcgmi-dmon": (_DCGMI,),
    "prometheus-gpu": (_PROM, _PROM_JSON),
    "gpustat": (_GPUSTAT, _NVTOP),
    "rocm-smi-json": (_ROCM_JSON,),
    "rocm-smi-csv": (_ROCM_CSV,),
    "amd-smi": (_AMD_CSV, _AMD_TEXT),
    "amd-smi-screen": (AMD_SCREEN,),
    "rocm-smi-text": (ROCM_SCREEN, ROCM_LISTS),
    "gpustat-screen": (GPUSTAT_SCREEN,),
    "nccl-tests": (_NCCL,),
    "nvbandwidth": (_NVBANDWIDTH,),
    "tpu-info": (_TPU_INFO, TPU7X),
}
