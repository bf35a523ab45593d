#!/usr/bin/env bash
# format.sh [--check | --self-test]: clang-format 14 with the rules in .clang-format, on every C++ file of ours.
#   --check      changes nothing; exit status 1 with one line per place that is not as clang-format would have it
#   --self-test  a scratch tree with one well and one badly formatted file: --check must find just the latter
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
tool=$(command -v clang-format-14 || command -v clang-format) ||
  { echo "format: there is no clang-format-14 (Debian package clang-format-14)" >&2; exit 2; }

case ${1-} in
  "") mode=(-i) ;;
  --check) mode=(--dry-run -Werror) ;;
  --self-test)
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    mkdir -p "$scratch/tools" "$scratch/src"
    cp "$0" "$scratch/tools/format.sh"
    cp "$root/.clang-format" "$scratch/"
    echo 'int good(int a) { return a; }' >"$scratch/src/good.cpp"
    "$scratch/tools/format.sh" --check || { echo "self-test: finds fault with a good file"; exit 1; }
    echo 'int bad ( int a ){return a;}' >"$scratch/src/bad.cpp"
    if found=$("$scratch/tools/format.sh" --check 2>&1); then echo "self-test: takes a bad file for good"; exit 1; fi
    grep -q '^src/bad.cpp:1:.*error' <<<"$found" || { echo "self-test: does not name the place: $found"; exit 1; }
    if grep -q good.cpp <<<"$found"; then echo "self-test: names the good file: $found"; exit 1; fi
    "$scratch/tools/format.sh" && "$scratch/tools/format.sh" --check || { echo "self-test: does not mend"; exit 1; }
    echo "self-test: as expected"
    exit 0
    ;;
  *) echo "format: unknown option '$1'; known: --check --self-test" >&2; exit 2 ;;
esac

cd "$root"
if git rev-parse --show-toplevel 2>/dev/null | grep -qxF "$root"; then
  mapfile -t -d '' files < <(git ls-files -co --exclude-standard -z '*.h' '*.cpp' '*.cu' ':!third_party')
else
  mapfile -t -d '' files < <(find . \( -name build -o -name third_party -o -name out \) -prune -o \
    \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) -printf '%P\0')
fi
existing=()
for file in "${files[@]}"; do [ ! -f "$file" ] || existing+=("$file"); done
[ ${#existing[@]} -gt 0 ] || { echo "format: no C++ files below $root" >&2; exit 2; }
"$tool" "${mode[@]}" "${existing[@]}" || exit 1
[ "${1-}" != --check ] || echo "clang-format: ${#existing[@]} files are as it would have them"
