"""Time and peak memory of levels against the size of the input."""

import os
import random
import tempfile

import measuring
import plot
import programs

SEED = 1
SHORTEST, LONGEST = 200, 2000  # of a piece


def write_input(path, text, size):
    """`size` bytes of pieces from all over `text`: as much as is wanted, without long repeats. The
    same for each run; smaller inputs are the beginnings of larger ones."""
    generator = random.Random(SEED)
    with open(path, "wb") as file:
        left = size
        while left > 0:
            length = min(generator.randrange(SHORTEST, LONGEST + 1), left)
            begin = generator.randrange(max(1, len(text) - length))
            left -= file.write(text[begin:begin + length])


def read_all(files):
    parts = []
    for _, path in files:
        with open(path, "rb") as file:
            parts.append(file.read())
    return b"".join(parts)


def table(records):
    lines = ["| program | MB | bytes | s in | s out | MB/s in | MB/s out | MiB in | MiB out |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for r in records:
        speeds = [r["plain"] / 1e6 / max(r[key], 1e-3) for key in ("in_s", "out_s")]
        lines.append(f"| {r['program']} | {r['plain'] / 1e6:g} | {r['packed']:,} | "
                     f"{r['in_s']:.2f} | {r['out_s']:.2f} | {speeds[0]:.2f} | {speeds[1]:.2f} | "
                     f"{r['in_bytes'] / 2**20:.0f} | {r['out_bytes'] / 2**20:.0f} |")
    return "\n".join(lines)


def panel(records, title, unit, keys, scale, log_y):
    """A line a program and direction; that of decompressing is dashed."""
    series = []
    for index, name in enumerate(dict.fromkeys(r["program"] for r in records)):
        own = [r for r in records if r["program"] == name]
        for key, dashed, way in zip(keys, (False, True), ("in", "out")):
            points = [(r["plain"] / 1e6, r[key] / scale, "") for r in own]
            points[-1] = (*points[-1][:2], f"{name} {way}")
            series.append(plot.series(name, points, True, dashed, index))
    return plot.panel(title, "MB of input", unit, series, True, log_y)


def measure(lmzip, levels, files, sizes, repeat):
    """Table, results for JSON and a plot."""
    text = read_all(files)
    records = []
    with tempfile.TemporaryDirectory(prefix="lmzip-scaling-") as folder:
        plain = os.path.join(folder, "plain")
        for size in sizes:
            write_input(plain, text, round(size * 1e6))
            for level in levels:
                tool = programs.lmzip_level(lmzip, level)
                measuring.show_progress(f"{size:g} MB: {tool.name}")
                record = {"program": tool.name, "plain": os.path.getsize(plain)}
                record.update(measuring.measure_best(tool, plain, folder, True, repeat))
                records.append(record)
    measuring.show_progress("")
    records.sort(key=lambda r: (levels.index(r["program"].split("-")[1]), r["plain"]))
    drawing = plot.draw([panel(records, "CPU time", "s", ("in_s", "out_s"), 1, True),
                         panel(records, "Peak memory", "MiB", ("in_bytes", "out_bytes"), 2**20,
                               False)])
    return table(records), {"scaling": records}, drawing
