#!/usr/bin/env bash
# fuzz.sh [SECONDS] [TARGET...]: builds the targets of tests/fuzz (preset asan: clang, libFuzzer, address and undefined-behaviour sanitizers)
# and runs each for so many seconds (60; the readers of problems a third of it), two at a time, from the corpus in tests/fuzz/corpus. Exit status 1: a finding; the
# input that shows it is left in build/fuzz/findings, and belongs into the corpus once it is mended.
# New inputs that reach new code are kept in build/fuzz/grown/TARGET; `fuzz.sh --merge` puts the few that matter into the corpus.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/asan
out=$root/build/fuzz
all=(scene journal problem fclib)
merge=
[ "${1-}" = --merge ] && { merge=1; shift; }
seconds=${1:-60}
shift || true
targets=("${@:-}")
[ -n "${targets[0]}" ] || targets=("${all[@]}")

command -v clang++ >/dev/null || { echo "fuzz.sh: clang++ is missing (./stiction packages test)" >&2; exit 2; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ (cd "$root" && cmake --preset asan) && ninja -C "$build" "${targets[@]/#/fuzz_}"; } >"$log" 2>&1 || { cat "$log" >&2; exit 2; }
mkdir -p "$out/findings"

if [ -n "$merge" ]; then
  for target in "${targets[@]}"; do
    "$build/bin/fuzz_$target" -merge=1 -max_len=24000 "$root/tests/fuzz/corpus/$target" "$out/grown/$target" 2>&1 | tail -1
  done
  exit 0
fi

# one TARGET: runs it; its last lines go to stdout.
one() {
  local target=$1 status=0 more=() share=1
  case $target in
    scene) more=("$root/scenes") ;;
    problem | fclib) more=("$root/problems") share=3 ;;
  esac
  mkdir -p "$out/grown/$target"
  "$build/bin/fuzz_$target" -max_total_time=$((seconds / share)) -timeout=60 -rss_limit_mb=2048 -max_len=24000 -print_final_stats=1 \
    -artifact_prefix="$out/findings/$target-" "$out/grown/$target" "$root/tests/fuzz/corpus/$target" "${more[@]}" \
    >"$out/$target.log" 2>&1 || status=$?
  echo "$target: exit status $status, $(grep -oE 'number_of_executed_units: *[0-9]+' "$out/$target.log" | grep -oE '[0-9]+' || echo no) runs," \
    "$(grep -oE 'cov: [0-9]+' "$out/$target.log" | tail -1)"
  [ $status -eq 0 ] || grep -E 'ERROR|does not hold|runtime error|SUMMARY|Test unit written' "$out/$target.log"
  return $status
}

failed=0
for ((k = 0; k < ${#targets[@]}; k += 2)); do
  pids=()
  for target in "${targets[@]:k:2}"; do
    one "$target" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
done
exit $failed
