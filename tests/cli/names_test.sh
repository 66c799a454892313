# Names of input and output files.
. "$(dirname "$0")/lib.sh"

sample a
run 0 lmzip a
files a a.lmz
cp a wanted
rm a
run 0 lmzip -d a.lmz
same a wanted
files a a.lmz wanted

run 0 lmzip -f a -o b.tlmz
run 0 lmzip -d b.tlmz
same b.tar wanted
run 0 lmzip -c a
cp "$work/out/stdout" plain-name && : >"$work/out/stdout"
run 2 lmzip -d plain-name
stderr "lmzip: plain-name: has no suffix .lmz, skipped (use -c or -o)"
run 0 lmzip -dc plain-name
stdout_is wanted
run 0 lmzip -d plain-name -o c
same c wanted
clean

# Another suffix.
sample a
run 0 lmzip -S .packed a
files a a.packed
rm a
run 0 lmzip -d --suffix=.packed a.packed
files a a.packed
run 1 lmzip -S '' a
stderr "lmzip: --suffix=: not a suffix such as .lmz (try lmzip --help)"
run 1 lmzip -S a/b a
stderr "lmzip: --suffix=a/b: not a suffix such as .lmz (try lmzip --help)"
clean

# Compressing twice needs -f.
sample a
run 0 lmzip a
run 2 lmzip a.lmz
stderr "lmzip: a.lmz: has the suffix of an archive, skipped (use -f)"
cp a.lmz b.tlmz
run 2 lmzip b.tlmz
stderr "lmzip: b.tlmz: has the suffix of an archive, skipped (use -f)"
run 0 lmzip -f a.lmz
files a a.lmz a.lmz.lmz b.tlmz
clean

# A suffix alone is no name to decompress.
sample a
run 0 lmzip a -o .lmz
run 2 lmzip -d .lmz
stderr "lmzip: .lmz: has no suffix .lmz, skipped (use -c or -o)"
clean

# Odd names.
for name in 'with space' 'comma,s' "new${nl}line" 'back\slash' '*' "$(printf 'bad\377utf')" 'é' '~'; do
  sample "./$name"
  run 0 lmzip "./$name"
  mv "./$name" wanted
  run 0 lmzip -d "./$name.lmz"
  same "./$name" wanted
  run 0 lmzip -f "./$name" -o "./$name.lmz"
  run 0 lmzip -f "./$name" "--output=./$name.lmz"
  same "./$name" wanted
  clean
done
run 1 lmzip "new${nl}line" "$(printf 'bad\377')" 'é' "$(printf 'esc\033[31m')" 'b\s' "$(printf '\342\200\256')"
stderr 'lmzip: new\x0aline: cannot open: No such file or directory
lmzip: bad\xff: cannot open: No such file or directory
lmzip: é: cannot open: No such file or directory
lmzip: esc\x1b[31m: cannot open: No such file or directory
lmzip: b\\s: cannot open: No such file or directory
lmzip: \xe2\x80\xae: cannot open: No such file or directory'

# A leading dash.
sample ./-x
run 0 lmzip ./-x
run 0 lmzip -f -- -x
files -x -x.lmz
run 1 lmzip -x
stderr "lmzip: unknown option -x (try lmzip --help)"
clean

# The longest name that the directory takes has no room for a suffix; -o does not need it.
long=$(printf '%0251d' 0)
sample "$long"
run 0 lmzip "$long"
files "$long" "$long.lmz"
rm "$long"
run 0 lmzip -d "$long.lmz"
clean
finish
