"""The input pipeline: how fast storage, network, processors and PCIe bring samples."""
