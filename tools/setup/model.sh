# What the room of models links: PCRE2 and utf8proc, as static libraries in build/deps/model. Sourced by tools/setup.sh.
#
# Taken from Debian's -dev packages, unpacked without root. Where there is no apt, the system's own are used, if they are there.
model_fetch() {
    local stage=$deps/fetch package folder=$deps/model
    if done_already model 1 && [ -s "$folder/lib/libpcre2-8.a" ] && [ -s "$folder/lib/libutf8proc.a" ]; then return; fi
    local probe='#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <utf8proc.h>
int main(void) { return pcre2_config(PCRE2_CONFIG_UNICODE, 0) + *utf8proc_version(); }'
    rm -rf "$stage" "$folder"
    mkdir -p "$folder/include" "$folder/lib"
    if debs_fetch "$stage" libpcre2-dev libutf8proc-dev; then
        for package in libpcre2-dev libutf8proc-dev; do
            deb_unpack "$(echo "$stage/$package"_*.deb)" "$stage/$package" './usr/include/*' './usr/lib/*/lib*.a'
        done
        mv "$stage"/libpcre2-dev/usr/include/pcre2.h "$stage"/libutf8proc-dev/usr/include/utf8proc.h "$folder/include/"
        mv "$stage"/libpcre2-dev/usr/lib/*/libpcre2-8.a "$stage"/libutf8proc-dev/usr/lib/*/libutf8proc.a "$folder/lib/"
        mark_done model 1
    elif ! echo "$probe" | ${CC:-gcc} -x c - -o /dev/null -lpcre2-8 -lutf8proc > /dev/null 2>&1; then
        die "PCRE2 and utf8proc could not be fetched and are not installed" \
            "install their development packages (Debian: libpcre2-dev libutf8proc-dev) and run again"
    fi
    rm -rf "$stage"
}
