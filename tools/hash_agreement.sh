#!/usr/bin/env bash
# hash_agreement.sh BUILD_FOLDER [SCENE[,STEPS[,CONTACTS[,KEY=VALUE...]]]...]: the same bits from every compiler and every
# number of threads. Builds the engine with g++ and clang++ at -O0 and -O2, runs scenes with 1 and 2 threads (-O0: 2 only, it
# is slow) and fails unless all state hashes agree and enough touched. Without scenes: those in tests/agree/hash_scenes.txt
# and every other one in scenes/. With STICTION_FULL=1 they run ten times as long.
set -euo pipefail
build=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
scale=1
[ -z "${STICTION_FULL-}" ] || scale=10
scenes=("$@")
if [ ${#scenes[@]} -eq 0 ]; then
  listed=" "
  while read -r scene steps contacts overrides; do
    [ -f "$root/scenes/$scene.json" ] || { echo "tests/agree/hash_scenes.txt names $scene, which is not in scenes/"; exit 2; }
    words=$steps,$contacts${overrides:+,${overrides// /,}}
    scenes+=("$root/scenes/$scene.json,$words")
    listed+="$scene "
  done < <(grep -v '^#' "$root/tests/agree/hash_scenes.txt")
  for file in "$root"/scenes/*.json; do
    name=$(basename "$file" .json)
    case $listed in *" $name "*) ;; *) scenes+=("$file") ;; esac
  done
fi
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
    # The check itself: nothing touches in the first 3 steps of this scene, and hash_scenes must say so.
    if "$folder/bin/hash_scenes" 1 1 "$root/scenes/spheres.json,3,1,\$n=2" >/dev/null 2>&1; then
      echo "hash_scenes does not notice that nothing touches"
      exit 1
    fi
    for threads in 1 2; do
      [ $level$threads != O01 ] || continue
      result=$build/$name.$threads.txt
      "$folder/bin/hash_scenes" $threads $scale "${scenes[@]}" >"$result" || { cat "$result"; exit 1; }
      if [ -z "$reference" ]; then
        reference=$result reference_name="$compiler -$level, $threads thread"
        echo "  scene, steps, most contacts, hash:"
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
