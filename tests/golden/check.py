#!/usr/bin/env python3
"""check.py [--decoder] COMMAND...: decodes every golden archive and compares with the tables.

COMMAND is lmzip with what stands before it (qemu-s390x lmzip, env LMZIP_ISA=scalar lmzip).
--decoder: COMMAND is lmzip-decode-one, which takes an archive and has no other options; then
messages are not compared.

The tables are those of good/README.md, bad/README.md and unsupported/README.md. What comes out of
a bad archive must be the beginning of its plain file and nothing else.
"""

import hashlib
import os
import re
import subprocess
import sys

import sources

HERE = os.path.dirname(os.path.abspath(__file__))


def rows(kind):
    """The table of a README as lists of cells without the back-ticks; the first is the file."""
    with open(os.path.join(HERE, kind, "README.md"), encoding="utf-8") as file:
        lines = [line for line in file if line.startswith("| `")]
    return [[re.sub(r"^`|`$", "", cell.strip()) for cell in line.strip().strip("|").split("|")]
            for line in lines]


def run(command, name, options):
    return subprocess.run(command + options + [name], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)


def base_options(name, decoder_only):
    """What an archive that needs a base is decoded with besides."""
    if not name.endswith(".base.lmz"):
        return []
    base = os.path.join(HERE, "good", "checkpoint.default.lmz")
    return [f"--base={base}"] if decoder_only else ["--base", base]


def check_good(command, options, decoder_only):
    for name, expected, _ in rows("good"):
        path = os.path.join(HERE, "good", name)
        base = base_options(name, decoder_only)
        result = run(command, path, options + base)
        found = hashlib.sha256(result.stdout).hexdigest()
        if result.returncode or found != expected:
            yield f"{name}: exit {result.returncode}, {found}, {result.stderr.decode()}"
        if not decoder_only:
            for option in ("-t", "-l"):
                if run(command, path, [option] + base).returncode:
                    yield f"{name}: {option} fails"


def check_faulty(command, options, decoder_only, kind):
    for name, status, message, _ in rows(kind):
        path = os.path.join(HERE, kind, name)
        plain = sources.FILES[name.split(".")[0]]
        result = run(command, path, options)
        text = result.stderr.decode(errors="replace")
        if result.returncode != int(status):
            yield f"{name}: exit {result.returncode} instead of {status}: {text}"
        if not plain.startswith(result.stdout):
            yield f"{name}: wrong bytes in the output"
        if decoder_only:
            continue
        if text != f"lmzip: {path}: {message}\n":
            yield f"{name}: says {text!r} instead of {message!r}"
        if run(command, path, ["-t"]).returncode != int(status):
            yield f"{name}: -t has another exit status"


def check_complete(kind):
    """Every file has its sentence, and every sentence its file."""
    listed = {row[0] for row in rows(kind)}
    present = {name for name in os.listdir(os.path.join(HERE, kind)) if name != "README.md"}
    return [f"{kind}/{name}: not both a file and a line of README.md" for name in listed ^ present]


def main():
    arguments = sys.argv[1:]
    decoder_only = arguments[0] == "--decoder"
    command = arguments[1:] if decoder_only else arguments
    options = [] if decoder_only else ["-d", "-c"]
    kinds = ("good", "bad", "unsupported")
    problems = [p for kind in kinds for p in check_complete(kind)]
    problems += check_good(command, options, decoder_only)
    for kind in kinds[1:]:
        problems += check_faulty(command, options, decoder_only, kind)
    for problem in problems:
        print(problem)
    count = sum(len(rows(kind)) for kind in kinds)
    print(f"{count} golden archives, {len(problems)} problems")
    sys.exit(1 if problems or not count else 0)


if __name__ == "__main__":
    main()
