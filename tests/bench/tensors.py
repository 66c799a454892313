#!/usr/bin/env python3
"""Measures lmzip on checkpoints beside other compressors and prints Markdown tables.

Each file becomes an archive of its own, on one thread. The programs take turns on each file, so
that a change of the machine's speed meets all of them; ratios between programs in one run count,
absolute speeds are noise. Every archive is decoded and compared. Times are CPU time; files come
from the page cache and go there.

A CORPUS is a folder or a file. There is a table of all files by program, and a table of sizes file
by file. "planes + zstd" is zstd -19 on the byte planes of each tensor of a safetensors file
(planes.py, whose own time counts too and says nothing).

--large measures speed only, of the programs that are meant for it, beside cp. --made=SIZE does so
with checkpoints of that size made for it (checkpoints/): weights of each type, and Adam's moments.

--steps=FILE,FILE,... measures checkpoints of one training run, each against the one before: lmzip
with and without --base, the XOR of both (byte planes with zstd, bzip2, xz), and zstd --patch-from.
The option may be given several times.

LMC's recipe is lmc_recipe.cpp: what is published of LMC. Other tensor compressors can be measured
with --program.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import measuring
import plot
import programs
import report
import steps

HERE = os.path.dirname(os.path.abspath(__file__))
REFERENCE = "zstd -19"


def peers():
    planes = f"python3 {HERE}/planes.py"
    found = [programs.program(f"zstd -{n}", f"zstd -q -{n} --single-thread -c {{plain}} >{{packed}}",
                              "zstd -q -d -c {packed} >{out}") for n in (1, 3, 19)]
    return found + [
        programs.program("planes + zstd -19",
                         f"{planes} split <{{plain}} | zstd -q -19 --single-thread >{{packed}}",
                         f"zstd -q -d -c {{packed}} | {planes} join >{{out}}"),
        programs.program("xz -9e", "xz -9e -T1 -c {plain} >{packed}",
                         "xz -d -T1 -c {packed} >{out}"),
        programs.program("bzip2 -9", "bzip2 -9 -c {plain} >{packed}", "bzip2 -d -c {packed} >{out}"),
        programs.program("gzip -6", "gzip -6 -c {plain} >{packed}", "gzip -d -c {packed} >{out}"),
        programs.program("lz4", "lz4 -q -c {plain} >{packed}", "lz4 -q -d -c {packed} >{out}"),
    ]


def recipe(path):
    return programs.program("LMC's recipe", f"{path} c <{{plain}} >{{packed}}",
                            f"{path} d <{{packed}} >{{out}}")


def make_checkpoints(maker, size, folder):
    """The made checkpoints by type, as (name, path)."""
    kinds = {"BF16": [], "F16": ["--type=F16"], "F32": ["--type=F32"],
             "F32 with moments": ["--type=F32", "--moments"]}
    for name, options in kinds.items():
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            subprocess.run([maker, f"--size={size}", *options], stdout=file, check=True)
        yield name, path


def fast_peers():
    fast = [tool for tool in peers() if tool.name in ("zstd -1", "zstd -3", "lz4")]
    return [programs.program("cp", "cp {plain} {packed}", "cp {packed} {out}")] + fast


def overview(results, reference):
    """A table of all files."""
    own = report.by_program(results)
    first = next(iter(own.values()))
    base = report.total(own[reference], "packed") if reference in own else 0
    lines = [f"{len(first)} files, {report.total(first, 'plain'):,} bytes", "",
             "| program | bytes | of plain | of " + reference + " | MB/s in | MB/s out | MiB in | "
             "MiB out |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for name, records in own.items():
        packed = report.total(records, "packed")
        memory = [max(r[key] for r in records) / 2**20 for key in ("in_bytes", "out_bytes")]
        lines.append(
            f"| {name} | {packed:,} | {packed / report.total(records, 'plain'):.4f} | "
            f"{f'{packed / base:.4f}' if base else '-'} | {report.speed(records, 'in_s'):.1f} | "
            f"{report.speed(records, 'out_s'):.1f} | {memory[0]:.0f} | {memory[1]:.0f} |")
    return "\n".join(lines)


def file_by_file(results):
    names = list(report.by_program(results))
    lines = ["| file | bytes | " + " | ".join(names) + " |",
             "|---|---:|" + "---:|" * len(names)]
    by_file = {}
    for record in results:
        by_file.setdefault(record["file"], []).append(record)
    for file, records in by_file.items():
        least = min(r["packed"] for r in records)
        cells = [f"**{r['packed']:,}**" if r["packed"] == least else f"{r['packed']:,}"
                 for r in records]
        lines.append(f"| {file} | {records[0]['plain']:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table_of_each(results, reference):
    """A table of each file."""
    files = dict.fromkeys(r["file"] for r in results)
    return "\n\n".join(f"{file}: " + overview([r for r in results if r["file"] == file], reference)
                       for file in files)


def speed_plot(results):
    """Size against speed, a panel a file and direction."""
    panels = []
    for file in dict.fromkeys(r["file"] for r in results):
        for key, way in (("in_s", "in"), ("out_s", "out")):
            points = [(r["plain"] / 1e6 / max(r[key], 1e-4), r["packed"] / r["plain"],
                       r["program"]) for r in results if r["file"] == file]
            series = [plot.series("lmzip", [p for p in points if p[2].startswith("lmzip")], True),
                      plot.series("others", [p for p in points if not p[2].startswith("lmzip")])]
            panels.append(plot.panel(f"{file}, {way}", "MB/s", "size, plain = 1",
                                     [s for s in series if s.points], log_x=True))
    return plot.draw(panels)


def parse_arguments():
    root = os.path.dirname(os.path.dirname(HERE))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", metavar="CORPUS", help="folder of files, or a file")
    parser.add_argument("--build", default=os.path.join(root, "build"), metavar="FOLDER",
                        help="where lmzip, lmzip-make-checkpoint and lmzip-lmc-recipe were built")
    parser.add_argument("--levels", default="1,4,6", help="lmzip levels (default 1,4,6)")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB")
    parser.add_argument("--program", action="append", default=[], metavar="TEXT",
                        help="one more: 'NAME=COMMAND WITH {plain} {packed};"
                        "COMMAND WITH {packed} {out}'")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="best of N runs")
    parser.add_argument("--large", action="store_true", help="speed only, beside cp")
    parser.add_argument("--made", metavar="SIZE", help="the same of checkpoints made for it")
    parser.add_argument("--steps", action="append", default=[], metavar="FILE,FILE...",
                        help="checkpoints against the ones before them")
    parser.add_argument("--json", metavar="FILE", help="write all results there")
    parser.add_argument("--svg", metavar="FILE", help="write a plot there (--large, --made)")
    arguments = parser.parse_args()
    arguments.large = arguments.large or arguments.made is not None
    if sum(map(bool, (arguments.corpora, arguments.made, arguments.steps))) != 1:
        parser.error("give a corpus, or --made=SIZE, or --steps=FILE,FILE")
    if arguments.svg and not arguments.large:
        parser.error("--svg goes with --large and --made")
    return arguments


def built(folder, name):
    path = shutil.which(os.path.join(folder, name))
    if not path:
        sys.exit(f"tensors.py: {folder}/{name}: no such program (build it, or use --build)")
    return os.path.abspath(path)


def write_json(arguments, results):
    if not arguments.json:
        return
    with open(arguments.json, "w", encoding="utf-8") as file:
        json.dump({"results": results}, file, indent=1)


def main():
    arguments = parse_arguments()
    lmzip = built(arguments.build, "app/lmzip/lmzip")
    if arguments.steps:
        results = steps.measure(lmzip, arguments.levels.split(","), arguments.steps,
                                arguments.repeat)
        print(steps.table(results))
        write_json(arguments, results)
        return
    tools = [programs.lmzip_level(lmzip, level) for level in arguments.levels.split(",")]
    tools += fast_peers() if arguments.large else peers()
    tools.append(recipe(built(arguments.build, "tests/lmzip-lmc-recipe")))
    tools += [programs.from_command_line(text) for text in arguments.program]
    with tempfile.TemporaryDirectory(prefix="lmzip-bench-") as folder:
        if arguments.made:
            maker = built(arguments.build, "tests/lmzip-make-checkpoint")
            files = list(make_checkpoints(maker, arguments.made, folder))
        else:
            files = measuring.corpus_files(arguments.corpora, None, arguments.exclude)
        if not files:
            sys.exit("tensors.py: nothing to measure")
        results = measuring.measure_all(tools, files, 1, None, arguments.repeat)
    if arguments.large:
        print(table_of_each(results, "cp"))
    else:
        print(overview(results, REFERENCE) + "\n\n" + file_by_file(results))
    write_json(arguments, results)
    if arguments.svg:
        with open(arguments.svg, "w", encoding="utf-8") as file:
            file.write(speed_plot(results))


if __name__ == "__main__":
    main()
