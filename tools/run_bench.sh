#!/usr/bin/env bash
# run_bench.sh BUILD_FOLDER [NAME] [ARGS...]: builds the benchmarks and runs bench_NAME, or all of them.
set -euo pipefail
build=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$root/bench/CMakeLists.txt" ] || { echo "stiction: there is no bench/ here" >&2; exit 2; }
if [ "${1-}" = --help ]; then  # from the text: nothing may be built yet
  cat <<TEXT
./stiction bench [NAME] [ARGS...]: builds and runs the benchmarks, or one of them; one JSON line per result.
Names: $(grep -oE '^ *stiction_bench\([a-z0-9_]+' "$root/bench/CMakeLists.txt" | sed 's/.*(//' | tr '\n' ' ')
Exit status: 0 every bar is met, 1 one is missed, 2 it did not build.
Examples:
  ./stiction bench free_bodies
  ./stiction bench bullet full             # P1 1000 and 4096, P2 20 and 40 beside Bullet and ODE, with a table of all
  ./stiction bench bullet full seconds=30  # at most 30 s of processor time for each scene of ours
TEXT
  exit 0
fi
mapfile -t names < <(ninja -C "$build" -t targets all | sed -nE 's/^bench_([a-z0-9_]+): phony$/\1/p' | sort)
if [ $# -gt 0 ] && [[ $1 != -* ]]; then
  case " ${names[*]} " in
    *" $1 "*) names=("$1") ;;
    *) echo "stiction: no benchmark '$1'; there are: ${names[*]}" >&2; exit 2 ;;
  esac
  shift
fi
ninja -C "$build" "${names[@]/#/bench_}" >&2
status=0
for name in "${names[@]}"; do
  "$build/bin/bench_$name" "$@" || status=$?
done
exit $status
