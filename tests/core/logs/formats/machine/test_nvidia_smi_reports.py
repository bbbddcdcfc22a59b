"""nvidia-smi -q, as text and XML: paths of all generations, reports in a loop, MIG, and no entity ever followed."""

from pathlib import Path

import pytest

from core.logs.record import LogRecord
from tests.core.logs.written import assert_refused, means_of, record_of

MEANS = {
    "utilization_pct": 95.0, "memory_busy_pct": 40.0, "memory_used_gib": 2.0, "memory_total_gib": 80.0,
    "power_w": 600.0, "power_limit_w": 700.0, "temperature_c": 60.0, "memory_temperature_c": 50.0,
    "sm_clock_mhz": 1980.0, "memory_clock_mhz": 2619.0, "throttled_pct": 100.0,
}  # fmt: skip


def _text(
    second: int = 1, power: str = "GPU Power Readings", draw: str = "Average Power Draw", reasons: str = "Event"
) -> str:
    return f"""
==============NVSMI LOG==============

Timestamp                                              : Tue Jul 14 08:12:{second:02d} 2026
Driver Version                                         : 590.48.01 [Deprecated]
Attached GPUs                                          : 1
GPU 00000000:00:09.0
    Product Name                                       : NVIDIA H100 80GB HBM3
    MIG Devices
        Index                                          : 0
            FB Memory Usage
                Used                                   : 12 MiB
    Clocks {reasons} Reasons
        Idle                                           : Not Active
        HW Slowdown                                    : Not Active
            HW Thermal Slowdown                        : Active
        SW Power Cap                                   : Not Active
    FB Memory Usage
        Total                                          : 81920 MiB
        Used                                           : 2048 MiB
    BAR1 Memory Usage
        Used                                           : 9 MiB
    Utilization
        GPU                                            : 95 %
        Memory                                         : 40 %
    Temperature
        GPU Current Temp                               : 60 C
        Memory Current Temp                            : 50 C
    {power}
        {draw:<46s} : 600.00 W
        Power Limit                                    : 700.00 W
    Module Power Readings
        Power Draw                                     : N/A
    Clocks
        SM                                             : 1980 MHz
        Memory                                         : 2619 MHz
    Max Clocks
        SM                                             : 2100 MHz
"""


def _xml(
    second: int = 1, power: str = "gpu_power_readings", draw: str = "average_power_draw", word: str = "event"
) -> str:
    return f"""<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>
<nvidia_smi_log>
  <timestamp>Tue Jul 14 08:12:{second:02d} 2026</timestamp>
  <driver_version>590.48.01</driver_version>
  <attached_gpus>1</attached_gpus>
  <gpu id="00000000:00:09.0">
    <product_name>NVIDIA H100 80GB HBM3</product_name>
    <serial>&a;&b;</serial>
    <mig_devices><mig_device><fb_memory_usage><used>12 MiB</used></fb_memory_usage></mig_device></mig_devices>
    <clocks_{word}_reasons>
      <clocks_{word}_reason_gpu_idle>Not Active</clocks_{word}_reason_gpu_idle>
      <clocks_{word}_reason_hw_thermal_slowdown>Active</clocks_{word}_reason_hw_thermal_slowdown>
    </clocks_{word}_reasons>
    <fb_memory_usage><total>81920 MiB</total><used>2048 MiB</used></fb_memory_usage>
    <bar1_memory_usage><used>9 MiB</used></bar1_memory_usage>
    <utilization><gpu_util>95 %</gpu_util><memory_util>40 %</memory_util></utilization>
    <temperature><gpu_temp>60 C</gpu_temp><memory_temp>50 C</memory_temp></temperature>
    <{power}><{draw}>600.00 W</{draw}><current_power_limit>700.00 W</current_power_limit></{power}>
    <module_power_readings><power_draw>N/A</power_draw></module_power_readings>
    <clocks><sm_clock>1980 MHz</sm_clock><mem_clock>2619 MHz</mem_clock></clocks>
    <max_clocks><sm_clock>2100 MHz</sm_clock></max_clocks>
    <processes/>
  </gpu>
</nvidia_smi_log>
"""


def _check(record: LogRecord, format_id: str) -> None:
    assert (record.format, record.accelerator_id, record.n_accelerators) == (format_id, "h100-sxm", 1)
    assert record.facts == {"driver": "590.48.01"}
    assert means_of(record) == MEANS


@pytest.mark.parametrize("power", ["GPU Power Readings", "Power Readings"])
@pytest.mark.parametrize("draw", ["Power Draw", "Average Power Draw", "Instantaneous Power Draw"])
@pytest.mark.parametrize("reasons", ["Event", "Throttle"])
def test_text_of_every_generation(tmp_path: Path, power: str, draw: str, reasons: str) -> None:
    _check(record_of(tmp_path, _text(1, power, draw, reasons)), "nvidia-smi-q")


@pytest.mark.parametrize("power", ["gpu_power_readings", "power_readings"])
@pytest.mark.parametrize("draw", ["power_draw", "average_power_draw", "instant_power_draw"])
@pytest.mark.parametrize("word", ["event", "throttle"])
def test_xml_of_every_generation(tmp_path: Path, power: str, draw: str, word: str) -> None:
    _check(record_of(tmp_path, _xml(1, power, draw, word)), "nvidia-smi-xml")


@pytest.mark.parametrize("make", [_text, _xml])
def test_reports_in_a_loop_are_a_series(tmp_path: Path, make: object) -> None:
    assert callable(make)
    record = record_of(tmp_path, make(1) + make(6))
    assert record.time_s.tolist() == [0.0, 5.0]
    assert record.quantities["energy_kwh"].mean == pytest.approx(600 * 5 / 3.6e6)


def test_mig_leaves_utilisation_unknown(tmp_path: Path) -> None:
    record = record_of(tmp_path, _xml().replace("95 %", "N/A").replace("40 %", "N/A"))
    assert not {"utilization_pct", "memory_busy_pct"} & record.quantities.keys()
    assert record.quantities["memory_used_gib"].mean == 2.0


def test_a_report_that_is_cut_keeps_what_is_there(tmp_path: Path) -> None:
    record = record_of(tmp_path, _xml().partition("<temperature>")[0])
    assert record.skipped == {"report cut short": 1}
    assert record.quantities["utilization_pct"].mean == 95.0
    assert_refused(tmp_path, _xml().partition("<gpu ")[0], "without a GPU's readings")
    assert_refused(tmp_path, _text().partition("GPU 0000")[0], "without a GPU's readings")
