# What the tests of the command line share; sourced with $suite set, from the root of the tree. Sets WHORL (the program), work (a folder
# that goes in the end) and status (1 after a failure: the exit status).
WHORL=${WHORL:-$PWD/build/debug/whorl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

ok() { echo "ok $suite.$1"; }
fail() {
    echo "FAIL $suite.$1: $2"
    status=1
}
# expect NAME EXIT TEXT COMMAND...: ends with this status and says this text (a fixed string) on stdout or stderr.
expect() {
    local name=$1 want=$2 text=$3 rc
    shift 3
    "$@" > "$work/said" 2>&1 < /dev/null
    rc=$?
    if [ $rc = "$want" ] && grep -qF -- "$text" "$work/said"; then ok "$name"
    else fail "$name" "status $rc, wanted $want and \"$text\"; said: $(head -c 300 "$work/said" | tr '\n' '|')"; fi
}
