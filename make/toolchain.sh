#!/usr/bin/env bash
# Unpacks the Stan toolchain (Stan 2.35.0, Math 4.9.0, Eigen, Boost, SUNDIALS, TBB and stanc) below $1.
# It is PyPI's httpstan wheel, pinned by its hash. Only the headers, the libraries and the compiler are kept.
set -euo pipefail
target=$1
wheel=httpstan-4.13.0-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl
sha256=db96f12cacea0ae8efb6bddbf3061c3536b3503187befda936c6a36c1da7124d

fail() { echo "toolchain: $1" >&2; exit 1; }
[ "$(uname -sm)" = "Linux x86_64" ] || fail "the wheel is for Linux on x86-64; elsewhere use a CmdStan: CMDSTAN=/path make path/to/model"
command -v python3 >/dev/null || fail "python3 is missing; on Debian: apt-get install python3 python3-pip"
python3 -m pip --version >/dev/null 2>&1 || fail "pip is missing; on Debian: apt-get install python3-pip"

parent=$(dirname "$target")
mkdir -p "$parent"
work=$(mktemp -d "$parent/.toolchain.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "httpstan==4.13.0 --hash=sha256:$sha256" > "$work/requirements.txt"
echo "toolchain: downloading $wheel (45 MB, once)"
python3 -m pip --disable-pip-version-check --quiet download --require-hashes --no-deps \
  --python-version 3.11 --implementation cp --abi cp311 --platform manylinux2014_x86_64 \
  --only-binary=:all: --dest "$work" --requirement "$work/requirements.txt" \
  || fail "pip could not download httpstan 4.13.0 (see its message above)"
echo "$sha256  $work/$wheel" | sha256sum --check --quiet - || fail "the wheel's hash is not the pinned one"
python3 -m zipfile -e "$work/$wheel" "$work/unpacked"
mkdir "$work/toolchain"
mv "$work/unpacked/httpstan/include" "$work/unpacked/httpstan/lib" "$work/unpacked/httpstan/stanc" "$work/toolchain/"
mv "$work/unpacked/httpstan-4.13.0.dist-info" "$work/toolchain/licenses"
chmod +x "$work/toolchain/stanc"
rm -rf "$target"
mv "$work/toolchain" "$target"
