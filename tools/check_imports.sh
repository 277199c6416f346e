#!/usr/bin/env bash
# One direction of imports between the rooms: fails where a file includes a header of a room that its own must not know. Prints
# `ok imports` or each offending line, in the form that tools/run_tests.sh reads.
#
# A room includes itself, include/whorl.h, system headers, and what stands beside it here. Test files (*_test.c, *_testing.h) may include any room.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# room: rooms that it may know, then headers outside the rooms
rules='
base      :                                         : yyjson.h
plan      : base                                    :
ir        : base                                    :
front     : base ir                                 :
pass      : base ir plan                            :
wgsl      : base ir plan                            :
compile   : base ir front pass wgsl plan            :
run       : base plan                               : webgpu.h wgpu.h
model     : base                                    : pcre2.h utf8proc.h
decode    : base model                              :
serve     : base model decode                       :
cc        : base front pass                         : region_abi.h wrapped.def
offload   : base ir pass plan run                   :
cli       : base model decode serve cc              :
web       : base ir plan                            : inputs.h guard.h verdict.h
web_model : base model                              : web.h parameter.def
'
bad=0
while IFS=: read -r room known headers; do
    room=${room// /}
    [ -n "$room" ] || continue
    folder=src/$room
    [ "$room" = cli ] && folder=cli
    [ "$room" = web ] && folder=web/compiler
    [ "$room" = web_model ] && folder=web/model
    [ -d "$folder" ] || continue
    while IFS=: read -r file line text; do
        case $file in *_test.c | *_testing.h) continue ;; esac
        target=$(sed -E 's/^[^"<]*["<]([^">]+)[">].*/\1/' <<< "$text")
        case $target in
        whorl.h | "$room"/*) continue ;;
        ../*) ;; # never: names that climb hide where they lead
        esac
        # a plain name is a header beside the file, or one from outside
        if [[ $target != */* && -e "$(dirname "$file")/$target" ]]; then continue; fi
        if [[ $text == *"<"* && $target != *yyjson* && $target != *gpu.h && $target != pcre2.h && $target != utf8proc.h ]]; then continue; fi
        case " $known " in *" ${target%%/*} "*) [[ $target == */* ]] && continue ;; esac
        case " $headers " in *" ${target##*/} "*) continue ;; esac
        echo "FAIL imports: $file:$line: $room must not include $target (it may: ${known//  /}${headers//  /}whorl.h)"
        bad=1
    done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include' "$folder" --include='*.c' --include='*.h' --include='*.def' --exclude-dir=include || true)
done <<< "$rules"
# part of a room: parts of it that it may know; "." is the room's own folder.
parts='
front/text     :
front/parse    : text
front/omp      : text parse
front/doubles  : text parse
front/lower    : . text parse
front/print    : text parse
pass/analysis  : .
pass/loops     : . analysis
pass/memory    : . analysis
pass/lanes     : . analysis
pass/grid      : . analysis
wgsl/decide    : .
wgsl/print     : . decide
run/device     :
run/auto       : device
run/session    : auto
run/report     : session
run/state      : session
run/execute    : session report state
run/probe      : session
model/file     :
model/weights  : file
model/token    : file
model/chat     : file token
run/api        : device auto session report state execute probe
'
while IFS=: read -r part known; do
    part=${part// /}
    [ -n "$part" ] || continue
    room=${part%/*}
    while IFS=: read -r file line text; do
        case $file in *_test.c | *_testing.h) continue ;; esac
        target=$(sed -E 's/^[^"]*"([^"]+)".*/\1/' <<< "$text")
        other=${target#"$room"/}
        case $other in */*) other=${other%/*} ;; *) other=. ;; esac
        case " $known " in *" $other "*) continue ;; esac
        [ "$room/$other" = "$part" ] && continue
        echo "FAIL imports: $file:$line: $part must not include $target (it may:${known:- nothing else of the room})"
        bad=1
    done < <(grep -rnE "^[[:space:]]*#[[:space:]]*include \"$room/" "src/$part" --include='*.c' --include='*.h' || true)
done <<< "$parts"
# A room that has parts has no folder beside them, but for texts that are built in (src/front/include are C's own headers).
for folder in src/front/*/ src/model/*/ src/pass/*/ src/wgsl/*/ src/run/*/; do
    part=${folder#src/}
    part=${part%/}
    case $part in front/include | wgsl/prelude | wgsl/probe) continue ;; esac
    grep -q "^$part *:" <<< "$parts" && continue
    echo "FAIL imports: $part is no part of its room: say in $0 what it may include"
    bad=1
done
# A file's name says where it is: no two of ours share one. C gave the built-in headers theirs.
twins=$(git ls-files 'src/*' 'cli/*' 'include/*' 'web/compiler/*.[ch]' | grep -v -e '^src/front/include/' -e '^web/compiler/include/' | xargs -n 1 basename | sort | uniq -d | tr '\n' ' ')
if [ -n "$twins" ]; then
    echo "FAIL imports: more than one file is called $twins"
    bad=1
fi
[ $bad = 0 ] && echo "ok imports"
exit $bad
