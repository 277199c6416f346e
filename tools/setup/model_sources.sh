# Sources of PCRE2 and utf8proc for the WebAssembly build of the room of models: Debian's own, as apt signs them, so they are the ones that
# the native static libraries were made of. Sourced by tools/setup.sh.

# The system's package sources with `deb-src` in the place of `deb`, as files of our own, so that the system's stay as they are.
source_lists_make() { # FOLDER
    local list
    mkdir -p "$1"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -s "$list" ] || continue
        grep -E '^deb .*debian|^deb .*ubuntu' "$list" | sed 's/^deb /deb-src /' > "$1/$(basename "$list" .list).list" || true
    done
    for list in /etc/apt/sources.list.d/*.sources; do
        [ -s "$list" ] || continue
        case $(basename "$list") in
        debian* | ubuntu*) sed 's/^Types:.*/Types: deb-src/' "$list" > "$1/$(basename "$list")" ;;
        esac
    done
    find "$1" -empty -type f -delete
}

apt_sources() { # COMMAND...: with these lists alone
    local own=$deps/apt-src
    mkdir -p "$own/lists/partial" "$own/cache/archives/partial"
    "$1" -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$own/parts" -o "Dir::State::Lists=$own/lists" \
        -o "Dir::Cache=$own/cache" -o "APT::Sandbox::User=$(id -un)" "${@:2}"
}

source_lists_drop_security() { # FOLDER
    local list
    for list in "$1"/*; do
        case $list in
        *.sources) awk 'BEGIN { RS = ""; ORS = "\n\n" } !/security/' "$list" > "$list.new" ;;
        *) grep -v security "$list" > "$list.new" || true ;;
        esac
        mv "$list.new" "$list"
    done
}

sources_get() { # FOLDER: unpacked there, with Debian's patches
    apt_sources apt-get -qq update && (cd "$1" && apt_sources apt-get -qq source pcre2 utf8proc)
}

# Into build/deps/model_sources: pcre2/*.[ch] and utf8proc/*.[ch].
model_sources_fetch() {
    local stage=$deps/fetch folder=$deps/model_sources own=$deps/apt-src
    if done_already model-sources 1 && [ -s "$folder/pcre2/pcre2_match.c" ] && [ -s "$folder/utf8proc/utf8proc.c" ]; then return; fi
    say "fetching the sources of PCRE2 and utf8proc (3 MB and a list of packages)"
    rm -rf "$stage" "$folder" "$own"
    mkdir -p "$stage" "$folder/utf8proc"
    source_lists_make "$own/parts"
    if ! sources_get "$stage" > "$deps/model-sources.log" 2>&1; then
        # a mirror may list an update that it does not have: then as the release came
        source_lists_drop_security "$own/parts"
        rm -rf "$stage" && mkdir -p "$stage"
        sources_get "$stage" >> "$deps/model-sources.log" 2>&1 || rm -rf "$stage"
    fi
    if [ ! -d "$stage" ]; then
        tail -n 3 "$deps/model-sources.log" >&2
        rm -rf "$own"
        die "the sources of PCRE2 and utf8proc could not be fetched" "the whole output is in build/deps/model-sources.log"
    fi
    mv "$stage"/pcre2-*/src "$folder/pcre2"
    mv "$folder/pcre2/pcre2.h.generic" "$folder/pcre2/pcre2.h"
    mv "$folder/pcre2/config.h.generic" "$folder/pcre2/config.h"
    mv "$folder/pcre2/pcre2_chartables.c.dist" "$folder/pcre2/pcre2_chartables.c"
    mv "$stage"/utf8proc-*/utf8proc*.[ch] "$folder/utf8proc/"
    mkdir -p "$deps/licences"
    cp "$(echo "$stage"/pcre2-*/LICENCE)" "$folder/pcre2/LICENCE"
    cp "$(echo "$stage"/utf8proc-*/LICENSE.md)" "$folder/utf8proc/LICENCE"
    rm -rf "$stage" "$own"
    mark_done model-sources 1
}
