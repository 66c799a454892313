#!/usr/bin/env python3
"""Measures lmzip beside other compressors and prints one Markdown table a set of files.

Each file becomes an archive of its own, on one thread. The programs take turns on each file, so
that a change of the machine's speed meets all of them; ratios between programs in one run count,
absolute speeds are noise. Every archive is decoded and compared.

The set "text" is every file of CORPUS except those of the set "binaries", which are
binaries/*, calgary/{geo,obj2}, canterbury/{kennedy.xls,ptt5,sum} and silesia/{mr,ooffice,osdb}.

A full run takes about 2 minutes for each megabyte, nearly all of it zpaq, which codes 0.2 to 0.5
MB/s each way. To split the work: --sample-speed 8 times zpaq on every eighth file only (and all
the others on these files for the ratio), and takes zpaq's sizes of the other files from the JSON
of an earlier full run given with --known FILE; without it they are packed but not unpacked.
"""

import argparse
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

BINARIES = ["binaries/*", "calgary/geo", "calgary/obj2", "canterbury/kennedy.xls",
            "canterbury/ptt5", "canterbury/sum", "silesia/mr", "silesia/ooffice", "silesia/osdb"]
REFERENCE_SIZE = "xz -9e"
REFERENCE_SPEED = "zpaq -m5"


class program:
    """A compressor: command lines in which {plain}, {packed} and {out} stand for files."""

    def __init__(self, name, pack, unpack, slow=False):
        self.name, self.pack, self.unpack, self.slow = name, pack, unpack, slow


def programs(lmzip, levels):
    found = [program(f"lmzip -{n}", f"{lmzip} -{n} -T1 -c {{plain}} >{{packed}}",
                     f"{lmzip} -d -T1 -c {{packed}} >{{out}}") for n in levels]
    found += [program(f"zstd -{n}", f"zstd -q -{n} --single-thread -c {{plain}} >{{packed}}",
                      "zstd -q -d -c {packed} >{out}") for n in (1, 3, 9, 19)]
    found.append(program("xz -9e", "xz -9e -T1 -c {plain} >{packed}",
                         "xz -d -T1 -c {packed} >{out}"))
    found.append(program("bzip3 -b 16", "bzip3 -e -b 16 -c {plain} >{packed}",
                         "bzip3 -d -c {packed} >{out}"))
    # zpaq adds to an archive and restores names; one file makes an archive of one file.
    found.append(program("zpaq -m5", "zpaq a {packed}.zpaq {plain} -m5 -t1 >{packed}.log 2>&1 && "
                         "mv {packed}.zpaq {packed}",
                         "mv {packed} {packed}.zpaq && zpaq x {packed}.zpaq {plain} -to {out} -t1 "
                         ">{packed}.log 2>&1 && mv {packed}.zpaq {packed}", slow=True))
    return found


def run(command):
    """Runs a shell command; returns its CPU seconds and peak memory in bytes."""
    child = subprocess.Popen(["sh", "-c", "exec 2>&1; " + command], stdout=subprocess.PIPE)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"text.py: {command}: exit {child.returncode}\n{output.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def measure_best(tool, plain, folder, unpack, times):
    """The least of each figure of several runs: what the machine adds is not the program's."""
    runs = [measure(tool, plain, folder, unpack) for _ in range(times)]
    return {key: min(r[key] for r in runs) for key in runs[0]}


def measure(tool, plain, folder, unpack):
    packed, out = os.path.join(folder, "packed"), os.path.join(folder, "out")
    for path in (packed, out):
        if os.path.exists(path):
            os.unlink(path)
    names = {"plain": plain, "packed": packed, "out": out}
    seconds_in, memory_in = run(tool.pack.format(**names))
    result = {"packed": os.path.getsize(packed), "in_s": seconds_in, "in_bytes": memory_in}
    if unpack:
        seconds_out, memory_out = run(tool.unpack.format(**names))
        with open(plain, "rb") as first, open(out, "rb") as second:
            if first.read() != second.read():
                sys.exit(f"text.py: {tool.name} does not give back {plain}")
        result.update(out_s=seconds_out, out_bytes=memory_out)
    return result


def corpus_files(arguments):
    if arguments.list:
        with open(arguments.list, encoding="utf-8") as file:
            names = [line.rstrip("\n") for line in file if line.strip()]
    else:
        names = [os.path.relpath(os.path.join(folder, name), arguments.corpus)
                 for folder, _, found in os.walk(arguments.corpus) for name in found]
    return sorted(n for n in names
                  if not any(fnmatch.fnmatch(n, glob) for glob in arguments.exclude))


def set_of(name):
    return "binaries" if any(fnmatch.fnmatch(name, glob) for glob in BINARIES) else "text"


def measure_all(arguments, tools, names):
    known = {}
    if arguments.known:
        with open(arguments.known, encoding="utf-8") as file:
            known = {(r["file"], r["program"]): r["packed"] for r in json.load(file)["results"]}
    results = []
    folder = tempfile.mkdtemp(prefix="lmzip-bench-")
    try:
        for index, name in enumerate(names):
            # A relative name without "..": zpaq stores and restores it as it is.
            plain = os.path.join(folder, "plain")
            shutil.copyfile(os.path.join(arguments.corpus, name), plain)
            timed = index % arguments.sample_speed == 0
            for tool in tools:
                record = {"file": name, "set": set_of(name), "program": tool.name,
                          "plain": os.path.getsize(plain), "timed": timed}
                if tool.slow and not timed and (name, tool.name) in known:
                    record["packed"] = known[name, tool.name]
                else:
                    record.update(measure_best(tool, plain, folder, timed or not tool.slow,
                                               1 if tool.slow else arguments.repeat))
                results.append(record)
            if sys.stderr.isatty():
                print(f"\r{index + 1}/{len(names)} {name}\033[K", end="", file=sys.stderr)
    finally:
        shutil.rmtree(folder)
    return results


def total(results, key, only_timed=False):
    return sum(r[key] for r in results if r["timed"] or not only_timed)


def speed_cell(results, reference, key):
    """MB/s over the timed files, and how many times the reference's speed that is."""
    seconds = total(results, key, True)
    cell = f"{total(results, 'plain', True) / 1e6 / max(seconds, 1e-3):.2f}"
    if reference:
        cell += f" ({total(reference, key, True) / max(seconds, 1e-3):.1f}×)"
    return cell


def table(results, tools, title):
    by_tool = {t.name: [r for r in results if r["program"] == t.name] for t in tools}
    plain = total(by_tool[tools[0].name], "plain")
    base = total(by_tool[REFERENCE_SIZE], "packed") if REFERENCE_SIZE in by_tool else 0
    lines = [f"{title}: {len(by_tool[tools[0].name])} files, {plain:,} bytes", "",
             f"| program | bytes | of {REFERENCE_SIZE} | MB/s in (× {REFERENCE_SPEED}) | "
             f"MB/s out (× {REFERENCE_SPEED}) | MiB in | MiB out |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    reference = by_tool.get(REFERENCE_SPEED)
    for name, own in by_tool.items():
        packed = total(own, "packed")
        memory = [max(r.get(key, 0) for r in own) / 2**20 for key in ("in_bytes", "out_bytes")]
        lines.append(f"| {name} | {packed:,} | {f'{packed / base:.4f}' if base else '-'} | "
                     f"{speed_cell(own, reference, 'in_s')} | "
                     f"{speed_cell(own, reference, 'out_s')} | {memory[0]:.0f} | {memory[1]:.0f} |")
    return "\n".join(lines)


def start_up(lmzip):
    """Median wall milliseconds of the two shortest things one can ask for."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"One kilobyte of text, more or less. " * 28)
        file.flush()
        medians = []
        for command in ([lmzip, "--version"], [lmzip, "-c", file.name]):
            times = []
            for _ in range(15):
                begin = time.perf_counter()
                subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
                times.append(time.perf_counter() - begin)
            medians.append(1000 * sorted(times)[len(times) // 2])
    return {"version_ms": medians[0], "kilobyte_ms": medians[1]}


def tokenizer_speed(lmzip, arguments, names):
    """MB/s of CPU time of the tokenizer over the text set, joined; reading counts too."""
    with tempfile.NamedTemporaryFile() as joined:
        for name in names:
            if set_of(name) == "text":
                with open(os.path.join(arguments.corpus, name), "rb") as file:
                    shutil.copyfileobj(file, joined)
        joined.flush()
        seconds = min(run(f"{lmzip} vocab tokenize --count {joined.name}")[0] for _ in range(5))
        return os.path.getsize(joined.name) / 1e6 / seconds


def tar_of(folder):
    """A folder with one tar of `folder`: what the programs do when starting up does not count."""
    target = tempfile.mkdtemp(prefix="lmzip-tar-")
    subprocess.run(["tar", "--sort=name", "-cf", os.path.join(target, "corpus.tar"), "-C", folder,
                    "."], check=True)
    return target


def update_readme(path, text):
    begin, end = "<!-- bench:text -->", "<!-- /bench:text -->"
    with open(path, encoding="utf-8") as file:
        content = file.read()
    if begin not in content or end not in content:
        sys.exit(f"text.py: {path}: has no {begin} … {end}")
    head, rest = content.split(begin, 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{begin}\n{text}\n{end}{rest.split(end, 1)[1]}")


def parse_arguments():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", help="folder of files")
    parser.add_argument("--lmzip", default=os.path.join(root, "build/app/lmzip/lmzip"))
    parser.add_argument("--levels", default="1,2,3,6", help="lmzip levels (default 1,2,3,6)")
    parser.add_argument("--programs", default="*", help="glob of programs, e.g. 'lmzip*,xz*'")
    parser.add_argument("--list", help="file with the names to use, one a line, within CORPUS")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB")
    parser.add_argument("--repeat", type=int, default=1, metavar="N",
                        help="best of N runs for each program but zpaq")
    parser.add_argument("--tar", action="store_true",
                        help="measure one tar of CORPUS instead of its files")
    parser.add_argument("--sample-speed", type=int, default=1, metavar="N",
                        help="time on every Nth file only")
    parser.add_argument("--known", metavar="FILE", help="JSON of an earlier run, for zpaq's sizes")
    parser.add_argument("--json", metavar="FILE", help="write all results there")
    parser.add_argument("--readme", metavar="FILE",
                        help="write the tables between the bench:text comments of FILE")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    lmzip = shutil.which(arguments.lmzip)
    if not lmzip:
        sys.exit(f"text.py: {arguments.lmzip}: no such program (build it, or use --lmzip)")
    levels = arguments.levels.replace(",", " ").split()
    tools = [t for t in programs(os.path.abspath(lmzip), levels)
             if any(fnmatch.fnmatch(t.name, glob) for glob in arguments.programs.split(","))]
    if arguments.tar:
        arguments.corpus = tar_of(arguments.corpus)
    names = corpus_files(arguments)
    if not names or not tools:
        sys.exit("text.py: nothing to measure")
    results = measure_all(arguments, tools, names)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    start = start_up(lmzip)
    tables = [table([r for r in results if r["set"] == kind], tools, title)
              for kind, title in (("text", "Text set"), ("binaries", "Binaries"))
              if any(r["set"] == kind for r in results)]
    tables.append(f"Start-up: `lmzip --version` {start['version_ms']:.1f} ms, "
                  f"one kilobyte {start['kilobyte_ms']:.1f} ms. Tokenizer, whole process: "
                  f"{tokenizer_speed(lmzip, arguments, names):.0f} MB/s.")
    if arguments.tar:
        shutil.rmtree(arguments.corpus)
    print("\n\n".join(tables))
    if arguments.readme:
        update_readme(arguments.readme, "\n\n".join(tables))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"start": start, "results": results}, file, indent=1)


if __name__ == "__main__":
    main()
