"""Independent small blocks: lmzip --block-size=4KiB against zstd -19 with a trained dictionary.

Payload bytes are what both spend on the blocks themselves: of lmzip the coded bytes of the blocks
without headers and index; of zstd frames without magic, content size, dictionary id and checksum.
Where a block does not shrink, both count it as it is. "Archive" is all of an lmzip archive."""

import json
import os
import subprocess
import sys
import tempfile
import time

import measuring

BLOCK_BYTES = 4096
DICTIONARY_BYTES = 110 * 1024
ZSTD_LEVEL = 19
RANGES = 5  # single blocks that a fresh process decodes, a file


def build_helper(folder):
    """Compiles the program that runs zstd over all blocks of a file."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dictionary_blocks.c")
    target = os.path.join(folder, "dictionary_blocks")
    subprocess.run(["cc", "-O2", "-Wall", source, "-lzstd", "-o", target], check=True)
    return target


def train(training_text, folder):
    target = os.path.join(folder, "dictionary")
    result = subprocess.run(["zstd", "-q", "--train", training_text, f"-B{BLOCK_BYTES}",
                             f"--maxdict={DICTIONARY_BYTES}", "-o", target],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode or not os.path.exists(target):
        sys.exit(f"compare.py: zstd --train: {result.stdout.decode(errors='replace')}")
    return target


def measure_zstd(helper, dictionary, path):
    output = subprocess.run([helper, dictionary, path, str(BLOCK_BYTES), str(ZSTD_LEVEL)],
                            stdout=subprocess.PIPE, check=True).stdout
    return json.loads(output)


def milliseconds_of_ranges(lmzip, packed, size):
    """Wall time of processes that decode one block each, the least of them."""
    least = float("inf")
    for i in range(RANGES):
        offset = size // RANGES * i // BLOCK_BYTES * BLOCK_BYTES
        begin = time.perf_counter()
        subprocess.run([lmzip, "-dc", f"--range={offset}:{BLOCK_BYTES}", packed],
                       stdout=subprocess.DEVNULL, check=True)
        least = min(least, 1000 * (time.perf_counter() - begin))
    return least


def measure_lmzip(lmzip, level, path, folder):
    packed, out = os.path.join(folder, "packed"), os.path.join(folder, "out")
    seconds_in, _ = measuring.run(
        f"{lmzip} -{level} --block-size={BLOCK_BYTES} -T1 -c {path} >{packed}")
    seconds_out, memory_out = measuring.run(f"{lmzip} -d -T1 -c {packed} >{out}")
    # A process that decodes one block: what starting up costs, and one block of many.
    seconds_first, _ = measuring.run(f"{lmzip} -dc -T1 --range=0:1 {packed} >{packed}.part")
    if not measuring.same_contents(path, out):
        sys.exit(f"compare.py: lmzip -{level} does not give back {path}")
    described = json.loads(subprocess.run([lmzip, "info", "--json", packed],
                                          stdout=subprocess.PIPE, check=True).stdout)
    blocks = [block for member in described["members"] for block in member["blocks"]]
    size = os.path.getsize(path)
    return {"blocks": len(blocks), "coded": sum(block["coded_bytes"] for block in blocks),
            "archive": os.path.getsize(packed), "in_s": seconds_in, "out_s": seconds_out,
            "first_s": seconds_first, "out_bytes": memory_out,
            "range_ms": milliseconds_of_ranges(lmzip, packed, size) if size else 0}


def table(records, plain):
    programs = list(dict.fromkeys(r["program"] for r in records))
    sums = {name: {key: sum(r.get(key, 0) for r in records if r["program"] == name)
                   for key in ("coded", "archive", "blocks", "in_s", "out_s", "first_s")}
            for name in programs}
    base = sums[programs[-1]]["coded"]
    lines = [f"Blocks of {BLOCK_BYTES} bytes, each on its own: {plain:,} bytes", "",
             "| program | payload bytes | of zstd | archive | ms a block in | ms a block out | "
             "ms for one block, whole process |", "|---|---:|---:|---:|---:|---:|---:|"]
    for name, each in sums.items():
        # Of lmzip the blocks after the first of each file, without starting up.
        later = each["blocks"] - (len(records) // len(programs) if each["first_s"] else 0)
        milliseconds = [1000 * each["in_s"] / each["blocks"],
                        1000 * max(each["out_s"] - each["first_s"], 0) / max(later, 1)]
        ranges = [r["range_ms"] for r in records if r["program"] == name and "range_ms" in r]
        lines.append(
            f"| {name} | {each['coded']:,} | {each['coded'] / base:.4f} | "
            f"{format(each['archive'], ',') if each['archive'] else '-'} | "
            f"{milliseconds[0]:.3f} | {milliseconds[1]:.3f} | "
            f"{f'{min(ranges):.1f} … {max(ranges):.1f}' if ranges else '-'} |")
    return "\n".join(lines)


def measure(lmzip, levels, files, training_text):
    """Table, results for JSON and no plot."""
    records = []
    files = [(name, path) for name, path in files if os.path.getsize(path) > 0]
    with tempfile.TemporaryDirectory(prefix="lmzip-blocks-") as folder:
        measuring.show_progress("training the dictionary")
        helper, dictionary = build_helper(folder), train(training_text, folder)
        zstd_name = f"zstd -{ZSTD_LEVEL} -D {os.path.getsize(dictionary):,} bytes"
        for name, path in files:
            measuring.show_progress(name)
            for level in levels:
                records.append({"file": name, "program": f"lmzip -{level}",
                                **measure_lmzip(lmzip, level, path, folder)})
            records.append({"file": name, "program": zstd_name,
                            **measure_zstd(helper, dictionary, path)})
    measuring.show_progress("")
    plain = sum(os.path.getsize(path) for _, path in files)
    return table(records, plain), {"small_blocks": records}, ""
