#!/usr/bin/env bash
# whorl serve: what its clients get and what hostile ones do (serve_client.py, site_client.py for --site), and the official Python client where tools/setup.sh could
# fetch it. Prints `ok NAME`, `FAIL NAME: why` or `skip NAME: why`.
set -uo pipefail
cd "$(dirname "$0")/.."
checked=${WHORL:-$PWD/build/debug/whorl} # with sanitizers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$work/cache}
status=0
. tools/env.sh
. tools/sanitize.sh
mkdir "$work/talks"
cp models/tiny/* "$work/talks/"
cat > "$work/talks/chat_template.jinja" << 'END'
{%- for m in messages %}{{ m.role }}: {{ m.content }}
{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}
END
timeout 100 python3 tests/site_client.py "$checked" || status=1
timeout 300 python3 tests/serve_client.py "$checked" "$work/talks" models/tiny cpu || status=1

# ---- the official clients ----
ok() { echo "ok serve.$1"; }
fail() { echo "FAIL serve.$1: $2"; status=1; }
skip() { echo "skip serve.$1: $2"; }
node_client=$PWD/build/deps/node_modules/openai
export PYTHONPATH=$PWD/build/deps/openai
python3 -c 'import openai' 2> /dev/null && has_python=1 || has_python=
command -v node > /dev/null && [ -d "$node_client" ] && has_node=1 || has_node=
[ -n "$has_python" ] || skip python_client "the Python package openai is not there (tools/setup.sh test fetches it)"
[ -n "$has_node" ] || skip node_client "node or its package openai is not there (tools/setup.sh test fetches it)"
if [ -n "$has_python$has_node" ]; then
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    address=http://127.0.0.1:$port
    "$checked" serve "$work/talks" --port "$port" --device cpu --max-time 120 2> "$work/log" &
    server=$!
    for _ in $(seq 300); do
        grep -q "at http" "$work/log" && break
        sleep 0.1
    done
    if [ -n "$has_python" ]; then
        why=$(timeout 100 python3 tests/serve_openai.py "$address" 2>&1 | tail -n 3)
        if [ -z "$why" ]; then ok python_client; else fail python_client "$why"; fi
    fi
    if [ -n "$has_node" ]; then
        why=$(timeout 100 node tests/serve_openai.cjs "$node_client" "$address" 2>&1 | tail -n 3)
        if [ -z "$why" ]; then ok node_client; else fail node_client "$why"; fi
    fi
    kill -INT $server
    wait $server
    code=$?
    if [ $code = 0 ]; then ok clients_end; else fail clients_end "exit $code: $(tail -n 2 "$work/log")"; fi
fi
exit $status
