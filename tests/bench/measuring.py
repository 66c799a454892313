"""Runs programs and takes their CPU time, peak memory and sizes."""

import fnmatch
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

BINARIES = ["binaries/*", "calgary/geo", "calgary/obj2", "canterbury/kennedy.xls",
            "canterbury/ptt5", "canterbury/sum", "silesia/mr", "silesia/ooffice", "silesia/osdb"]


@functools.cache
def shell_seconds():
    """What run() takes for a command that does nothing."""
    return min(run_in_shell(":")[0] for _ in range(20))


def run(command):
    """Runs a shell command; returns its CPU seconds, without those of the shell, and its peak
    memory in bytes."""
    seconds, memory = run_in_shell(command)
    return max(seconds - shell_seconds(), 1e-4), memory


def run_in_shell(command):
    """What wait4() says of a child's memory is at least what this process takes, so time(1), which
    is small, looks at the memory; its clock is coarse, so wait4() looks at the time."""
    with tempfile.NamedTemporaryFile(mode="r") as peak:
        child = subprocess.Popen(["/usr/bin/time", "-f", "%M", "-o", peak.name, "sh", "-c",
                                  "exec 2>&1; " + command],
                                 stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            sys.exit(f"compare.py: {command}: exit {child.returncode}\n"
                     f"{output.decode(errors='replace')}")
        return usage.ru_utime + usage.ru_stime, int(peak.read().split()[-1]) * 1024


def same_contents(one, two):
    with open(one, "rb") as first, open(two, "rb") as second:
        while True:
            piece = first.read(1 << 20)
            if piece != second.read(1 << 20):
                return False
            if not piece:
                return True


def measure(tool, plain, folder, unpack):
    """Sizes, CPU seconds and peak memory of one file, packed and, if asked, unpacked."""
    packed, out = os.path.join(folder, "packed"), os.path.join(folder, "out")
    for path in (packed, out):
        if os.path.exists(path):
            os.unlink(path)
    names = {"plain": plain, "packed": packed, "out": out}
    seconds_in, memory_in = run(fill(tool.pack, names))
    result = {"packed": os.path.getsize(packed), "in_s": seconds_in, "in_bytes": memory_in}
    if unpack:
        seconds_out, memory_out = run(fill(tool.unpack, names))
        if not same_contents(plain, out):
            sys.exit(f"compare.py: {tool.name} does not give back {plain}")
        result.update(out_s=seconds_out, out_bytes=memory_out)
    return result


def fill(command, names):
    """Not str.format(): other braces in a command are the shell's."""
    for name, path in names.items():
        command = command.replace("{" + name + "}", path)
    return command


def measure_best(tool, plain, folder, unpack, times):
    """The least of each figure of several runs: what the machine adds is not the program's."""
    runs = [measure(tool, plain, folder, unpack) for _ in range(times)]
    return {key: min(r[key] for r in runs) for key in runs[0]}


def set_of(name):
    """Folders before the corpus's own do not matter."""
    found = any(fnmatch.fnmatch("/" + name, "*/" + glob) for glob in BINARIES)
    return "binaries" if found else "text"


def listed_files(corpora, list_file):
    with open(list_file, encoding="utf-8") as file:
        names = [line.rstrip("\n") for line in file if line.strip()]
    for name in names:
        paths = [os.path.join(corpus, name) for corpus in corpora]
        path = next((p for p in paths if os.path.isfile(p)), None)
        if path is None:
            sys.exit(f"compare.py: {list_file}: {name}: not in the corpus")
        yield name, path


def found_files(corpora):
    for corpus in corpora:
        if os.path.isfile(corpus):
            yield os.path.basename(corpus), corpus
        prefix = os.path.basename(os.path.abspath(corpus)) + "/" if len(corpora) > 1 else ""
        for folder, _, names in os.walk(corpus):
            for path in (os.path.join(folder, name) for name in names):
                yield prefix + os.path.relpath(path, corpus), path


def corpus_files(corpora, list_file=None, exclude=()):
    """(name, path) of every file, sorted by name; with several corpora names begin with theirs.
    `list_file` holds the names to use, one a line, relative to a corpus."""
    files = listed_files(corpora, list_file) if list_file else found_files(corpora)
    return sorted((name, path) for name, path in files
                  if not any(fnmatch.fnmatch(name, glob) for glob in exclude))


def known_sizes(path):
    """(file, program) -> packed size from the JSON of an earlier run."""
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        return {(r["file"], r["program"]): r["packed"] for r in json.load(file)["results"]}


def show_progress(text):
    if sys.stderr.isatty():
        print(f"\r{text}\033[K", end="", file=sys.stderr)


def measure_all(tools, files, sample_speed=1, known=None, repeat=1):
    """One record a file and program; the programs take turns on each file."""
    results = []
    with tempfile.TemporaryDirectory(prefix="lmzip-bench-") as folder:
        for index, (name, path) in enumerate(files):
            # A relative name without "..": zpaq stores and restores it as it is.
            plain = os.path.join(folder, "plain")
            shutil.copyfile(path, plain)
            timed = index % sample_speed == 0
            for tool in tools:
                show_progress(f"{index + 1}/{len(files)} {name}: {tool.name}")
                record = {"file": name, "set": set_of(name), "program": tool.name,
                          "plain": os.path.getsize(plain), "timed": timed}
                if tool.slow and not timed and (name, tool.name) in (known or {}):
                    record["packed"] = known[name, tool.name]
                else:
                    record.update(measure_best(tool, plain, folder, timed or not tool.slow,
                                               1 if tool.slow else repeat))
                results.append(record)
    show_progress("")
    return results


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


def tokenizer_speed(lmzip, files):
    """MB/s of CPU time of the tokenizer over the text set, joined; reading counts too."""
    with tempfile.NamedTemporaryFile() as joined:
        for name, path in files:
            if set_of(name) == "text":
                with open(path, "rb") as file:
                    shutil.copyfileobj(file, joined)
        joined.flush()
        seconds = min(run(f"{lmzip} vocab tokenize --count {joined.name}")[0] for _ in range(5))
        return os.path.getsize(joined.name) / 1e6 / max(seconds, 1e-3)
