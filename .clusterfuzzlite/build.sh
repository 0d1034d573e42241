#!/bin/bash
# Fills $OUT for ClusterFuzz: each target with its options, its dictionary and, where there is one, its seed corpus. scripts/check-oss-fuzz runs this without
# a container.
set -euo pipefail
cd "$SRC/wirebench"

# In a coverage build the image takes over `cargo fuzz build` and ignores its arguments.
case ${SANITIZER:-address} in
    address) sanitizer=address ;;
    *) sanitizer=none ;;
esac
cargo fuzz build -s "$sanitizer"

# Regressions stay out: a seed that crashes an older build makes the whole upload a bad build.
seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
mkdir "$seeds/bytes" "$seeds/case" "$seeds/session"
while IFS= read -r -d '' seed; do
    name=$(sha256sum "$seed" | cut -c 1-16)
    cp "$seed" "$seeds/case/$name.case"
    # The body of a case is what follows its first blank line.
    LC_ALL=C sed '0,/^$/d' "$seed" >"$seeds/bytes/$name"
done < <(find corpus/seeds -name '*.case' -type f -print0)
find corpus/seeds -name '*.session' -type f -exec cp {} "$seeds/session/" \;

for source in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "fuzz/$target.options" "$OUT/"
    cp .clusterfuzzlite/wirebench.dict "$OUT/$target.dict"
    if [[ -d $seeds/$target ]]; then
        (cd "$seeds/$target" && zip -q -r "$OUT/${target}_seed_corpus.zip" .)
    fi
done
