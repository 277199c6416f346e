# Sourced by tests that need workgroups side by side (tests/groups.sh, mutate.sh, starve.sh): their driver, and lavapipe to run it on.

# need_driver NAME: $driver; ends the script where it is not built
need_driver() {
    driver=build/tests/$1_driver
    [ -x "$driver" ] && return
    echo "FAIL $1: $driver is not built (make tests)"
    exit 1
}

# use_lavapipe NAME: ends the script where it is not here. It leaks 128 bytes and is unloaded before the sanitizer looks, so that no
# suppression can name it.
use_lavapipe() {
    local lavapipe
    lavapipe=$(sed -n 's/^lavapipe_icd=//p' build/deps/paths.conf 2> /dev/null)
    if [ -z "$lavapipe" ]; then
        echo "skip $1: lavapipe is not here (tools/setup.sh test)"
        exit
    fi
    export VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
}
