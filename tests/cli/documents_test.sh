# Every option of --help is in the manual page and in all completions.
. "$(dirname "$0")/lib.sh"

lmzip --help | grep '^  ' | grep -oE '(^|[ ,[])--?[a-zA-Z0-9][a-z-]*' | tr -d ' ,[' | grep -vx -e -dc -e -qq | sort -u >options
check "help has options" test "$(wc -l <options)" -gt 40
tr -d '\\' <"$root/man/lmzip.1" | sed 's/fB//g; s/fR//g; s/fI//g' >man
while read -r option; do
  grep -qE -e "(^|[^a-z-])$option([^a-z-]|\$)" man || fail "lmzip.1 lacks $option"
  grep -qE -e "(^|[^a-z-])$option([^a-z-]|\$)" "$root/app/completions/lmzip.bash" || fail "lmzip.bash lacks $option"
  grep -qE -e "(^|[^a-z-])$option([^a-z-]|\$)" "$root/app/completions/_lmzip" || fail "_lmzip lacks $option"
  name=${option#-}
  case $option in
    --*) grep -qE -e " -l ${name#-}( |\$)" "$root/app/completions/lmzip.fish" || fail "lmzip.fish lacks $option" ;;
    *) grep -qE -e " -s $name( |\$)" "$root/app/completions/lmzip.fish" || fail "lmzip.fish lacks $option" ;;
  esac
done <options
check "completion for bash" bash -n "$root/app/completions/lmzip.bash"
if command -v man >/dev/null; then
  man --warnings -E UTF-8 -l -Tutf8 -Z "$root/man/lmzip.1" 2>warnings >/dev/null
  [ ! -s warnings ] || fail "lmzip.1: $(cat warnings)"
fi
if command -v mandoc >/dev/null; then
  run 0 mandoc -T lint -W warning "$root/man/lmzip.1"
fi
if command -v zsh >/dev/null; then run 0 zsh -n "$root/app/completions/_lmzip"; fi
if command -v fish >/dev/null; then run 0 fish -n "$root/app/completions/lmzip.fish"; fi
finish
