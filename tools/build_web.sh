#!/usr/bin/env bash
# build_web.sh [TARGET...]: the page into build/web: the engine for WebAssembly (preset wasm), the packages of web/package-lock.json
# and the bundle, with the scenes of the gallery as build/release/bin/expand_scene writes them. With targets: only these of the
# preset wasm. Everything it says goes to stderr.
set -euo pipefail
exec 1>&2
root=$(cd "$(dirname "$0")/.." && pwd)
export NODE_PATH=/usr/share/nodejs
mkdir -p "$root/build"
quietly() {  # NAME COMMAND...: its output only if it fails
  local log=$root/build/$1.log
  shift
  "$@" >"$log" 2>&1 || { cat "$log"; echo "stiction: the page cannot be built; see above"; exit 2; }
}
cd "$root"
[ -f build/wasm/build.ninja ] || quietly wasm-configure cmake --preset wasm
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(stiction_wasm)
quietly wasm-build ninja -C build/wasm "${targets[@]}"
[ $# -eq 0 ] || exit 0
# npm only when the lock file is newer than what it made
if [ ! -f web/node_modules/.package-lock.json ] || [ web/package-lock.json -nt web/node_modules/.package-lock.json ]; then
  quietly web-packages npm ci --prefix web --no-audit --no-fund --ignore-scripts
  touch web/node_modules/.package-lock.json
fi
quietly expand-scene ninja -C build/release expand_scene
node web/build.mjs build/wasm/bin build/release/bin/expand_scene build/web
