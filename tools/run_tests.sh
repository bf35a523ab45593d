#!/usr/bin/env bash
# run_tests.sh BUILD_FOLDER [--quick|--full] [--json]: builds and runs the tests; called by `./stiction test`.
#   --quick  unit tests and checks of the release build, without the slow ones
#   --full   every test at its largest size (STICTION_FULL=1)
#   --json   one JSON document on stdout, everything else on stderr
#   --only-check-words  stops after it has understood the words: exit status 2 if one is unknown
# Stages: release build (units, laws, exact answers, agreement, program, Python module, examples, install, same bits from two
# compilers), then parts of it under the address, undefined-behaviour and thread sanitizers, then the readers under libFuzzer.
# The last line counts all of them: "N passed, N failed". Exit status 1 if a test failed, 2 if it did not build.
set -euo pipefail
build=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
print_help() {
  cat <<'TEXT'
./stiction test [--quick | --full] [--json]: builds and runs the tests.
  --quick  unit tests and checks, without the slow ones
  --full   every test at its largest size (STICTION_FULL=1)
  --json   one JSON document on stdout: passed, failed, failures; everything else on stderr
Stages: the release build (units, laws, exact answers, agreement, program, Python module, examples, install, formatting, clang-tidy, same
bits from g++ -O2 and clang++ -O0; with --full every compiler), then parts of it under the address, undefined-behaviour and thread
sanitizers, then the readers of foreign files under libFuzzer (scenes and journals 12 s each; ten minutes with --full).
Exit status: 0 all passed, 1 a test failed, 2 it did not build.
Example:
  ./stiction test --quick
TEXT
}
quick= json= stop=
for word in "$@"; do
  case $word in
    --quick) quick=1 ;;
    --full) export STICTION_FULL=1 ;;
    --json) json=1 ;;
    --only-check-words) stop=1 ;;
    --help) print_help; exit 0 ;;
    *) echo "stiction: test: unknown option '$word'; known: --quick --full --json" >&2; exit 2 ;;
  esac
done
[ -z "$stop" ] || exit 0

exec 3>&1
[ -n "$json" ] && exec 1>&2
passed=0 failed=0 failures=()
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# stage NAME BUILD_FOLDER CTEST_ARGS...: runs ctest and counts.
stage() {
  local name=$1 folder=$2 log=$logs/$1 started=$SECONDS
  shift 2
  echo "== $name"
  ctest --test-dir "$folder" --parallel 2 --output-on-failure --no-tests=error "$@" 2>&1 | tee "$log" |
    grep -Ev '^ +Start |^[ 0-9]+/[0-9]+ Test .* Passed|^Test project|^Internal ctest' || true
  local line bad all
  if line=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log"); then
    bad=$(sed -E 's/.*passed, ([0-9]+) tests failed.*/\1/' <<<"$line")
    all=$(sed -E 's/.*out of ([0-9]+).*/\1/' <<<"$line")
    passed=$((passed + all - bad)) failed=$((failed + bad))
    mapfile -t -O "${#failures[@]}" failures < <(sed -n '/The following tests FAILED/,$p' "$log" | sed -nE "s/^[[:space:]]*[0-9]+ - (.*) \(.*\)\$/$name: \1/p")
  else
    failed=$((failed + 1))
    failures+=("$name: ctest gave no result")
  fi
  echo "== $name took $((SECONDS - started)) s"
}

build_all() {  # FOLDER TARGET...
  local log=$logs/build
  if ! ninja -C "$@" >"$log" 2>&1; then
    cat "$log"
    echo "stiction: the build failed; see above" >&2
    exit 2
  fi
}

# sanitized PRESET UNITS TARGET...: sets up and builds the unit tests whose names match, and these targets; keeps UNITS in $names.
sanitized() {
  local kind=$1 started=$SECONDS targets
  names=$2
  shift 2
  (cd "$root" && cmake --preset "$kind" -DSTICTION_TESTS=ON >"$logs/configure" 2>&1) || { cat "$logs/configure"; exit 2; }
  mapfile -t targets < <(ninja -C "$root/build/$kind" -t targets all | sed -nE "s/^($names): phony\$/\1/p")
  build_all "$root/build/$kind" "${targets[@]}" "$@"
  echo "== built for $kind in $((SECONDS - started)) s" >&2
}

echo "== building" >&2
started=$SECONDS
if [ -n "$quick" ]; then
  build_all "$build" stiction_tests
  stage unit "$build" -R '^unit_|^check|^must_not_compile' -LE slow
else
  build_all "$build" all hash_scenes expand_scene draw_shapes
  echo "== built in $((SECONDS - started)) s" >&2

  # One build by clang++ with the address and undefined-behaviour sanitizers: unit tests, the second compiler of the hashes
  # (which the release stage compares) and the fuzz targets.
  sanitized asan 'unit_(geometry|collision|complementarity|formats|record|step|world)' hash_scenes \
    fuzz_scene fuzz_journal fuzz_problem fuzz_fclib
  stage release "$build"

  # The readers, the geometry, the solvers, the step and the world handle foreign data and indices: address and undefined
  # behaviour. Whatever starts threads, the step and the world: the thread sanitizer.
  stage asan "$root/build/asan" -R "^$names\\."
  sanitized tsan 'unit_(base|step|world)'
  stage tsan "$root/build/tsan" -R '^unit_(step|world)\.|[Tt]hread|Team|Parallel|parallel'

  # The readers of foreign files under libFuzzer: 12 s for scenes and journals, two at a time; ten minutes with --full.
  echo "== fuzz"
  started=$SECONDS
  if "$root/tools/fuzz.sh" "$([ -n "${STICTION_FULL-}" ] && echo 600 || echo 12)" >"$logs/fuzz" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    failures+=("fuzz: a finding; see build/fuzz/findings")
  fi
  cat "$logs/fuzz"
  echo "== fuzz took $((SECONDS - started)) s"
fi

# The page: same bits in WebAssembly, the engine in Node, the server, Chromium. It brings packages and a build of its own.
if [ -n "${STICTION_FULL-}" ]; then
  echo "== web"
  started=$SECONDS
  if "$root/stiction" web test --full >"$logs/web" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    failures+=("web: a test of the page; ./stiction web test --full says which")
  fi
  cat "$logs/web"
  echo "== web took $((SECONDS - started)) s"
fi

for failure in "${failures[@]}"; do echo "failed: $failure"; done
echo "$passed passed, $failed failed"
if [ -n "$json" ]; then
  python3 - "$passed" "$failed" "${failures[@]}" >&3 <<'PYTHON'
import json, sys
print(json.dumps({"passed": int(sys.argv[1]), "failed": int(sys.argv[2]), "failures": sys.argv[3:]}))
PYTHON
fi
[ "$failed" -eq 0 ]
