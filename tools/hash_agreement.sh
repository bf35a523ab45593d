#!/usr/bin/env bash
# hash_agreement.sh BUILD_FOLDER [SCENE[,STEPS[,CONTACTS[,KEY=VALUE...]]]...]: the same bits from every compiler and every
# number of threads: g++ -O2 (the release build) and clang++ -O0 and -O1 (the build for the address sanitizer); with STICTION_FULL=1
# plain g++ -O0, clang++ -O0 and clang++ -O2 too. Runs scenes with 1 and 2 threads (-O0: 2 only, it is slow) and fails unless all state
# hashes agree and enough touched. Without scenes: those in tests/agree/hash_scenes.txt and every other one in scenes/. With
# STICTION_FULL=1 they run ten times as long.
set -euo pipefail
build=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
scale=1
[ -z "${STICTION_FULL-}" ] || scale=10
scenes=("$@")
mkdir -p "$build"
if [ ${#scenes[@]} -eq 0 ]; then
  listed=" "
  while read -r scene steps contacts overrides; do
    [ -f "$root/scenes/$scene.json" ] || { echo "tests/agree/hash_scenes.txt names $scene, which is not in scenes/"; exit 2; }
    words=$steps,$contacts${overrides:+,${overrides// /,}}
    file=$root/scenes/$scene.json
    if grep -q '"file"' "$file"; then  # mesh files put in: only the release build reads them
      ninja -C "$root/build/release" expand_scene >/dev/null
      "$root/build/release/bin/expand_scene" "$file" >"$build/$scene.json"
      file=$build/$scene.json
    fi
    scenes+=("$file,$words")
    listed+="$scene "
  done < <(grep -v '^#' "$root/tests/agree/hash_scenes.txt")
  for file in "$root"/scenes/*.json; do
    name=$(basename "$file" .json)
    case $listed in *" $name "*) ;; *) scenes+=("$file") ;; esac
  done
fi

# make NAME CMAKE_WORDS...: builds hash_scenes in $folder.
make() {
  local name=$1
  shift
  if ! { [ -f "$folder/build.ninja" ] || cmake -S "$root" -B "$folder" -G Ninja "$@"; } >"$build/$name.log" 2>&1 ||
    ! ninja -C "$folder" hash_scenes >>"$build/$name.log" 2>&1; then
    cat "$build/$name.log"
    echo "the engine does not build: $name"
    exit 1
  fi
}

builds=(release asan)
[ $scale = 1 ] || builds+=(g++_O0 clang++_O0 clang++_O2)
reference= reference_name= failed=0 compared=0
for name in "${builds[@]}"; do
  compiler=${name%_*} level=${name#*_}
  case $name in
    release) folder=$root/build/release level=O2 && make $name --preset release ;;
    asan) folder=$root/build/asan level=O0 && make $name --preset asan ;;
    *)
      folder=$build/${name/++/xx}
      command -v "$compiler" >/dev/null || { echo "$compiler is missing"; exit 2; }
      make "$name" -DSTICTION_CORE_ONLY=ON "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=$level \
        "-DCMAKE_CXX_FLAGS_$level=-$level -DNDEBUG"
      ;;
  esac
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
      reference=$result reference_name="$name, $threads thread"
      echo "  scene, steps, most contacts, hash:"
      sed 's/^/  /' "$reference"
    elif ! difference=$(diff "$reference" "$result"); then
      echo "$name, $threads threads differs from $reference_name:"
      echo "$difference"
      failed=1
    fi
    compared=$((compared + 1))
  done
done
[ $failed -eq 0 ] && echo "$compared builds and thread counts agree on ${#scenes[@]} scenes"
exit $failed
