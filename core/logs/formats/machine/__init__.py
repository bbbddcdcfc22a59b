"""Logs of what a machine was doing: utilisation, memory, power, clocks."""
