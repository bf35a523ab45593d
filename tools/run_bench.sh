#!/usr/bin/env bash
# run_bench.sh BUILD_FOLDER [NAME] [ARGS...]: builds the benchmarks and runs bench_NAME, or all of them.
set -euo pipefail
build=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$root/bench/CMakeLists.txt" ] || { echo "stiction: there is no bench/ here" >&2; exit 2; }
mapfile -t names < <(ninja -C "$build" -t targets all | sed -nE 's/^bench_([a-z0-9_]+): phony$/\1/p' | sort)
if [ "${1-}" = --help ]; then
  echo "stiction bench [NAME] [ARGS...]   names: ${names[*]}"
  exit 0
fi
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
