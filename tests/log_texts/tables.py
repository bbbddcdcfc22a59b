"""Small tables that no format of its own reads."""

from __future__ import annotations

LONG = (
    "time,gpu_id,GPU Utilization (%),mem_used [MiB],Power Draw (W),note\n"
    "2026-11-20 10:00:00,0,90,40960,600.5,warm\n"
    "2026-11-20 10:00:00,1,80,20480,[N/A],warm\n"
    "2026-11-20 10:00:02,0,100,40960,700,\n"
    '2026-11-20 10:00:02,1,70,20480,500,"a, b"\n'
)
STEPS = "Schritt;step time (s);Tokens/s\n1;1,25;1.024,5\n2;1,75;2.048\n"
WIDE = "timestamp\tgpu0 util\tgpu1 util\n1763600000.0\t10\t30\n1763600005.5\t20\t\n"
OF_DAY = "clock time|TTFT (ms)|gpu name\n23:59:58|120|NVIDIA H100\n00:00:01|130|NVIDIA H100\n"
MONITOR = (
    "TimeSeries ID,accelerator duty_cycle a,accelerator duty_cycle b\n"
    "Tue Jul 01 2025 10:00:00 GMT+0000 (Coordinated Universal Time),0.5,0.25\n"
    "Tue Jul 01 2025 10:01:00 GMT+0000 (Coordinated Universal Time),0.75,1.0\n"
)

ALL = (LONG, STEPS, WIDE, OF_DAY, MONITOR)
