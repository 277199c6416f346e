# Fetching: from package registries through their ordinary clients, checked against tools/deps.list. Sourced by tools/setup.sh.

say() { echo "setup: $*"; }
warn() { echo "setup: $*" >&2; }
die() {
    warn "$1"
    shift
    for line in "$@"; do echo "       $line" >&2; done
    exit 1
}

# once KEY TEXT: says a thing in the first set-up of this checkout only.
once() {
    [ -e "$deps/.said-$1" ] && return
    touch "$deps/.said-$1"
    say "$2"
}

# done_already NAME VERSION / mark_done NAME VERSION: what is in place, by version, so that a new pin is fetched.
done_already() { [ "$(cat "$deps/.done-$1" 2> /dev/null)" = "$2" ]; }
mark_done() { echo "$2" > "$deps/.done-$1"; }

# pinned KIND NAME: sets `version` and `sha256` from the list; fails where this architecture has none.
pinned() {
    read -r version sha256 < <(awk -v kind="$1" -v name="$2" -v machine="$machine" \
        '$1 == kind && $2 == name && ($4 == machine || $4 == "any") { print $3, $5 }' tools/deps.list) || return 1
}

# sum_is FILE SHA256
sum_is() { [ "$(sha256sum "$1" | cut -d ' ' -f 1)" = "$2" ]; }

# wheel_fetch NAME FOLDER: the pinned wheel, checked, into FOLDER; its path in `wheel`. pip refuses another file than the hash's.
wheel_fetch() {
    local name=$1 folder=$2 version sha256
    pinned wheel "$name" || return 1
    mkdir -p "$folder"
    echo "$name==$version --hash=sha256:$sha256" > "$folder/$name.txt"
    python3 -m pip --disable-pip-version-check download --quiet --no-deps --only-binary :all: --require-hashes \
        -r "$folder/$name.txt" -d "$folder" > "$folder/log" 2>&1 || { tail -n 3 "$folder/log" >&2; return 1; }
    wheel=$(echo "$folder/$name"-*.whl)
    sum_is "$wheel" "$sha256"
}

# npm_fetch NAME FOLDER: the pinned package, checked, its path in `archive`.
npm_fetch() {
    local name=$1 folder=$2 version sha256
    pinned npm "$name" || return 1
    mkdir -p "$folder"
    (cd "$folder" && npm pack --silent "$name@$version" > log 2>&1) || { tail -n 3 "$folder/log" >&2; return 1; }
    archive=$(echo "$folder/$name"-*.tgz)
    sum_is "$archive" "$sha256" || { warn "$name $version: wrong checksum, refused"; return 1; }
}

# unzip_one WHEEL MEMBER OUT
unzip_one() {
    python3 - "$@" << 'PY'
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive, archive.open(sys.argv[2]) as member, open(sys.argv[3], "wb") as out:
    shutil.copyfileobj(member, out)
PY
}

# debs_fetch FOLDER PACKAGE...: .deb files without root. The system's package lists may be empty or old, so a second try brings its own
# lists, kept under build/deps; in both, apt checks signatures and sums.
apt_own() {
    mkdir -p "$deps/apt/lists/partial" "$deps/apt/cache/archives/partial"
    "$1" -o "Dir::State::Lists=$deps/apt/lists" -o "Dir::Cache=$deps/apt/cache" -o "APT::Sandbox::User=$(id -un)" "${@:2}"
}
apt_system() { "$1" -o "APT::Sandbox::User=$(id -un)" "${@:2}"; }
apt_way=apt_system
debs_fetch() {
    local folder=$1
    shift
    command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || return 1
    mkdir -p "$folder"
    if (cd "$folder" && "$apt_way" apt-get -qq download "$@") > "$folder/log" 2>&1; then return; fi
    if [ "$apt_way" = apt_system ]; then
        apt_way=apt_own
        apt_own apt-get -qq update > "$folder/log" 2>&1 || true
        (cd "$folder" && "$apt_way" apt-get -qq download "$@") > "$folder/log" 2>&1 && return
    fi
    grep -m 2 '^E:' "$folder/log" >&2 || true
    return 1
}

# deb_licence DEB: what the package says of its licences, as build/deps/licences/PACKAGE. `make install` takes it along.
deb_licence() {
    local package
    package=$(dpkg-deb -f "$1" Package)
    mkdir -p "$deps/licences"
    dpkg-deb --fsys-tarfile "$1" | tar -x -O "./usr/share/doc/$package/copyright" > "$deps/licences/new" 2> /dev/null || true
    if [ -s "$deps/licences/new" ]; then mv "$deps/licences/new" "$deps/licences/$package"; else rm -f "$deps/licences/new"; fi
}

# wheel_licence WHEEL NAME: the same of a wheel.
wheel_licence() {
    local member
    member=$(python3 -m zipfile -l "$1" | awk '/\.dist-info\/(licenses\/)?LICEN[CS]E/ { print $1; exit }')
    mkdir -p "$deps/licences"
    [ -z "$member" ] || unzip_one "$1" "$member" "$deps/licences/$2"
}

# Of what was fetched before licences were kept.
licences_fetch() {
    local stage=$deps/fetch package wheel lacks=
    if [ -e "$deps/.none-licences" ] && [ "$deps/.none-licences" -nt tools/deps.list ]; then return; fi
    if [ -s "$deps/lib/libwgpu_native-release.so" ] && [ ! -s "$deps/licences/wgpu" ]; then
        wheel_fetch wgpu "$stage" && wheel_licence "$wheel" wgpu || lacks=wgpu
    fi
    while read -r package _; do
        [ ! -s "$deps/licences/$package" ] || continue
        debs_fetch "$stage" "$package" && deb_licence "$(echo "$stage/$package"_*.deb)" || lacks="$lacks $package"
    done < <(cat "$deps/installed.txt" 2> /dev/null)
    rm -rf "$stage"
    if [ -n "$lacks" ]; then
        touch "$deps/.none-licences"
        warn "texts of licences that could not be fetched: $lacks"
    fi
}

# deb_unpack DEB FOLDER PATTERN...: only the members that match.
deb_unpack() {
    local deb=$1 folder=$2
    shift 2
    deb_licence "$deb"
    mkdir -p "$folder"
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$folder" --wildcards "$@" 2> /dev/null || true
    dpkg-deb -W --showformat '${Package} ${Version} ${Architecture}\n' "$deb" >> "$deps/installed.txt"
    sort -u -o "$deps/installed.txt" "$deps/installed.txt"
}
