"""Tables and plots of what was measured."""

import sys

import plot

REFERENCE_SIZE = "xz -9e"
REFERENCE_SPEED = "zpaq -m5"
TITLES = {"text": "Text set", "binaries": "Binaries"}


def total(results, key, only_timed=False):
    return sum(r[key] for r in results if r["timed"] or not only_timed)


def by_program(results):
    found = {}
    for record in results:
        found.setdefault(record["program"], []).append(record)
    return found


def speed(results, key):
    """MB/s over the timed files."""
    return total(results, "plain", True) / 1e6 / max(total(results, key, True), 1e-3)


def speed_cell(results, reference, key):
    """MB/s, and how many times the reference's speed that is."""
    cell = f"{speed(results, key):.2f}"
    if reference:
        cell += f" ({speed(results, key) / speed(reference, key):.1f}×)"
    return cell


def table(results, title):
    programs = by_program(results)
    first = next(iter(programs.values()))
    base = total(programs[REFERENCE_SIZE], "packed") if REFERENCE_SIZE in programs else 0
    lines = [f"{title}: {len(first)} files, {total(first, 'plain'):,} bytes", "",
             f"| program | bytes | of {REFERENCE_SIZE} | MB/s in (× {REFERENCE_SPEED}) | "
             f"MB/s out (× {REFERENCE_SPEED}) | MiB in | MiB out |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    reference = programs.get(REFERENCE_SPEED)
    for name, own in programs.items():
        packed = total(own, "packed")
        memory = [max(r.get(key, 0) for r in own) / 2**20 for key in ("in_bytes", "out_bytes")]
        lines.append(f"| {name} | {packed:,} | {f'{packed / base:.4f}' if base else '-'} | "
                     f"{speed_cell(own, reference, 'in_s')} | "
                     f"{speed_cell(own, reference, 'out_s')} | {memory[0]:.0f} | {memory[1]:.0f} |")
    return "\n".join(lines)


def tables(results):
    return [table([r for r in results if r["set"] == kind], title)
            for kind, title in TITLES.items() if any(r["set"] == kind for r in results)]


def panel(results, key, title):
    """Size against speed in one direction."""
    programs = by_program(results)
    base_name = REFERENCE_SIZE if REFERENCE_SIZE in programs else None
    ours, peers = [], []
    for name, own in programs.items():
        base = total(programs[base_name], "packed") if base_name else total(own, "plain")
        point = (speed(own, key), total(own, "packed") / base, name)
        (ours if name.startswith("lmzip ") else peers).append(point)
    series = []
    if ours:
        series.append(plot.series("lmzip", ours, line=True))
    if peers:
        series.append(plot.series("others", peers))
    return plot.panel(title, "MB/s", f"size, {base_name or 'plain'} = 1", series, log_x=True)


def frontier_plot(results):
    """One row a set: compressing and decompressing."""
    panels = []
    for kind, title in TITLES.items():
        own = [r for r in results if r["set"] == kind]
        if own:
            panels.append(panel(own, "in_s", f"{title}: compressing"))
            panels.append(panel(own, "out_s", f"{title}: decompressing"))
    return plot.draw(panels)


def update_readme(path, text):
    begin, end = "<!-- bench:text -->", "<!-- /bench:text -->"
    with open(path, encoding="utf-8") as file:
        content = file.read()
    if begin not in content or end not in content:
        sys.exit(f"compare.py: {path}: has no {begin} … {end}")
    head, rest = content.split(begin, 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{begin}\n{text}\n{end}{rest.split(end, 1)[1]}")
