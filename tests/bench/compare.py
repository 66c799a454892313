#!/usr/bin/env python3
"""Measures lmzip beside other compressors and prints one Markdown table a set of files.

Each file becomes an archive of its own, on one thread. The programs take turns on each file, so
that a change of the machine's speed meets all of them; ratios between programs in one run count,
absolute speeds are noise. Every archive is decoded and compared. Times are CPU time.

A CORPUS is a folder or a file. The set "text" is every file except those of the set "binaries",
which are binaries/*, calgary/{geo,obj2}, canterbury/{kennedy.xls,ptt5,sum} and
silesia/{mr,ooffice,osdb}.

A full run takes about 3 minutes for each megabyte, most of it zpaq -m5, which codes 0.2 to 0.5
MB/s each way. To split the work: --sample-speed 8 times zpaq -m5 on every eighth file only (and
all the others on these files for the ratio), and takes its sizes of the other files from the JSON
of an earlier full run given with --known FILE; without it they are packed but not unpacked.

Other programs join with --program; braces stand for files:
  --program 'bsc=bsc e {plain} {packed} -e2 -T;bsc d {packed} {out} -T'

--scaling measures instead time and memory of the lmzip levels against the size of the input, from
the corpus shuffled in short pieces. --small-blocks measures independent blocks of 4 KiB of every
text file against zstd -19 with a trained dictionary of 110 KiB.
"""

import argparse
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile

import measuring
import programs
import report
import scaling
import small_blocks


def parse_arguments():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", metavar="CORPUS", help="folder of files, or a file")
    parser.add_argument("--lmzip", default=os.path.join(root, "build/app/lmzip/lmzip"))
    parser.add_argument("--levels", help="lmzip levels (default 1 to 9; with --scaling 1,4,6; "
                        "with --small-blocks 6,8,9)")
    parser.add_argument("--programs", default="*", help="globs of programs, e.g. 'lmzip*,xz*'")
    parser.add_argument("--program", action="append", default=[],
                        metavar="NAME=PACK;UNPACK", help="one more program")
    parser.add_argument("--list", help="file with the names to use, one a line, within CORPUS")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB")
    parser.add_argument("--repeat", type=int, default=1, metavar="N",
                        help="best of N runs for each program but zpaq -m5")
    parser.add_argument("--tar", action="store_true",
                        help="measure one tar of each CORPUS instead of its files")
    parser.add_argument("--sample-speed", type=int, default=1, metavar="N",
                        help="time on every Nth file only")
    parser.add_argument("--known", metavar="FILE",
                        help="JSON of an earlier run, for the sizes of zpaq -m5")
    parser.add_argument("--json", metavar="FILE", help="write all results there")
    parser.add_argument("--svg", metavar="FILE", help="write a plot there")
    parser.add_argument("--readme", metavar="FILE",
                        help="write the tables between the bench:text comments of FILE")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--scaling", action="store_true")
    mode.add_argument("--small-blocks", action="store_true")
    parser.add_argument("--sizes", default="1,10,100,1000", metavar="LIST",
                        help="for --scaling: megabytes (default 1,10,100,1000)")
    parser.add_argument("--training-text", metavar="FILE",
                        help="for --small-blocks: what the dictionary is trained on")
    arguments = parser.parse_args()
    if arguments.small_blocks != bool(arguments.training_text):
        parser.error("--small-blocks and --training-text go together")
    if arguments.readme and (arguments.scaling or arguments.small_blocks):
        parser.error("--readme does not go with --scaling and --small-blocks")
    if arguments.svg and arguments.small_blocks:
        parser.error("--svg does not go with --small-blocks")
    default = "6,8,9" if arguments.small_blocks else "1,4,6" if arguments.scaling else "1,2,3,4,5,6,7,8,9"
    arguments.levels = (arguments.levels or default).replace(",", " ").split()
    return arguments


def tars_of(corpora, folder):
    """One tar of each corpus: what the programs do when starting up does not count then."""
    paths = []
    for index, corpus in enumerate(corpora):
        path = os.path.join(folder, f"corpus{index}.tar")
        subprocess.run(["tar", "--sort=name", "-cf", path, "-C", corpus, "."], check=True)
        paths.append(path)
    return paths


def compare(arguments, lmzip):
    """Tables, results for JSON and a plot."""
    globs = arguments.programs.split(",")
    tools = [t for t in programs.built_in(lmzip, arguments.levels)
             if any(fnmatch.fnmatch(t.name, glob) for glob in globs)]
    tools += [programs.from_command_line(text) for text in arguments.program]
    with tempfile.TemporaryDirectory(prefix="lmzip-tar-") as folder:
        corpora = tars_of(arguments.corpora, folder) if arguments.tar else arguments.corpora
        files = measuring.corpus_files(corpora, arguments.list, arguments.exclude)
        if not files or not tools:
            sys.exit("compare.py: nothing to measure")
        results = measuring.measure_all(tools, files, arguments.sample_speed,
                                        measuring.known_sizes(arguments.known), arguments.repeat)
        start = measuring.start_up(lmzip)
        tokenizer = measuring.tokenizer_speed(lmzip, files)
    lines = report.tables(results)
    lines.append(f"Start-up: `lmzip --version` {start['version_ms']:.1f} ms, one kilobyte "
                 f"{start['kilobyte_ms']:.1f} ms. Tokenizer, whole process: {tokenizer:.0f} MB/s.")
    data = {"start": start, "tokenizer_mb_per_s": tokenizer, "results": results}
    return "\n\n".join(lines), data, report.frontier_plot(results)


def measure_what_is_asked(arguments, lmzip):
    if not arguments.scaling and not arguments.small_blocks:
        return compare(arguments, lmzip)
    files = [each for each in measuring.corpus_files(arguments.corpora, arguments.list,
                                                     arguments.exclude)
             if measuring.set_of(each[0]) == "text"]
    if not files:
        sys.exit("compare.py: nothing to measure")
    if arguments.scaling:
        sizes = [float(size) for size in arguments.sizes.split(",")]
        return scaling.measure(lmzip, arguments.levels, files, sizes, arguments.repeat)
    return small_blocks.measure(lmzip, arguments.levels, files, arguments.training_text)


def main():
    arguments = parse_arguments()
    lmzip = shutil.which(arguments.lmzip)
    if not lmzip:
        sys.exit(f"compare.py: {arguments.lmzip}: no such program (build it, or use --lmzip)")
    text, data, drawing = measure_what_is_asked(arguments, os.path.abspath(lmzip))
    print(text)
    if arguments.readme:
        report.update_readme(arguments.readme, text)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
    if arguments.svg:
        with open(arguments.svg, "w", encoding="utf-8") as file:
            file.write(drawing)


if __name__ == "__main__":
    main()
