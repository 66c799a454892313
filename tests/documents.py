#!/usr/bin/env python3
"""Checks that manual pages format without a warning, that the relative links of all Markdown files
lead to files, and that figures which stand twice agree. (Options are checked in tests/cli.)"""

import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


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
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"```.*?```", "", file.read(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if "://" in target or target.startswith("mailto:"):
                continue
            if not os.path.exists(os.path.join(os.path.dirname(path), target)):
                problems.append(f"{os.path.relpath(path, ROOT)}: dead link {target}")


def check_memory(problems):
    """The memory of each level is the same in README.md and in the manual."""
    def rows(name):
        with open(os.path.join(ROOT, name), encoding="utf-8") as file:
            return [re.findall(r"\d+ MiB", line) for line in file
                    if len(re.findall(r"\d+ MiB", line)) == 3]
    if not rows("README.md") or rows("README.md") != rows("man/lmzip.1"):
        problems.append("README.md and lmzip.1 differ in the memory of levels")


def main():
    problems = []
    check_memory(problems)
    check_manual_pages(problems)
    check_links(problems)
    print("\n".join(problems + [f"documents: {len(problems)} problems"]))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
