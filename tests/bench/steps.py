"""Measures checkpoints against the ones before them, for tensors.py --steps."""

import os
import sys

import measuring
import programs
import report

HERE = os.path.dirname(os.path.abspath(__file__))


def pairs_of(lists):
    """(name, base, file) of all neighbours in lists of paths that commas separate."""
    for text in lists:
        paths = text.split(",")
        if len(paths) < 2 or not all(os.path.isfile(path) for path in paths):
            sys.exit(f"tensors.py: --steps={text}: not two files or more")
        for base, path in zip(paths, paths[1:]):
            yield f"{stem(base)} → {stem(path)}", os.path.abspath(base), path


def stem(path):
    return os.path.basename(path).removesuffix(".safetensors")


def tools(lmzip, levels, base):
    """What codes a checkpoint against `base`, and lmzip without it."""
    found = [programs.lmzip_level(lmzip, level) for level in levels]
    found += [programs.program(f"lmzip -{level} --base",
                               f"{lmzip} -{level} -T1 --base {base} -c {{plain}} >{{packed}}",
                               f"{lmzip} -d -T1 --base {base} -c {{packed}} >{{out}}")
              for level in levels]
    xor, planes = f"python3 {HERE}/xor.py {base}", f"python3 {HERE}/planes.py"
    coders = [("planes + zstd -3", f"{planes} split | zstd -q -3 --single-thread",
               f"zstd -q -d -c | {planes} join"),
              ("planes + zstd -19", f"{planes} split | zstd -q -19 --single-thread",
               f"zstd -q -d -c | {planes} join"),
              ("bzip2 -9", "bzip2 -9", "bzip2 -d"), ("xz -9e", "xz -9e -T1", "xz -d -T1")]
    found += [programs.program(f"XOR + {name}", f"{xor} <{{plain}} | {pack} >{{packed}}",
                               f"cat {{packed}} | {unpack} | {xor} >{{out}}")
              for name, pack, unpack in coders]
    found.append(programs.program(
        "zstd -19 --patch-from",
        f"zstd -q -19 --single-thread --long=31 --patch-from={base} -c {{plain}} >{{packed}}",
        f"zstd -q -d --long=31 --memory=2048MB --patch-from={base} -c {{packed}} >{{out}}"))
    return found


def measure(lmzip, levels, lists, repeat):
    results = []
    for name, base, path in pairs_of(lists):
        results += measuring.measure_all(tools(lmzip, levels, base), [(name, path)], 1, None, repeat)
    return results


def table(results):
    """A column a pair, what is left of the plain bytes; XOR's own time counts and says nothing."""
    names = list(dict.fromkeys(r["file"] for r in results))
    lines = ["| program | " + " | ".join(names) + " | MB/s in | MB/s out |",
             "|---|" + "---:|" * (len(names) + 2)]
    sizes = " | ".join(f"{next(r['plain'] for r in results if r['file'] == n):,}" for n in names)
    lines.append(f"| plain bytes | {sizes} | | |")
    for program, records in report.by_program(results).items():
        cells = [f"{r['packed'] / r['plain']:.4f}" for r in records]
        lines.append(f"| {program} | " + " | ".join(cells) +
                     f" | {report.speed(records, 'in_s'):.1f} | "
                     f"{report.speed(records, 'out_s'):.1f} |")
    return "\n".join(lines)
