# lmzip vocab: train, show, tokenize, parameters.
. "$(dirname "$0")/lib.sh"

# A text of two documents, each after a zero byte.
for document in "the cat and the dog and the cat" "a dog and a cat and a dog"; do
  printf '\000'
  for i in 1 2 3 4 5 6 7 8; do printf '%s %s\n' "$document" "$i"; done
done >text

run 0 lmzip vocab train text -o words --size=280
run 1 lmzip vocab train text -o words --size=280
stderr "lmzip: words: already exists (use -f to replace it)"
run 0 lmzip vocab train text -f -o again --size=280
check "the same text gives the same vocabulary" cmp words again
run 0 lmzip vocab show words --id=65
stdout_like "65?1?*?A"
run 1 lmzip vocab show words --id=300
stderr_like "lmzip: --id=300: there are * tokens*"
run 0 lmzip vocab tokenize text --count --vocabulary=words
stdout_like "* bytes, * tokens, * bytes per token"
run 0 lmzip vocab tokenize text --count
stdout_like "* bytes, * tokens, * bytes per token"

# Start parameters: the same data give the same file; it fits the built-in vocabulary.
run 0 lmzip vocab parameters text --bytes=words -o parameters
run 1 lmzip vocab parameters text --bytes=words -o parameters
stderr "lmzip: parameters: already exists (use -f to replace it)"
run 0 lmzip vocab parameters text --bytes=words -o parameters-again
check "a parameter file is written" [ "$(head -c 4 parameters)" = LMZP ]
check "the same data give the same parameters" cmp parameters parameters-again
rm parameters-again

# What is wrong is said, and nothing is left behind.
run 1 lmzip vocab
stderr "lmzip: vocab: no command given (train, show, tokenize or parameters) (try lmzip --help)"
run 1 lmzip vocab sing
stderr "lmzip: vocab: sing is not a command (train, show, tokenize or parameters) (try lmzip --help)"
run 1 lmzip vocab train text
stderr "lmzip: vocab train: no output file given (-o FILE) (try lmzip --help)"
run 1 lmzip vocab train missing -o new
stderr "lmzip: missing: cannot open: No such file or directory"
run 1 lmzip vocab train text -o new --size=100
stderr "lmzip: --size=100: not a number from 256 to 16384 (try lmzip --help)"
run 1 lmzip vocab parameters text -o new
stderr "lmzip: vocab parameters: no file for the byte mode given (--bytes=FILE) (try lmzip --help)"
run 1 lmzip vocab tokenize text --bytes=words
stderr "lmzip: vocab tokenize: --bytes is for vocab parameters (try lmzip --help)"
head -c 300 words >cut
run 4 lmzip vocab show cut
stderr_like "lmzip: cut: *"
files again cut parameters text words
finish
