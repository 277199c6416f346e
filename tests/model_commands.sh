#!/usr/bin/env bash
# The commands that measure a language model: what they give is what the decoder in Python gives, what cannot be is refused in one line.
# Prints `ok NAME`, `FAIL NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
whorl=${WHORL_RELEASE:-$PWD/build/whorl}
checked=${WHORL:-$PWD/build/debug/whorl} # with sanitizers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$work/cache}
status=0
. tools/env.sh
. tools/sanitize.sh
ok() { echo "ok model_commands.$1"; }
fail() { echo "FAIL model_commands.$1: $2"; status=1; }

# refused NAME TEXT COMMAND...: a clear error with TEXT in it, and nothing on standard output; with exits=N before it this status
refused() {
    local name=$1 text=$2 code
    shift 2
    "$checked" "$@" > "$work/out" 2> "$work/said"
    code=$?
    if [ $code != 0 ] && [ $code -lt 100 ] && [ $code = "${exits:-$code}" ] && grep -q "$text" "$work/said" && [ ! -s "$work/out" ]; then ok "$name"
    else fail "$name" "exit $code: $(head -c 200 "$work/said")"; fi
}

# ---- perplexity ----
python3 tests/models/check_perplexity.py "$whorl" "$work" || status=1
echo "the rain in spain" > "$work/rain.txt"
printf 'a' > "$work/one.txt"
: > "$work/none.txt"
printf 'a\377b' > "$work/bytes.txt"
tiny="perplexity models/tiny"
# shellcheck disable=SC2086 # words
{
    refused perplexity.no_text "needs a file" perplexity models/tiny
    refused perplexity.no_file "no-such-file" $tiny no-such-file
    refused perplexity.one_token "must be two" $tiny "$work/one.txt"
    refused perplexity.empty "must be two" $tiny "$work/none.txt"
    refused perplexity.bytes "UTF-8" $tiny "$work/bytes.txt"
    exits=2 refused perplexity.window "have 2 to 1024 tokens" $tiny "$work/rain.txt" --context 5000
    exits=2 refused perplexity.stride "leave tokens out" $tiny "$work/rain.txt" --context 8 --stride 9
    exits=2 refused perplexity.long_stride "windows of 512 (--context, up to 1024)" $tiny "$work/rain.txt" --stride 600
    refused perplexity.json_nowhere "cannot write $work/none/x.json" $tiny "$work/rain.txt" --json "$work/none/x.json"
    [ -w /dev/full ] && refused perplexity.json_full "cannot write /dev/full" $tiny "$work/rain.txt" --json /dev/full
}
if "$checked" perplexity models/tiny "$work/rain.txt" --device cpu > "$work/out" 2> "$work/said" && grep -q "^perplexity [0-9]" "$work/out" &&
    grep -q "bits a byte" "$work/out"; then ok perplexity.checked; else fail perplexity.checked "$(head -c 200 "$work/said")"; fi

# ---- check-model ----
# whole; and with one number changed: a NaN, one that half floats cannot say, and numbers that are fine by themselves
python3 - "$work" << 'END'
import json, shutil, struct, sys
sys.path.insert(0, "tests/models")
import make_families
folder = make_families.make(sys.argv[1], "qwen3_64_f32")
for name, tensor, at, value in (("nan", "model.layers.1.mlp.up_proj.weight", 96 * 5 + 7, float("nan")), ("large", "model.layers.2.self_attn.o_proj.weight", 3, 7e4),
                                ("overflow", "model.layers.1.post_attention_layernorm.weight", None, 3e38)):
    shutil.copytree(folder, folder.with_name(name))
    path = folder.with_name(name) / "model.safetensors"
    data = bytearray(path.read_bytes())
    size = struct.unpack_from("<Q", data)[0]
    first, last = json.loads(data[8 : 8 + size])[tensor]["data_offsets"]
    for offset in range(first, last, 4) if at is None else [first + 4 * at]:
        struct.pack_into("<f", data, 8 + size + offset, value)
    path.write_bytes(data)
END
check_model() { # NAME EXIT TEXT ARGUMENTS...
    local name=$1 want=$2 text=$3 code
    shift 3
    "$checked" check-model "$@" > "$work/out" 2> "$work/said"
    code=$?
    if [ $code = "$want" ] && grep -q "$text" "$work/out"; then ok "check.$name"; else fail "check.$name" "exit $code: $(head -c 300 "$work/out" "$work/said")"; fi
}
check_model whole 0 "^ok: the largest error is [0-9.]*e-0[67] " "$work/qwen3_64_f32" --device gpu --json "$work/check.json"
if python3 -c "import json, sys; c = json.load(open('$work/check.json')); sys.exit(not (c['ok'] and c['compared'] and len(c['layers']) == 5 and all(l['largest'] > 0.1 for l in c['layers'])))"
then ok check.json; else fail check.json "$(head -c 300 "$work/check.json")"; fi
check_model steps 0 "^ok: the largest error" "$work/qwen3_64_f32" "a text of mine" --device gpu --strategy steps --quantize q8
check_model cpu 0 "no other device" "$work/qwen3_64_f32" --device cpu
check_model nan 1 '"model.layers.1.mlp.up_proj.weight", row 5, column 7: NaN' "$work/nan" --device gpu
check_model nan_layer 1 'first number that is none: NaN in what comes out of layer 1, token 0,' "$work/nan" --device gpu
check_model large 1 '"model.layers.2.self_attn.o_proj.weight", row 0, column 3: too large' "$work/large" --device cpu
check_model overflow 1 'first number that is none: .* in what comes out of layer 1' "$work/overflow" --device cpu
refused check.no_model "no-such-folder" check-model no-such-folder
refused check.no_tokens "no tokens" check-model models/tiny ""

# ---- bench decode ----
if "$checked" bench decode "$work/qwen3_64_f32" --compare --context 8,12 --json "$work/bench.json" > "$work/out" 2> "$work/said"; then
    why=$(python3 - "$work/bench.json" "$work/out" << 'END'
import json, sys
b, said = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
ways = {(r["strategy"], r["tokens_a_call"], r["context"]): r for r in b["rows"]}
if list(ways) != [(s, n, c) for s, ns in (("eager", (4, 6)), ("steps", (4, 6)), ("single", (1, 1)), ("single", (4, 6))) for n, c in zip(ns, (8, 12))]: print("rows", list(ways))
each = lambda strategy, n: ways[strategy, n, 8]["dispatches_a_token"]
if not each("eager", 4) > each("steps", 4) > each("single", 1) >= 1 > each("single", 4): print("dispatches", [(w, r["dispatches_a_token"]) for w, r in ways.items()])
if any(r["fell_back"] or len(r["samples"]) < 3 or r["samples"] != sorted(r["samples"]) or not r["samples"][0] <= r["tokens_per_s"] <= r["samples"][-1] for r in b["rows"]): print("samples")
# 35 tensors in f16, norms and biases in f32, and keys and values of six tokens on the average
matrices, vectors, memory = 320 * 96 + 3 * (96 * (256 + 2 * 128 + 256) + 3 * 96 * 160), 7 * 96 + 3 * (2 * 64 + 512), 8 * 3 * 2 * 64 * 6
if ways["steps", 4, 8]["bytes_a_token"] != 2 * matrices + 4 * vectors + memory: print("bytes", ways["steps", 4, 8]["bytes_a_token"], 2 * matrices + 4 * vectors + memory)
if said.count("a call") != 8 or "tokens/s" not in said: print("the table")
END
    )
    if [ -z "$why" ]; then ok bench.compare; else fail bench.compare "$why"; fi
else fail bench.compare "$(head -c 300 "$work/said")"; fi
if "$checked" bench decode "$work/qwen3_64_f32" --device cpu --quantize q8 > "$work/out" 2> "$work/said" && grep -q "in q8, on the CPU" "$work/out"; then ok bench.cpu
else fail bench.cpu "$(head -c 300 "$work/out" "$work/said")"; fi
if "$checked" bench decode "$work/qwen3_64_f32" --device cpu --texts 3 --context 8 --json "$work/three.json" > "$work/out" 2> "$work/said" &&
    python3 - "$work/three.json" "$work/bench.json" << 'END'
import json, sys
three, one = (json.load(open(path)) for path in sys.argv[1:])
row = [r for r in three["rows"] if r["tokens_a_call"] == 4][0]
alone = [r for r in one["rows"] if r["context"] == 8][0]["bytes_a_token"]
memory = 8 * 3 * 2 * 64 * 6
sys.exit(not (three["texts"] == 3 and len(three["rows"]) == 2 and row["bytes_a_token"] == (alone - memory) / 3 + memory))
END
then ok bench.texts; else fail bench.texts "$(head -c 300 "$work/three.json" "$work/said")"; fi
exits=2 refused bench.many "1 to 8 texts" bench decode models/tiny --texts 9
if WHORL=$whorl python3 bench/decode.py --whorl "$whorl" --shape tiny --device cpu --forms q4 --budget 120 --out "$work/decode.json" > "$work/out" 2>&1 &&
    python3 - "$work/decode.json" << 'END'
import json, sys
d = json.load(open(sys.argv[1]))
rows = {(r["texts"], r["what"], r["context"]) for r in d["rows"]}
wanted = {(texts, what, 24) for texts in (1, 8) for what in ("one token a call", "12 tokens a call", "prompt")}
good = all(r["weights"] == "q8 and q4" and r["least"] <= r["tokens_per_s"] <= r["most"] and len(r["samples"]) >= 3 for r in d["rows"])
sys.exit(not (wanted <= rows and good and not d["not_measured"] and d["device"]["name"]))
END
then ok bench.script; else fail bench.script "$(head -c 600 "$work/out" "$work/decode.json")"; fi
exits=2 refused bench.lengths "numbers of tokens from 4" bench decode models/tiny --context 8,x
refused bench.short "numbers of tokens from 4" bench decode models/tiny --context 3
refused bench.long "have 2 to 1024 tokens" bench decode models/tiny --context 2000
exits=2 refused bench.cpu_compare "leave \`--device cpu\` out" bench decode models/tiny --compare --device cpu
refused bench.two_models "no use for" bench decode models/tiny models/tiny

# ---- interventions ----
python3 tests/models/check_hooks.py "$whorl" "$work" || status=1
tiny="generate models/tiny rain"
# shellcheck disable=SC2086 # words
{
    exits=2 refused hooks.form 'is written layer=12,vector=v.npy,scale=4' $tiny --steer layer=1
    refused hooks.key 'is written layer=3,head=5' $tiny --ablate layer=1,head=1,scale=2
    refused hooks.number 'is written layer=12,out=acts.npy' $tiny --capture layer=x,out=a.npy
    refused hooks.scale 'is written' $tiny --steer layer=1,vector=a.npy,scale=nan
    exits=2 refused hooks.layer 'layers are 0 to 5, not 6' $tiny --capture layer=6,out="$work/a.npy"
    exits=2 refused hooks.head 'heads are 0 to 3, not 4' $tiny --ablate layer=0,head=4
    refused hooks.capture_nowhere "cannot write $work/none/x.npy" $tiny --capture layer=1,out="$work/none/x.npy"
    refused hooks.json_nowhere "cannot write $work/none/x.json" $tiny --json "$work/none/x.json"
    exits=2 refused hooks.system 'add --chat' $tiny --system "be brief"
    refused hooks.no_file 'none.npy' $tiny --steer layer=0,vector="$work/none.npy"
    refused hooks.width 'is to be f32.256.' $tiny --steer layer=0,vector="$work/v.npy"
}
if "$checked" generate "$work/qwen3_64_f32" rain -n 3 --device gpu -q --steer layer=0,vector="$work/rows.npy" --ablate layer=1,head=1 --capture layer=1,out="$work/a.npy" \
    > "$work/out" 2> "$work/said" && [ -s "$work/a.npy" ]; then ok hooks.checked; else fail hooks.checked "$(head -c 300 "$work/said")"; fi

# ---- quantised weights ----
python3 - "$work" << 'END'
import sys
sys.path.insert(0, "tests/models")
import make_families
make_families.MODELS["odd"] = dict(make_families.SLIM, d=72, heads=4, kv=2, hd=16, family="qwen3", kind="F32")
make_families.make(sys.argv[1], "odd")
END
refused quantize.blocks 'has rows of 72' generate "$work/odd" rain --quantize q8
refused quantize.blocks4 'q4 has blocks of 32 .* has rows of 72' generate "$work/odd" rain --quantize q4
refused quantize.form 'q8, q4 or none' generate models/tiny rain --quantize q5
megabytes() { "$whorl" generate models/tiny "And he" -n 2 --device cpu -v --quantize "$1" 2>&1 > /dev/null | sed -n 's/.* \([0-9.]*\) MB of weights.*/\1/p'; }
if python3 -c "import sys; sys.exit(not 0.52 < $(megabytes q8) / $(megabytes none) < 0.54)"; then ok quantize.memory
else fail quantize.memory "$(megabytes q8) MB instead of $(megabytes none)"; fi

# How the matrices of a file stay: bytes of all weights, counted by hand. Half a byte a weight and a scale for 32; 8-bit ones a byte.
python3 tests/models/make_families.py "$work" llama_q4_0.gguf qwen2_q4_0.gguf qwen3_q4_0_q6_k.gguf > /dev/null
kept() { # NAME FORMS BYTES ARGUMENTS...
    local name=$1 forms=$2 bytes=$3
    shift 3
    "$checked" bench decode "$@" --device cpu --context 4 --json "$work/kept.json" > /dev/null 2> "$work/said"
    if python3 -c "import json, sys; b = json.load(open('$work/kept.json')); sys.exit((b['form'], b['weights_bytes']) != ('$forms', $bytes))"
    then ok "quantize.kept_$name"; else fail "quantize.kept_$name" "$(head -c 300 "$work/kept.json" "$work/said")"; fi
}
q4=9/16 q8=17/16 words=320*96 layer="96*(96+32+32)+96*96+2*160*96" down=160*96 vectors="4*(7*96+3*160)"
kept q4_0 q4 "(2*$words+3*($layer+$down))*$q4+$vectors" "$work/llama_q4_0.gguf"
kept q4_0_q8_0 "q8 and q4" "($words+3*$down)*$q8+3*($layer)*$q4+$vectors" "$work/qwen2_q4_0.gguf"
kept q4_0_q6_k "f16, q8 and q4" "2*(320*256+2*256*256)+2*256*(256+128+128)*$q8+(320*256+2*256*256*3)*$q4+4*(5*256+2*128)+2*512*4" "$work/qwen3_q4_0_q6_k.gguf"
kept by_q4 "q8 and q4" "$words*$q8+3*(96*(256+2*128+256)+3*96*160)*$q4+4*(7*96+3*2*64+3*512)" "$work/qwen3_64_f32" --quantize q4
exit $status
