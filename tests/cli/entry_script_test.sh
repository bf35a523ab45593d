#!/usr/bin/env bash
# entry_script_test.sh SOURCE: the entry script on machines that lack something, played with stand-ins for
# dpkg-query, apt-get, sudo and id in a PATH of their own. Nothing is installed.
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/tree" "$scratch/bin"
cp "$source/stiction" "$source/packages.txt" "$scratch/tree/"
for tool in bash env dirname readlink cat grep printf mkdir rm cut sed sleep tput; do
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

# No apt, no compiler: says what is needed.
expect 2 'no apt here, and cmake is missing.*libhdf5-dev' run

# Debian without our packages and without rights: the exact command, for this group only.
stand_in dpkg-query 'exit 1'
stand_in apt-get "echo \"apt-get \$*\" >>$scratch/calls"
stand_in id 'echo 1000'
expect 2 'please run:  apt-get update && apt-get install -y --no-install-recommends cmake ninja-build g++' run
if grep -q libgtest "$scratch/stderr"; then echo "FAILED: run asks for the test group"; failures=$((failures + 1)); fi
expect 2 'libgtest-dev' test
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
