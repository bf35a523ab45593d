#!/usr/bin/env bash
# hash_agreement.sh BUILD_FOLDER [SCENE...]: the same bits from every compiler and every number of threads.
# Builds the engine with g++ and clang++ at -O0 and -O2, runs short scenes with 1 and 2 threads (-O0: 2 only, it is
# slow) and fails unless all state hashes agree. With STICTION_FULL=1 the scenes run ten times as long.
set -euo pipefail
build=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
budget=1000  # steps times bodies, for each scene
[ -z "${STICTION_FULL-}" ] || budget=10000
scenes=("$@")
[ ${#scenes[@]} -gt 0 ] || mapfile -t scenes < <(ls "$root"/scenes/*.json)
mkdir -p "$build"

reference= reference_name= failed=0 compared=0
for compiler in g++ clang++; do
  command -v "$compiler" >/dev/null || { echo "$compiler is missing"; exit 2; }
  for level in O2 O0; do
    name=${compiler/++/xx}_$level
    folder=$build/$name
    settings=(-DSTICTION_CORE_ONLY=ON "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Release)
    [ $level = O2 ] || settings+=(-DCMAKE_BUILD_TYPE=$level "-DCMAKE_CXX_FLAGS_$level=-$level")
    if ! { [ -f "$folder/build.ninja" ] || cmake -S "$root" -B "$folder" -G Ninja "${settings[@]}"; } >"$build/$name.log" 2>&1 ||
      ! ninja -C "$folder" hash_scenes >>"$build/$name.log" 2>&1; then
      cat "$build/$name.log"
      echo "the engine does not build with $compiler -$level"
      exit 1
    fi
    for threads in 1 2; do
      [ $level$threads != O01 ] || continue
      result=$build/$name.$threads.txt
      "$folder/bin/hash_scenes" $threads $budget "${scenes[@]}" >"$result"
      if [ -z "$reference" ]; then
        reference=$result reference_name="$compiler -$level, $threads thread"
        sed 's/^/  /' "$reference"
      elif ! difference=$(diff "$reference" "$result"); then
        echo "$compiler -$level, $threads threads differs from $reference_name:"
        echo "$difference"
        failed=1
      fi
      compared=$((compared + 1))
    done
  done
done
[ $failed -eq 0 ] && echo "$compared builds and thread counts agree on ${#scenes[@]} scenes"
exit $failed
