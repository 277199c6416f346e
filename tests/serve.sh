#!/usr/bin/env bash
# whorl serve: what its clients get and what hostile ones do (serve_client.py), and the official Python client where tools/setup.sh could
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
timeout 300 python3 tests/serve_client.py "$checked" "$work/talks" models/tiny cpu || status=1
exit $status
