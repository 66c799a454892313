#!/usr/bin/env python3
"""Builds the text that lmzip's vocabulary and start parameters are trained on.

Documents are taken from Debian packages, which are downloaded and unpacked, never installed.
Needs apt lists, apt-get, dpkg-deb and Python's standard library. The result depends on the package
versions, the size and the excluded folders only.

--kinds model builds the wider text of the neural models instead (TRAINING.md). It needs apt lists with
source packages (deb-src) and GNU tar; a part of it is generated.

OUTPUT is a sequence of documents: a zero byte, then the document's text (UTF-8 without zero bytes,
lines end with line feeds). Documents of all kinds are mixed, so that every prefix is a fair smaller
text. OUTPUT.manifest.tsv lists the documents, OUTPUT.packages.txt the package versions.
"""

import argparse
import os
import shutil
import sys
import time

from training_text.contamination import ExcludedText
from training_text.model_packages import ModelPackageStore
from training_text.model_selection import ModelSelection
from training_text.model_sources import MODEL_KINDS, MODEL_MEGABYTES
from training_text.packages import PackageStore
from training_text.selection import Selection
from training_text.sources import KINDS


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", metavar="OUTPUT")
    parser.add_argument("--kinds", choices=("vocabulary", "model"), default="vocabulary",
                        help="the text that the vocabulary and the start parameters are made from "
                             "(default), or that of the neural models")
    parser.add_argument("--megabytes", type=float, metavar="MB",
                        help="size of the text in 10^6 bytes (default 120; for the models "
                             f"{MODEL_MEGABYTES:.0f}, of which packages may hold less)")
    parser.add_argument("--exclude", action="append", default=[], metavar="DIR",
                        help="leave out documents that share text with files under DIR (repeatable)")
    parser.add_argument("--cache", metavar="DIR",
                        help="keep downloads in DIR and use what is there (default: OUTPUT.cache, "
                             "removed at the end)")
    arguments = parser.parse_args()
    if arguments.megabytes is None:
        arguments.megabytes = MODEL_MEGABYTES if arguments.kinds == "model" else 120
    return arguments


def main():
    start = time.time()

    def log(text):
        print(f"{time.time() - start:5.0f} s  {text}", file=sys.stderr, flush=True)

    arguments = parse_arguments()
    excluded = ExcludedText(arguments.exclude)
    log(f"{len(excluded)} shingles excluded")
    cache = arguments.cache or arguments.output + ".cache"
    store = (ModelPackageStore if arguments.kinds == "model" else PackageStore)(cache, log)
    with open(arguments.output + ".spool", "w+b") as spool:
        if arguments.kinds == "model":
            selection = ModelSelection(store, excluded, spool)
            selection.take_kinds(MODEL_KINDS, arguments.megabytes / MODEL_MEGABYTES, log)
        else:
            selection = Selection(store, excluded, spool)
            for kind in KINDS:
                taken, wanted = selection.take_kind(kind, arguments.megabytes * 1e6)
                log(f"{kind.name}: {taken / 1e6:.1f} of {wanted / 1e6:.1f} MB, "
                    f"{store.downloaded_bytes / 1e6:.0f} MB of packages so far")
        selection.write(arguments.output)
    os.remove(arguments.output + ".spool")
    store.write_versions(arguments.output + ".packages.txt")
    if not arguments.cache:
        shutil.rmtree(cache)
    for line in selection.report():
        log(line)


if __name__ == "__main__":
    main()
