"""The reliability campaign: kills, power cuts, full disks, clocks that are set, and a long soak. See ../README.md."""
