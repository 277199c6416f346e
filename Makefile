# whorl's build. `make help` lists the targets. Sources are found, not listed: src/ROOM/[PART/]*.c is the library, *_test.c there and
# tests/unit/*_test.c are unit tests, src/model/*/*.c, src/decode/*.c and src/serve/*.c a second library (the compiler's stays free of what it needs), tests/*_driver.c programs that tests/*.sh run, cli/*.c and src/cc/*.c the program, src/offload/*.c what it links into others' programs, fuzz/*_fuzz.c fuzz targets.
#
#   build/whorl, build/release/   -O2, NDEBUG: what is installed        build/debug/   ASan + UBSan + asserts: what tests run
#   build/gen/                    text files embedded as C              build/deps/    what tools/setup.sh fetched

ifeq ($(origin CC),default)
CC := gcc
endif
HOST_CC ?= $(CC)
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
V ?= 0
# What `make` and `make test` build, they build on all processors; who gives -j himself is obeyed.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc 2> /dev/null || echo 2))
Q := $(if $(filter 0,$(V)),@)
say = $(if $(filter 0,$(V)),@echo "  $(1)",@:)

VERSION := $(shell awk '/define WHORL_VERSION_(MAJOR|MINOR|PATCH)/ { v = v s $$3; s = "." } END { print v }' include/whorl.h)
SO_MAJOR := $(firstword $(subst ., ,$(VERSION)))

# -ffp-contract=off: constants folded and programs interpreted here must have the same bits whatever compiler built this.
LANGUAGE := -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -ffp-contract=off -fPIC
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes
INCLUDES := -Iinclude -Isrc -Itests -Iprograms/lib -isystem third_party -isystem third_party/yyjson -isystem third_party/webgpu -isystem build/deps/model/include
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
LIBS := -ldl -lm -lpthread
MODEL_LIBS := $(if $(wildcard build/deps/model/lib/libpcre2-8.a),build/deps/model/lib/libpcre2-8.a build/deps/model/lib/libutf8proc.a,-lpcre2-8 -lutf8proc)

FLAGS_release := $(LANGUAGE) $(CFLAGS) -DNDEBUG
FLAGS_debug := $(LANGUAGE) -g -O1 -fno-omit-frame-pointer $(SANITIZE) -Werror

SOURCES := $(filter-out %_test.c src/model/% src/decode/% src/serve/% src/cc/% src/offload/%,$(sort $(wildcard src/*/*.c src/*/*/*.c)))
MODEL := $(filter-out %_test.c,$(sort $(wildcard src/model/*/*.c src/decode/*.c src/serve/*.c)))
CLI := $(sort $(wildcard cli/*.c))
CLI_PARTS := $(filter-out cli/main.c,$(CLI)) # what drivers and tools link, too
CC_DRIVER := $(filter-out %_test.c,$(sort $(wildcard src/cc/*.c))) build/gen/cc_texts.c
OFFLOAD := $(filter-out %_test.c,$(sort $(wildcard src/offload/*.c)))
UNIT := $(sort $(wildcard src/*/*_test.c src/*/*/*_test.c tests/unit/*_test.c))
FUZZ := $(sort $(wildcard fuzz/*_fuzz.c))
RANDOM_TEST := $(sort $(wildcard tests/random/*.c))
WILD_TEST := $(sort $(wildcard tests/wild/*.c)) $(filter-out tests/random/gen.c tests/random/make_%,$(RANDOM_TEST))
DRIVERS := $(sort $(wildcard tests/*_driver.c))
BENCH := $(sort $(wildcard bench/*.c))
OURS := $(sort $(wildcard include/*.h src/*/*.h src/*/*/*.h src/*/*.def src/*/*/*.def cli/*.h tests/*.h)) $(SOURCES) $(MODEL) $(CLI) $(filter src/%,$(CC_DRIVER)) $(OFFLOAD) $(UNIT) $(FUZZ) $(DRIVERS) $(wildcard bench/*.h) $(BENCH) $(RANDOM_TEST) $(wildcard tests/wild/*.[ch]) \
        $(wildcard tests/random/*.h tests/models/*.c tools/*.c examples/*.c web/compiler/*.[ch] web/compiler/include/*.h web/model/*.[ch] web/tools/*.c)
OTHERS := third_party/yyjson/yyjson.c
HEADER_TEXTS := $(sort $(wildcard src/front/include/*.h src/front/include/*/*.h))
PRELUDE_TEXTS := $(sort $(wildcard src/wgsl/prelude/*.wgsl))
MODEL_TEXTS := $(sort $(wildcard programs/models/*.c))
PAGE_TEXTS := $(sort $(wildcard src/serve/page/*))
CC_TEXTS := src/offload/region_abi.h
PROBE_TEXTS := $(sort $(wildcard src/wgsl/probe/*.wgsl))
LIBRARY := $(SOURCES) $(OTHERS) build/gen/headers.c build/gen/prelude.c build/gen/probe.c
MODEL_LIBRARY := $(MODEL) build/gen/models.c build/gen/pages.c

.PHONY: all build setup debug tests wheel run run-trading test bench fuzz hardware format lint install uninstall clean distclean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: setup ## set up what is missing, then build (the default)
	$(Q)$(MAKE) $(PARALLEL) --no-print-directory build

setup: ## fetch what is missing: compiler packages, WebGPU library, software Vulkan (YES=1 asks nothing)
	$(Q)tools/setup.sh

build: build/release/libwhorl.a build/release/libwhorl.so build/release/libwhorl_cc.a $(if $(CLI),build/whorl) ## build without setting up
debug: build/debug/libwhorl.a $(if $(CLI),build/debug/whorl) ## the same with sanitizers and asserts, in build/debug
tests: debug build/tests/random build/tests/wild build/tests/tokens build/tests/tokens_release build/tests/render $(patsubst %.c,build/tests/%,$(notdir $(UNIT))) $(patsubst %.c,build/fuzz/%,$(notdir $(FUZZ))) $(DRIVERS:%.c=build/%)

run: all ## set up, build, breed an Acrobot policy on the GPU and show its swing
	$(Q)$(MAKE) --no-print-directory build/evolve build/host/frames
	$(Q)tools/demo.sh

run-trading: all ## set up, build, and show 10,000 trading policies on real prices
	$(Q)tools/demo_trading.sh

test: ## set up, build, and run every test
	$(Q)tools/setup.sh test
	$(Q)$(MAKE) $(PARALLEL) --no-print-directory build tests build/whorl_rows build/evolve build/host/frames
	$(Q)tools/run_tests.sh

wheel: build ## the Python package with its libraries, in build/wheel (docs/python.md)
	$(Q)tools/wheel.sh

bench: all build/whorl_rows ## measure on this machine's device (bench/run.sh)
	$(Q)bench/run.sh

hardware: build build/fuzz/random build/fuzz/wild build/release/atomic_pairs_test build/again ## what tests/hardware.sh runs on a real GPU

fuzz: ## the long random matrix and the fuzz targets
	$(Q)tools/setup.sh test
	$(Q)$(MAKE) $(PARALLEL) --no-print-directory build tests
	$(Q)tools/run_fuzz.sh

format: ## clang-format all of our C
	clang-format -i $(OURS)

lint: build/gen/headers.c build/gen/prelude.c build/gen/probe.c ## format, gcc and clang with -Werror, import direction, sources, third_party unchanged
	$(Q)CC="$(CC)" FLAGS="$(LANGUAGE) $(WARNINGS) $(INCLUDES) -Icli -Iweb/compiler -Werror" tools/lint.sh $(OURS)

install: build ## PREFIX=/usr/local, DESTDIR for packagers
	$(Q)DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" VERSION="$(VERSION)" tools/install.sh

uninstall: ## remove what install put there
	$(Q)DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" VERSION="$(VERSION)" tools/install.sh --uninstall

clean: ## remove what was built, keep what was fetched
	rm -rf build/release build/debug build/gen build/tests build/fuzz build/host build/whorl build/wheel build/mypy build/evolve \
	    build/wasm build/conformance build/cases build/site build/site-public web/runtime/dist

distclean: ## remove build/ whole
	rm -rf build

help: ## this list
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# ---- embedded text: the list file changes when a text is added or removed, so that the array does too ----
build/host/embed: tools/embed.c
	$(call say,HOSTCC $@)
	@mkdir -p $(@D)
	$(Q)$(HOST_CC) -std=c11 -D_POSIX_C_SOURCE=200809L -O1 $(WARNINGS) $< -o $@

build/gen/headers.list: TEXTS = $(HEADER_TEXTS)
build/gen/prelude.list: TEXTS = $(PRELUDE_TEXTS)
build/gen/probe.list: TEXTS = $(PROBE_TEXTS)
build/gen/models.list: TEXTS = $(MODEL_TEXTS)
build/gen/pages.list: TEXTS = $(PAGE_TEXTS)
build/gen/cc_texts.list: TEXTS = $(CC_TEXTS)
build/gen/headers.list build/gen/prelude.list build/gen/probe.list build/gen/models.list build/gen/pages.list build/gen/cc_texts.list: FORCE
	@mkdir -p $(@D); echo '$(TEXTS)' > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

build/gen/headers.c: build/host/embed build/gen/headers.list $(HEADER_TEXTS)
	$(call say,EMBED $@)
	$(Q)build/host/embed --brief front_headers $@ $(HEADER_TEXTS)

build/gen/prelude.c: build/host/embed build/gen/prelude.list $(PRELUDE_TEXTS)
	$(call say,EMBED $@)
	$(Q)build/host/embed --brief wgsl_preludes $@ $(PRELUDE_TEXTS)

build/gen/probe.c: build/host/embed build/gen/probe.list $(PROBE_TEXTS)
	$(call say,EMBED $@)
	$(Q)build/host/embed wgsl_probes $@ $(PROBE_TEXTS)

build/gen/models.c: build/host/embed build/gen/models.list $(MODEL_TEXTS)
	$(call say,EMBED $@)
	$(Q)build/host/embed model_programs $@ $(MODEL_TEXTS)

build/gen/pages.c: build/host/embed build/gen/pages.list $(PAGE_TEXTS)
	$(call say,EMBED $@)
	$(Q)build/host/embed serve_pages $@ $(PAGE_TEXTS)

build/gen/cc_texts.c: build/host/embed build/gen/cc_texts.list $(CC_TEXTS)
	$(call say,EMBED $@)
	$(Q)build/host/embed cc_texts $@ $(CC_TEXTS)

# ---- one set of rules for each configuration: $(1) is release or debug; a changed flag or compiler rebuilds it ----
define configuration
build/$(1)/flags: FORCE
	@mkdir -p $$(@D); echo '$(CC) $(FLAGS_$(1)) $(WARNINGS)' > $$@.new
	@if cmp -s $$@.new $$@; then rm $$@.new; else mv $$@.new $$@; fi

build/$(1)/third_party/%.o: third_party/%.c build/$(1)/flags
	$$(call say,CC $$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $(filter-out -Werror,$(FLAGS_$(1))) -w $(INCLUDES) -MMD -MP -c $$< -o $$@

build/$(1)/%.o: %.c build/$(1)/flags
	$$(call say,CC $$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $(FLAGS_$(1)) $(WARNINGS) $(INCLUDES) -MMD -MP -c $$< -o $$@

build/$(1)/objects.list: FORCE
	@mkdir -p $$(@D); echo '$(LIBRARY)' > $$@.new
	@if cmp -s $$@.new $$@; then rm $$@.new; else mv $$@.new $$@; fi

build/$(1)/libwhorl.a: $(LIBRARY:%.c=build/$(1)/%.o) build/$(1)/objects.list
	$$(call say,AR $$@)
	$$(Q)rm -f $$@ && ar rcs $$@ $$(filter %.o,$$^)

build/$(1)/model.list: FORCE
	@mkdir -p $$(@D); echo '$(MODEL_LIBRARY)' > $$@.new
	@if cmp -s $$@.new $$@; then rm $$@.new; else mv $$@.new $$@; fi

build/$(1)/libmodel.a: $(MODEL_LIBRARY:%.c=build/$(1)/%.o) build/$(1)/model.list
	$$(call say,AR $$@)
	$$(Q)rm -f $$@ && ar rcs $$@ $$(filter %.o,$$^)

build/$(1)/libwhorl.so: $(LIBRARY:%.c=build/$(1)/%.o) build/$(1)/objects.list tools/exports.map
	$$(call say,LD $$@)
	$$(Q)$$(CC) $(FLAGS_$(1)) -shared -Wl,-soname,libwhorl.so.$(SO_MAJOR) -Wl,--version-script=tools/exports.map \
	    $$(filter %.o,$$^) $(LDFLAGS) $(LIBS) -o $$@

build/$(1)/whorl: $(CLI:%.c=build/$(1)/%.o) $(CC_DRIVER:%.c=build/$(1)/%.o) build/$(1)/libmodel.a build/$(1)/libwhorl.a
	$$(call say,LD $$@)
	$$(Q)$$(CC) $(FLAGS_$(1)) $$^ $(LDFLAGS) $(MODEL_LIBS) $(LIBS) -o $$@
endef
$(eval $(call configuration,release))
$(eval $(call configuration,debug))

# What `whorl cc` links into programs: all of it in one object that shows only what they and the linker's --wrap ask for.
WRAPPED := $(shell sed -n 's/^WRAPPED(\(.*\))$$/\1/p' src/offload/wrapped.def)
build/release/libwhorl_cc.a: src/offload/wrapped.def $(OFFLOAD:%.c=build/release/%.o) build/release/libwhorl.a build/host/resolve_object
	$(call say,LD $@)
	$(Q)rm -f $@ $(@:.a=.o)
	$(Q)$(CC) -r -nostdlib $(OFFLOAD:%.c=build/release/%.o) -Wl,--whole-archive build/release/libwhorl.a -Wl,--no-whole-archive -o $(@:.a=.o)
	$(Q)objcopy --strip-debug --keep-global-symbol=whorl_cc_enter --keep-global-symbol=whorl_cc_leave --keep-global-symbol=whorl_cc_readable --keep-global-symbol=whorl_cc_wants --keep-global-symbol=whorl_cc_end --keep-global-symbol=whorl_cc_hold --keep-global-symbol=whorl_cc_drop \
	    $(foreach f,$(WRAPPED),--keep-global-symbol=__wrap_$(f) --redefine-sym $(f)=__real_$(f)) $(@:.a=.o)
	$(Q)build/host/resolve_object $(@:.a=.o)
	$(Q)objcopy --strip-unneeded $(@:.a=.o)
	$(Q)ar rcs $@ $(@:.a=.o)

build/whorl_rows: $(BENCH:%.c=build/release/%.o) build/release/cli/npy.o build/release/libwhorl.a
	$(call say,LD $@)
	$(Q)$(CC) $(FLAGS_release) $^ $(LDFLAGS) $(LIBS) -o $@

build/evolve: build/release/examples/evolve.o build/release/libwhorl.a
	$(call say,LD $@)
	$(Q)$(CC) $(FLAGS_release) $^ $(LDFLAGS) $(LIBS) -o $@

build/host/resolve_object: tools/resolve_object.c
	$(call say,HOSTCC $@)
	@mkdir -p $(@D)
	$(Q)$(HOST_CC) -std=c11 -O2 $(WARNINGS) $< -o $@

build/host/frames: tools/frames.c
	$(call say,HOSTCC $@)
	@mkdir -p $(@D)
	$(Q)$(HOST_CC) -std=c11 -D_DEFAULT_SOURCE -O2 $(WARNINGS) $< -lm -o $@

build/whorl: build/release/whorl
	$(Q)cp $< $@.new && mv -f $@.new $@ # a running one keeps its file

# ---- unit tests, and fuzz targets with the replaying driver (libFuzzer's own needs clang: tools/run_fuzz.sh) ----
define unit_test
build/tests/$(notdir $(1:.c=)): build/debug/$(1:.c=.o) $(if $(filter src/model/% src/decode/% src/serve/%,$(1)),build/debug/libmodel.a) build/debug/libwhorl.a
	$$(call say,LD $$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $(FLAGS_debug) $$^ $(LDFLAGS) $(if $(filter src/model/% src/decode/% src/serve/%,$(1)),$(MODEL_LIBS)) $(LIBS) -o $$@
endef
$(foreach t,$(UNIT),$(eval $(call unit_test,$(t))))

# What tests/models/compare_tokenizers.py and compare_templates.py compare.
build/tests/tokens build/tests/render: build/tests/%: build/debug/tests/models/%.o build/debug/libmodel.a build/debug/libwhorl.a
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS_debug) $^ $(LDFLAGS) $(MODEL_LIBS) $(LIBS) -o $@

build/tests/tokens_release: build/release/tests/models/tokens.o build/release/libmodel.a build/release/libwhorl.a
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS_release) $^ $(LDFLAGS) $(MODEL_LIBS) $(LIBS) -o $@

# The drivers of tests/*.sh read files as the command line does.
build/tests/%_driver: build/debug/tests/%_driver.o $(patsubst %.c,build/debug/%.o,$(CLI_PARTS)) build/debug/libmodel.a build/debug/libwhorl.a
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS_debug) $^ $(LDFLAGS) $(MODEL_LIBS) $(LIBS) -o $@

# The random programs: sanitized beside the debug library for `make test`, and fast for the long hunt.
build/tests/random: $(RANDOM_TEST:%.c=build/debug/%.o) build/debug/libwhorl.a
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS_debug) $^ $(LDFLAGS) $(LIBS) -o $@

build/fuzz/random: $(RANDOM_TEST:%.c=build/release/%.o) build/release/libwhorl.a
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS_release) $^ $(LDFLAGS) $(LIBS) -o $@

# The second generator, with the judge and the reducer of the first.
build/tests/wild: $(WILD_TEST:%.c=build/debug/%.o) build/debug/libwhorl.a
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS_debug) $^ $(LDFLAGS) $(LIBS) -o $@

build/fuzz/wild: $(WILD_TEST:%.c=build/release/%.o) build/release/libwhorl.a
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS_release) $^ $(LDFLAGS) $(LIBS) -o $@

build/release/atomic_pairs_test: build/release/tests/unit/atomic_pairs_test.o build/release/libwhorl.a
	$(call say,LD $@)
	$(Q)$(CC) $(FLAGS_release) $^ $(LDFLAGS) $(LIBS) -o $@

build/again: build/release/tests/again_driver.o $(patsubst %.c,build/release/%.o,$(CLI_PARTS)) build/release/libmodel.a build/release/libwhorl.a
	$(call say,LD $@)
	$(Q)$(CC) $(FLAGS_release) $^ $(LDFLAGS) $(MODEL_LIBS) $(LIBS) -o $@

build/fuzz/cc_fuzz: build/debug/fuzz/cc_fuzz.o build/debug/tools/fuzz_replay.o $(CC_DRIVER:%.c=build/debug/%.o) build/debug/libwhorl.a
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS_debug) $^ $(LDFLAGS) $(LIBS) -o $@

build/fuzz/%: build/debug/fuzz/%.o build/debug/tools/fuzz_replay.o build/debug/libmodel.a build/debug/libwhorl.a
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(FLAGS_debug) $^ $(LDFLAGS) $(MODEL_LIBS) $(LIBS) -o $@

include web/web.mk

-include $(wildcard build/release/*/*.d build/release/*/*/*.d build/release/*/*/*/*.d)
-include $(wildcard build/debug/*/*.d build/debug/*/*/*.d build/debug/*/*/*/*.d)
