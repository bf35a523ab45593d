#!/usr/bin/env bash
# web_hashes.sh: the same bits in WebAssembly as in the release build: runs the scenes of tests/agree/hash_scenes.txt in Node and
# natively and compares every state hash, with the solvers of linear problems and the trees that hash_scenes adds. Mesh files,
# which WebAssembly does not read, are put into the scenes first.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
tools/build_web.sh hash_scenes
ninja -C build/release hash_scenes expand_scene >/dev/null
scenes=()
while read -r scene steps contacts overrides; do
  file=scenes/$scene.json
  if grep -q '"file"' "$file"; then
    build/release/bin/expand_scene "$file" >"build/wasm/$scene.json"
    file=build/wasm/$scene.json
  fi
  scenes+=("$file,$steps,$contacts${overrides:+,${overrides// /,}}")
done < <(grep -v '^#' tests/agree/hash_scenes.txt)
build/release/bin/hash_scenes 1 1 "${scenes[@]}" >build/wasm/native.txt
node tools/run_wasm.mjs build/wasm/bin/hash_scenes.js 1 1 "${scenes[@]}" >build/wasm/browser.txt
diff build/wasm/native.txt build/wasm/browser.txt || { echo "native and WebAssembly differ"; exit 1; }
echo "native and WebAssembly agree on ${#scenes[@]} scenes"
