#!/usr/bin/env python3
"""Compresses the checkpoints of a training loop in the background, each against the one before.

    from checkpoint_rotation import CheckpointRotation
    with CheckpointRotation("checkpoints", keep=20) as rotation:
        for step in range(steps):
            ...
            if step % 500 == 0:
                path = f"checkpoints/step{step:08}.safetensors"
                safetensors.torch.save_file(model.state_dict(), path + ".part")
                os.replace(path + ".part", path)
                rotation.add(path)          # returns at once
    # later: CheckpointRotation("checkpoints").restore("step00001500.safetensors")

As a program: checkpoint_rotation.py FOLDER adds all checkpoints of a folder, checkpoint_rotation.py
FOLDER NAME restores one.

Needs Python 3.8 and the program lmzip; no package. The original is removed only after its archive
was decoded, compared and synced to disk. Names have to sort in the order of the steps.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import List, Optional

SUFFIX = ".lmz"


class CheckpointRotation:
    """The archives of a folder: chains that begin with a complete checkpoint. `keep`: how many
    checkpoints at least; older chains are removed as a whole. `depth`: archives against others in
    a chain."""

    def __init__(self, folder: str, keep: Optional[int] = None, depth: int = 8,
                 lmzip: str = "lmzip"):
        self._folder, self._keep, self._depth, self._lmzip = folder, keep, depth, lmzip
        self._worker = ThreadPoolExecutor(max_workers=1)  # one after the other, in order
        self._running: list = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.wait()
        self._worker.shutdown()

    def add(self, path: str):
        """Compresses a checkpoint in the folder, in the background."""
        self._running.append(self._worker.submit(self._compress, path))

    def wait(self):
        """Until all are compressed. Raises CalledProcessError if one could not be."""
        running, self._running = self._running, []
        for each in running:
            each.result()

    def restore(self, name: str, output: Optional[str] = None) -> str:
        """Decompresses a checkpoint and returns its path."""
        archive = os.path.join(self._folder, name + SUFFIX)
        output = output or os.path.join(self._folder, name)
        self._run(["-d", "-o", output] + self._base_for(name + SUFFIX) + ["--", archive])
        return output

    def archives(self) -> List[str]:
        """Their names, in order."""
        return sorted(name for name in os.listdir(self._folder) if name.endswith(SUFFIX))

    def chains(self) -> List[List[str]]:
        """The archives, in lists that begin with a complete one."""
        chains: List[List[str]] = []
        for name in self.archives():
            if not chains or self._is_complete(name):
                chains.append([])
            chains[-1].append(name)
        return chains

    def _compress(self, path: str):
        name = os.path.basename(path) + SUFFIX
        self._run(["--rm", f"--delta-depth={self._depth}"] + self._base_for(name) + ["--", path])
        if self._keep is not None:
            self._remove_old(self._keep)

    def _base_for(self, name: str) -> List[str]:
        """Options with the archives before `name`, the latest first, up to a complete one."""
        options: List[str] = []
        for before in reversed([each for each in self.archives() if each < name]):
            # A comma in a name is written as two.
            options.append("--base=" + os.path.join(self._folder, before).replace(",", ",,"))
            if self._is_complete(before):
                break
        return options

    def _is_complete(self, name: str) -> bool:
        found = subprocess.run([self._lmzip, "info", "--json", os.path.join(self._folder, name)],
                               stdout=subprocess.PIPE, check=True)
        return all(member["base_depth"] == 0 for member in json.loads(found.stdout)["members"])

    def _remove_old(self, keep: int):
        chains = self.chains()
        while len(chains) > 1 and sum(map(len, chains[1:])) >= keep:
            for name in reversed(chains.pop(0)):
                os.remove(os.path.join(self._folder, name))

    def _run(self, options: List[str]):
        subprocess.run([self._lmzip] + options, check=True)


def main(arguments: List[str]) -> int:
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 1
    with CheckpointRotation(arguments[0]) as rotation:
        if len(arguments) == 2:
            print(rotation.restore(arguments[1]))
            return 0
        for name in sorted(os.listdir(arguments[0])):
            if name.endswith(".safetensors"):
                rotation.add(os.path.join(arguments[0], name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
