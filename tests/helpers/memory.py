"""How much memory processes take, as Linux counts it; what several share is counted in parts, so sums are right."""

from pathlib import Path


def share(process: int) -> float:
    """Megabytes of a process, with its part of what it shares with others (PSS)."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    (kilobytes,) = [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
    return kilobytes * 1024 / 1e6


def most(process: int) -> float:
    """The most megabytes that a process has had so far, with all that it shares."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    (kilobytes,) = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
    return kilobytes * 1024 / 1e6


def started(process: int) -> list[int]:
    """The processes that a process has started and that were not fetched yet."""
    paths = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for path in paths for child in path.read_text().split()]


def family(process: int) -> list[int]:
    """A process, and all that it and those have started."""
    return [process, *(one for child in started(process) for one in family(child))]
