#include "app/lmzip/args.h"

namespace lmzip::app {

std::string help_text() {
  return R"(Usage: lmzip [OPTION...] [FILE...]
       lmzip info [-v] [--json] FILE...      blocks of an archive, their codecs and why
       lmzip list ARCHIVE [PATTERN...]       tensors of a checkpoint, see lmzip list --help
       lmzip extract [OPTION...] ARCHIVE     one of them, see lmzip extract --help
       lmzip verify FILE...                  same as -t
       lmzip repair DAMAGED -o NEW           saves all intact blocks
       lmzip rebase ARCHIVE --base=OLD       makes it need no base, or --onto another one
       lmzip tune [OPTION...] FILE...        which level suits, see lmzip tune --help
       lmzip model COMMAND...                models of levels 8 and 9, see lmzip model --help
       lmzip train TEXT... -o CHECKPOINT     models of one's own, see lmzip-train(1)
       lmzip eval TEXT... [--model=MODEL]    what models make of texts, see lmzip-train(1)
       lmzip vocab COMMAND...                vocabularies, see lmzip vocab --help

Compresses each FILE to FILE.lmz and keeps FILE. Without FILE, or for -, standard input is
compressed to standard output.

  -d, --decompress      decompress
  -t, --test            test archives: decode all, write nothing
  -l, --list            list sizes
  -c, --stdout          write to standard output
  -o, --output=FILE     write to FILE
  -1 ... -9             level; default 6
      --fast, --best    same as -1, -9
  -f, --force           replace files, follow links, use terminals; with -dc copy foreign data
  -k, --keep            keep input files (this is the default)
      --rm              remove input files after the output was decoded, compared and synced
  -r, --recursive       go into directories
  -S, --suffix=.SUF     use .SUF in place of .lmz
  -T, --threads=N       use N threads; 0: one per core; default 1
      --memlimit=SIZE   use at most SIZE bytes of memory, N% of what is there, or none
      --model=MODEL     use this model file, or the model of this id, at level 8 or 9 (default 8)
      --embed-model     put the model into the archive, which then needs no other file
      --base=FILE[,...] code a checkpoint against those of these files, which decompressing needs
      --delta-depth=N   make chains of at most N archives against each other; default 8
      --block-size=SIZE plain bytes in a block, 4KiB to 1GiB
      --window=SIZE     find repeats so far before a block (default by level; 0: none)
      --search=HOW      look for programs that make tensors: none, fast or full
      --verify          decode each block and compare before it is written
      --strong          store a SHA-256 of each block
      --name[=NAME]     store the file's name, or NAME, in the archive
      --max-output=SIZE refuse to decompress to more than SIZE bytes
      --range=OFFSET:LENGTH
                        decompress only so many bytes from there on
      --keep-going      decompress what is intact of a damaged archive
      --sparse, --no-sparse
                        leave holes in place of zeros (default), or write them
      --sync            sync files and directories before ending
  -q, --quiet           no warnings; -qq: no errors either
  -v, --verbose         one line about each file
      --no-warn         exit with 0 where it would be 2
      --progress[=json], --no-progress
                        show progress (default: on a terminal), or do not
      --programs        info: the programs that make the tensors of a checkpoint
      --json            machine-readable output of -l, -t, info and repair
  -h, --help            this text
  -V, --version         version; with -v also the identity of the built-in data

SIZE is a number of bytes, or one with k, m, g, KiB, MiB or GiB (powers of 1024).
Exit status: 0 done, 1 error, 2 warning, 4 damaged archive, 5 memory limit, 6 something newer or
other is needed. See lmzip(1).
)";
}

}  // namespace lmzip::app
