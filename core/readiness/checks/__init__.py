"""What is looked for, one file a concern: kernels, devices, libraries, shapes, control flow, synchronisation."""
