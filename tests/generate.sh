#!/usr/bin/env bash
# whorl generate: the tokens of models/tiny are those that transformers gave (golden.json), in every strategy and on the CPU; what is
# drawn follows the seed; what cannot be is refused in one line. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
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
ok() { echo "ok generate.$1"; }
fail() { echo "FAIL generate.$1: $2"; status=1; }

# tokens NAME WHICH COUNT OPTION...: $binary continues prompt WHICH of golden.json by so many tokens
tokens() {
    local name=$1 which=$2 count=$3 why
    shift 3
    python3 - "$which" models/tiny/golden.json > "$work/prompt" << 'END'
import json, sys
sys.stdout.write(json.load(open(sys.argv[2]))[int(sys.argv[1])]["prompt"])
END
    if ! timeout 300 "$binary" generate models/tiny -f "$work/prompt" -n "$count" "$@" -q --json "$work/out.json" > "$work/text" 2> "$work/said"; then
        fail "$name" "$(head -n 2 "$work/said" | tr '\n' ' ')"
        return
    fi
    why=$(python3 - "$which" models/tiny/golden.json "$work/out.json" "$work/text" "$count" << 'END'
import json, sys
golden, out = json.load(open(sys.argv[2]))[int(sys.argv[1])], json.load(open(sys.argv[3]))
made = len(golden["prompt_ids"])
want = golden["greedy_ids"][made : made + int(sys.argv[5])]
if out["prompt_tokens"] != golden["prompt_ids"]: print("the prompt is", out["prompt_tokens"])
elif out["tokens"] != want: print("tokens", out["tokens"], "instead of", want)
elif out["fell_back"]: print("the one dispatch was not possible")
elif open(sys.argv[4]).read() != out["text"] + "\n": print("what was printed is not what the JSON says")
END
    )
    if [ -z "$why" ]; then ok "$name"; else fail "$name" "$why"; fi
}
binary=$whorl
tokens cpu 0 40 --device cpu
for strategy in single steps; do tokens $strategy 0 60 --device gpu --strategy $strategy; done
tokens eager 1 10 --device gpu --strategy eager
for which in 1 2 3; do tokens prompt_$which $which 30 --device gpu --strategy single; done
binary=$checked
tokens checked 2 6 --device gpu

# ---- what is drawn ----
draw() { "$whorl" generate models/tiny "And he said" -n 20 --device gpu -q "$@" 2>&1; }
first=$(draw --temp 0.9 --top-p 0.95 --top-k 200 --seed 5)
if [ "$first" = "$(draw --temp 0.9 --top-p 0.95 --top-k 200 --seed 5)" ] && [ "$first" != "$(draw --temp 0.9 --top-p 0.95 --top-k 200 --seed 6)" ]; then ok seed
else fail seed "a seed does not decide what is drawn: $first"; fi
# with one word to choose from, or hardly any heat, the likeliest is drawn
likeliest=$(draw)
for way in "--temp 1 --top-k 1" "--temp 1 --top-p 0.0001" "--temp 1 --min-p 0.9999" "--temp 0.001"; do
    # shellcheck disable=SC2086 # options
    if [ "$(draw $way)" = "$likeliest" ]; then ok "likeliest${way// /}"; else fail "likeliest${way// /}" "$(draw $way) instead of $likeliest"; fi
done

# ---- a token that ends the text, and conversations ----
mkdir "$work/talks"
cp models/tiny/* "$work/talks/"
sed -i 's/"eos_token_id": 4094/"eos_token_id": [4094, 432]/' "$work/talks/generation_config.json"
cat > "$work/talks/chat_template.jinja" << 'END'
{%- for m in messages %}{{ m.role }}: {{ m.content }}
{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}
END
"$whorl" generate "$work/talks" "In the beginning God" --device cpu -q --json "$work/out.json" > /dev/null 2> "$work/said"
why=$(python3 -c '
import json, sys
out = json.load(open(sys.argv[1]))
if out["tokens"] != [268] or out["finish_reason"] != "stop": print(out)' "$work/out.json" 2>&1)
if [ -z "$why" ]; then ok stop; else fail stop "$why $(head -n 1 "$work/said")"; fi

talk() { "$checked" generate "$work/talks" --chat -n 4 --device cpu -q --json "$work/out.json" "$@"; }
talk "Who was Moses?" --system "Be brief" > "$work/one" 2> "$work/said" || cat "$work/said"
printf 'Who was Moses?\n\nAnd then?\n' | talk --system "Be brief" > "$work/two" 2> "$work/said" || cat "$work/said"
why=$(python3 - "$work/out.json" "$work/one" "$work/two" << 'END'
import json, sys
out, one, two = json.load(open(sys.argv[1])), open(sys.argv[2]).read(), open(sys.argv[3]).read()
roles = [m["role"] for m in out["messages"]]
said = [m["content"] for m in out["messages"]]
if roles != ["system", "user", "assistant", "user", "assistant"]: print("roles", roles)
elif said[:2] != ["Be brief", "Who was Moses?"] or said[3] != "And then?": print("messages", said)
elif one != said[2] + "\n" or two != said[2] + "\n" + said[4] + "\n": print("texts", repr(one), repr(two), said)
END
)
if [ -z "$why" ]; then ok chat; else fail chat "$why $(head -n 1 "$work/said")"; fi
why=$(timeout 200 python3 tests/chat_terminal.py "$whorl" "$work/talks" 2>&1)
if [ -z "$why" ]; then ok chat_terminal; else fail chat_terminal "$why"; fi

# ---- a long prompt shows how far it is, and ends when it is told to ----
for _ in $(seq 60); do printf 'And he said unto them. '; done > "$work/long"
cancel() { # DEVICE
    "$whorl" generate models/tiny -f "$work/long" -n 100 --device "$1" > "$work/text" 2> "$work/said" &
    local pid=$! code
    for _ in $(seq 600); do
        grep -q "prompt: .*%" "$work/said" && break
        kill -0 $pid 2> /dev/null || break
        sleep 0.1
    done
    kill -INT $pid 2> /dev/null
    timeout 20 tail --pid=$pid -f /dev/null
    wait $pid
    code=$?
    if [ $code = 130 ] && grep -q "prompt: .*%" "$work/said" && grep -q "cancelled" "$work/said" && [ ! -s "$work/text" ]; then ok "cancel_prompt_$1"
    else fail "cancel_prompt_$1" "exit $code: $(tail -n 2 "$work/said" | tr '\n' ' ')"; fi
}
cancel gpu

# ---- what cannot be ----
refused() { # NAME TEXT ARGUMENTS...
    local name=$1 text=$2 code
    shift 2
    "$checked" generate "$@" > "$work/out" 2> "$work/said"
    code=$?
    if [ $code != 0 ] && [ $code -lt 100 ] && grep -q "$text" "$work/said" && [ ! -s "$work/out" ]; then ok "$name"
    else fail "$name" "exit $code: $(head -c 200 "$work/said")"; fi
}
refused no_model "no-such-folder" no-such-folder "Hello"
refused no_prompt "no prompt" models/tiny
refused two_prompts "given twice" models/tiny Hello -f README.md
refused no_file "no-such-file" models/tiny -f no-such-file
refused not_a_model "" tests Hello
refused too_long "was made for" models/tiny Hello -n 100000
refused too_small "is too small" models/tiny "Hello there" --context 4
refused no_template "no chat template" models/tiny --chat Hello
refused system "add --chat" models/tiny Hello --system "Be brief"
refused full "is too small" "$work/talks" --chat Hello --context 8
refused cold "add --temp" models/tiny Hello --top-p 0.5
refused share "takes a share" models/tiny Hello --temp 1 --top-p 1.5
"$checked" generate models/tiny Hello --temp -1 > "$work/out" 2> "$work/said"
if [ $? = 2 ] && grep -q "takes 0 to 100, not" "$work/said"; then ok range; else fail range "$(head -c 200 "$work/said")"; fi
"$checked" generate models/tiny/model.safetensors "In the" -n 4 --device cpu -q > "$work/out" 2> "$work/said"
if [ $? = 0 ] && [ "$(cat "$work/out")" = "$("$checked" generate models/tiny "In the" -n 4 --device cpu -q)" ]; then ok by_weights; else fail by_weights "$(head -c 200 "$work/said")"; fi
refused bytes "UTF-8" models/tiny "$(printf 'a\377b')"
mkdir "$work/cut"
cp models/tiny/* "$work/cut/"
head -c 5000000 models/tiny/model.safetensors > "$work/cut/model.safetensors"
refused cut "" "$work/cut" Hello
exit $status
