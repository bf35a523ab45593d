#!/usr/bin/env bash
# entry_script_test.sh SOURCE [PROGRAM]: the entry script on machines that lack something, played with stand-ins for
# dpkg-query, apt-get, sudo and id in a PATH of their own. Nothing is installed.
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/tree/apps/cli" "$scratch/tree/tools" "$scratch/tree/bench" "$scratch/bin"
cp "$source/stiction" "$source/packages.txt" "$scratch/tree/"
cp "$source/apps/cli/main.cpp" "$scratch/tree/apps/cli/"
cp "$source"/tools/run_*.sh "$scratch/tree/tools/"
cp "$source/bench/CMakeLists.txt" "$scratch/tree/bench/"
for tool in bash env dirname readlink cat grep printf mkdir rm cut sed sleep tput tr uniq; do
  if path=$(type -P "$tool"); then ln -s "$path" "$scratch/bin/$tool"; fi
done

failures=0
stand_in() {  # NAME BODY
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}
# expect STATUS PATTERN WORDS...: runs the script; its stderr must hold the pattern, its stdout nothing.
expect() {
  local status=0 wanted=$1 pattern=$2
  shift 2
  (cd "$scratch" && PATH=$scratch/bin "$scratch/tree/stiction" "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null) || status=$?
  if [ "$status" -ne "$wanted" ] || ! grep -q -e "$pattern" "$scratch/stderr" || [ -s "$scratch/stdout" ]; then
    echo "FAILED: '$*' gave $status, expected $wanted with '$pattern':"
    cat "$scratch/stdout" "$scratch/stderr"
    failures=$((failures + 1))
  fi
}

# expect_help PATTERN WORDS...: exit status 0, the pattern on stdout, nothing on stderr.
expect_help() {
  local status=0 pattern=$1
  shift
  (cd "$scratch" && PATH=$scratch/bin "$scratch/tree/stiction" "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null) || status=$?
  if [ "$status" -ne 0 ] || ! grep -q -e "$pattern" "$scratch/stdout" || [ -s "$scratch/stderr" ]; then
    echo "FAILED: '$*' gave $status, expected help with '$pattern':"
    cat "$scratch/stdout" "$scratch/stderr"
    failures=$((failures + 1))
  fi
}

# Help needs nothing: no package, no compiler, no build. Every word is there, the program's as the program says them.
for words in "" --help -h help; do
  expect_help '^  run  *Run a scene' $words
  for word in build python web test bench format clean packages; do expect_help "^  $word  *[A-Z]" $words; done
done
if [ $# -gt 1 ]; then
  while read -r word about; do
    expect_help "^  $word  *$about\$" --help
  done < <("$2" --help | sed -n '/^Subcommands:/,/^$/p' | sed '1d;/^$/d')
  [ "$("$2" --help | grep -c '^  run ')" -eq 1 ] || { echo "FAILED: no words found in the program's help"; failures=$((failures + 1)); }
fi
expect_help '--quick  unit tests' test --help
expect_help '--quick  unit tests' test --full --help
expect_help 'Names: free_bodies' bench --help
expect_help 'build/release' build --help
expect_help 'ARGS go to the interpreter' python --help
expect_help 'Groups: run test python web npm browser peers' packages --help
expect_help '^web: emscripten' packages
[ ! -e "$scratch/tree/build" ] || { echo "FAILED: help built something"; failures=$((failures + 1)); }

# Misspelt: the nearest word, before anything is installed or built; with --json also as a document.
expect 2 'unknown word "tset". Did you mean "test"?' tset
expect 2 'unknown word "chekc". Did you mean "check"?' chekc
expect 2 'unknown word "packges". Did you mean "packages"?' packges
expect 2 'unknown word "xylophone". Known: run' xylophone
expect 2 "unknown option '--fast'; known: --quick" test --fast
expect 2 'clean takes no words' clean up
expect 2 "no group 'everything'; groups: run test python web npm browser peers" packages everything
document=$(PATH=$scratch/bin "$scratch/tree/stiction" 'bui"ld\' --json 2>/dev/null) && status=0 || status=$?
if [ $status -ne 2 ] || ! python3 -c 'import json, sys; assert "bui\"ld" in json.loads(sys.argv[1])["mistakes"][0]["message"]' "$document"; then
  echo "FAILED: a misspelt word with --json gave $status, $document"
  failures=$((failures + 1))
fi

# No apt, no compiler: says what is needed.
expect 2 'no apt here, and cmake is missing.*libhdf5-dev' run

# Debian without our packages and without rights: the exact command, for this group only.
stand_in dpkg-query 'exit 1'
stand_in apt-get "echo \"apt-get \$*\" >>$scratch/calls"
stand_in id 'echo 1000'
expect 2 'please run:  apt-get update && apt-get install -y --no-install-recommends cmake ninja-build g++' run
if grep -q libgtest "$scratch/stderr"; then echo "FAILED: run asks for the test group"; failures=$((failures + 1)); fi
expect 2 'libgtest-dev.*pybind11-dev' test
expect 2 'pybind11-dev' python -c 'print(1)' --help
expect 2 'emscripten' packages web
[ ! -e "$scratch/calls" ] || { echo "FAILED: apt-get was called without rights"; failures=$((failures + 1)); }

# As root: installs, then goes on (and fails, since there is no cmake here).
stand_in id 'echo 0'
expect 2 'installing missing Debian packages: cmake' run
grep -q 'apt-get update' "$scratch/calls" && grep -q 'apt-get install .*libhdf5-dev' "$scratch/calls" ||
  { echo "FAILED: root did not install"; failures=$((failures + 1)); }

# Through sudo.
rm -f "$scratch/calls"
stand_in id 'echo 1000'
stand_in sudo '[ "$1" = -n ] && shift; exec "$@"'
ln -s "$(type -P true)" "$scratch/bin/true"
expect 2 'installing missing' run
grep -q 'apt-get install' "$scratch/calls" || { echo "FAILED: sudo did not install"; failures=$((failures + 1)); }

# Everything there: no call of apt at all.
rm -f "$scratch/calls"
stand_in dpkg-query 'shift 3; for p; do echo "ii $p"; done'
expect 2 'CMake cannot set up' run
[ ! -e "$scratch/calls" ] || { echo "FAILED: apt-get was called though nothing is missing"; failures=$((failures + 1)); }

[ $failures -eq 0 ] && echo "entry script: all as expected"
exit $failures
