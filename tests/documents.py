#!/usr/bin/env python3
"""documents.py LMZIP: checks that the documents say what the program does.

  - every option and verb of `lmzip --help` stands in lmzip(1) and in each completion,
  - every long option that lmzip(1) documents is in `lmzip --help`,
  - the manual pages format without a warning,
  - every relative link of a Markdown file leads to a file.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LONG = re.compile(r"(?<![\w-])--([a-z][a-z-]+)")
SHORT = re.compile(r"(?:^|[\s,])-([A-Za-z])(?=[\s,#=]|$)", re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_options(lmzip, problems):
    shown = subprocess.run([lmzip, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    manual = read(os.path.join(ROOT, "man/lmzip.1")).replace("\\-", "-")
    options = set(LONG.findall(shown))
    if len(options) < 10:
        problems.append("--help shows hardly any options")
    documented = set(LONG.findall(manual))
    problems += [f"lmzip.1: --{name} is missing" for name in options - documented]
    problems += [f"lmzip.1: -{name} is missing" for name in sorted(set(SHORT.findall(shown)))
                 if f"-{name}" not in manual]
    completions = glob.glob(os.path.join(ROOT, "app/completions/*"))
    if len(completions) < 3:
        problems.append("completions are missing")
    for path in completions:
        text = read(path)
        problems += [f"{os.path.basename(path)}: --{name} is missing" for name in sorted(options)
                     if not re.search(rf"(--|-l ?'?){name}\b", text)]


def check_manual_pages(problems):
    if not shutil.which("man"):
        problems.append("man is missing (package man-db)")
        return
    for path in sorted(glob.glob(os.path.join(ROOT, "man/*.[15]"))):
        result = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
                                env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
        if result.returncode or result.stderr:
            problems.append(f"{os.path.basename(path)}: {result.stderr.decode().strip()}")


def check_links(problems):
    paths = subprocess.run(["find", ROOT, "-name", "build*", "-prune", "-o", "-name", ".git",
                            "-prune", "-o", "-name", "*.md", "-print"],
                           stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
    for path in filter(None, paths):
        text = re.sub(r"```.*?```", "", read(path), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if "://" in target or target.startswith("mailto:"):
                continue
            if not os.path.exists(os.path.join(os.path.dirname(path), target)):
                problems.append(f"{os.path.relpath(path, ROOT)}: dead link {target}")


def main():
    problems = []
    check_options(os.path.abspath(sys.argv[1]), problems)
    check_manual_pages(problems)
    check_links(problems)
    print("\n".join(problems + [f"documents: {len(problems)} problems"]))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
