"""What the fields of catalogue entries are called, and in which unit they stand: for tables, details and forms."""

from __future__ import annotations

from typing import NamedTuple

from core.catalogue.entries import (
    Accelerator,
    Conflict,
    CostInput,
    Entry,
    FrameworkSupport,
    Host,
    Offer,
    PartPrice,
    PricePoint,
    Region,
    Server,
    SliceShape,
)


class FieldWords(NamedTuple):
    """Title and unit of a field."""

    title: str
    unit: str = ""


F = FieldWords
FIELDS: dict[type[Entry], dict[str, FieldWords]] = {
    Accelerator: {
        "vendor": F("Vendor"),
        "kind": F("Kind"),
        "announced": F("Announced only"),
        "release_date": F("Released"),
        "fp32_tflops": F("FP32, dense", "TFLOP/s"),
        "tf32_tflops": F("TF32, dense", "TFLOP/s"),
        "bf16_tflops": F("BF16, dense", "TFLOP/s"),
        "fp16_tflops": F("FP16, dense", "TFLOP/s"),
        "fp8_tflops": F("FP8, dense", "TFLOP/s"),
        "int8_tops": F("INT8, dense", "TOP/s"),
        "fp4_tflops": F("FP4, dense", "TFLOP/s"),
        "measured_bf16_tflops": F("BF16, measured at most", "TFLOP/s"),
        "measured_fp8_tflops": F("FP8, measured at most", "TFLOP/s"),
        "memory_gb": F("Memory", "GB"),
        "memory_bandwidth_gbps": F("Memory bandwidth", "GB/s"),
        "memory_type": F("Kind of memory"),
        "on_chip_memory": F("Memory on the chip"),
        "scaleup_link": F("Link between chips"),
        "scaleup_gbps_one_way": F("Links, one way", "GB/s a chip"),
        "vendor_link_gbps_both_ways": F("Links, both ways, as vendors quote", "GB/s a chip"),
        "scaleup_domain_chips": F("Chips joined by the link"),
        "torus_dims": F("Axes of its torus"),
        "link_gbps_one_way": F("One link, one way", "GB/s"),
        "pcie_gbps": F("PCIe, one way", "GB/s"),
        "tdp_w": F("Thermal design power", "W"),
        "matrix_tile": F("Matrix tile", "wide"),
    },
    Host: {
        "provider": F("Provider"),
        "instance": F("Host"),
        "n_chips": F("Chips"),
        "n_vcpu": F("Virtual cores", "vCPU"),
        "ram_gb": F("Memory of the host", "GB"),
        "local_nvme_tb": F("Local NVMe", "TB"),
        "network_gbit_per_s": F("Network", "Gbit/s"),
        "scaleup": F("Chips are joined by"),
    },
    Offer: {
        "provider": F("Provider"),
        "instance": F("Host"),
        "chips_per_host": F("Chips"),
        "region": F("Region"),
        "purchase_model": F("Way to pay"),
        "usd_per_chip_hour": F("Price of a chip", "an hour"),
        "usd_per_host_hour": F("Price of the host", "an hour"),
        "quality": F("Quality of the price"),
        "attested_chips": F("Chips at once, as entered"),
        "joined": F("Joined by a network"),
    },
    Region: {
        "provider": F("Provider"),
        "region": F("Region"),
        "place": F("Place"),
        "country": F("Country"),
        "latitude_deg": F("Latitude", "°"),
        "longitude_deg": F("Longitude", "°"),
        "carbon_g_per_kwh": F("Carbon of the grid", "g/kWh"),
        "carbon_free_share": F("Electricity free of carbon"),
        "pue": F("PUE"),
    },
    Server: {
        "instance": F("Server"),
        "n_chips": F("Chips"),
        "low_usd": F("Price, low"),
        "typical_usd": F("Price, typical"),
        "high_usd": F("Price, high"),
        "power_kw": F("Power", "kW"),
        "in_house": F("In the house"),
        "held_chips": F("Chips there in all"),
        "network_gbit_per_s": F("Network", "Gbit/s"),
    },
    SliceShape: {"slice_name": F("Slice"), "n_chips": F("Chips"), "dims": F("Shape"), "wraps": F("Axes wrap around")},
    FrameworkSupport: {
        "framework": F("Software"),
        "chip_family": F("Chips"),
        "support": F("Support"),
        "via": F("By way of"),
        "production_ready": F("Ready for production"),
    },
    CostInput: {
        "name": F("Input"),
        "scope": F("Holds for"),
        "low": F("Low"),
        "typical": F("Typical"),
        "high": F("High"),
        "unit": F("Unit"),
    },
    PricePoint: {
        "provider": F("Provider"),
        "instance": F("Host"),
        "n_chips": F("Chips"),
        "region": F("Region"),
        "purchase_model": F("Way to pay"),
        "valid_from": F("From"),
        "valid_until": F("Until"),
        "usd_per_host_hour": F("Price of the host", "an hour"),
        "seller_class": F("Class of sellers"),
        "low_usd": F("Lowest", "an hour"),
        "high_usd": F("Highest", "an hour"),
        "n": F("Prices in it"),
    },
    PartPrice: {
        "provider": F("Provider"),
        "part": F("Part"),
        "n_chips": F("Chips"),
        "region": F("Region"),
        "purchase_model": F("Way to pay"),
        "usd_per_hour": F("Price of the part", "an hour"),
    },
    Conflict: {
        "used": F("In use"),
        "other": F("Another source"),
    },
}
