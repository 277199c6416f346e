# The web's targets, included by the Makefile.  build/wasm/: the compiler as WebAssembly; web/: what npm builds (web/package.json).
WASM_CC ?= clang-19
WASM_SOURCES := $(filter-out src/base/file.c src/plan/validate.c src/run/%,$(SOURCES)) $(wildcard web/compiler/*.c) \
    $(patsubst %,cli/%.c,options directives inputs generate scalar_sum verdict verdict_words npy closest)
WASM_OBJECTS := $(patsubst %.c,build/wasm/%.o,$(WASM_SOURCES) $(OTHERS) build/gen/headers.c build/gen/prelude.c)
# Every browser with WebGPU has the three instructions. Bail-outs trap: web/compiler/include/setjmp.h. Addresses that step along with a
# loop (lsr), constants taken out of it (machine-licm) and what is known on one of two ways (pre) would be locals, which cost more
# bytes than they save.
WASM_FLAGS := --target=wasm32-wasi -std=c11 -D_DEFAULT_SOURCE -ffp-contract=off -Oz -DNDEBUG -mbulk-memory -msign-ext -mnontrapping-fptoint \
    $(addprefix -mllvm -,disable-lsr disable-machine-licm enable-pre=false enable-load-pre=false) -ffunction-sections -fdata-sections \
    -Iweb/compiler/include -include gaps.h -Iweb/compiler -Icli $(INCLUDES)
# Without -O here: with it clang would run any wasm-opt that it finds. Ours is the pinned one; from a flat form, whose control flow is
# made anew, then from a flat form again in two rounds, and without long functions inlined where they are called once: their locals
# would need numbers of two bytes. A literal's address takes three with a stack below 1 MB, whose last KB nobody uses.
WASM_LINK := --target=wasm32-wasi -mexec-model=reactor -Wl,--strip-all,--gc-sections,--stack-first,-z,stack-size=786432
WASM_OPT := web/node_modules/.bin/wasm-opt --low-memory-unused --one-caller-inline-max-function-size=30 --flatten --rereloop -Oz --flatten -Oz -Oz \
    --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals

# The room of models as a module of its own, so that pages without a model do not fetch it. PCRE2 and utf8proc are built from
# the sources that tools/setup.sh web fetched, as the same files and options as Debian's static libraries.
MODEL_SOURCES := build/deps/model_sources
PCRE2_PARTS := auto_possess chartables compile config context error extuni find_bracket match match_data newline ord2utf \
    pattern_info script_run string_utils study tables ucd valid_utf xclass
WASM_MODEL := $(filter-out src/base/file.c,$(filter src/base/%,$(SOURCES))) \
    $(filter-out src/model/file/map.c,$(filter src/model/%,$(MODEL))) $(wildcard web/model/*.c) web/compiler/answer.c \
    web/compiler/files.c web/compiler/wasi.c
WASM_MODEL_OBJECTS := $(patsubst %.c,build/wasm/%.o,$(WASM_MODEL) $(OTHERS)) \
    $(patsubst %,build/wasm/pcre2/pcre2_%.o,$(PCRE2_PARTS)) build/wasm/utf8proc/utf8proc.o

.PHONY: wasm web web-dev web-runtime web-site conformance tax test-web

wasm: build/wasm/whorl.wasm build/wasm/model.wasm ## the compiler and the reader of models as WebAssembly, without imports (clang-19, wasi-libc: tools/setup.sh web)

web: ## the static site into build/site, for any file server and under any path
	$(Q)tools/setup.sh web
	$(Q)$(MAKE) --no-print-directory web-site

web-site: build wasm web-runtime
	$(Q)cd web && npm run -s site

web-dev: ## serve the site while it is developed
	$(Q)tools/setup.sh web
	$(Q)$(MAKE) --no-print-directory wasm web-runtime
	$(Q)cd web && npm run -s dev

web-runtime: ## the TypeScript runtime into web/runtime/dist
	$(Q)cd web && npm run -s build

# Its cases are made from the programs: not committed.
conformance: build build/conformance ## a folder of plan, inputs and outputs a program, for all executors: build/cases
	$(Q)tools/conformance.sh build/conformance build/cases

build/conformance: build/release/tests/conformance_driver.o $(patsubst %.c,build/release/%.o,$(CLI_PARTS)) build/release/libmodel.a build/release/libwhorl.a
	$(call say,LD $@)
	$(Q)$(CC) $(FLAGS_release) $^ $(LDFLAGS) $(MODEL_LIBS) $(LIBS) -o $@

# What a browser costs, here or packed for a machine without a network: web/tools/tax.mjs.
tax: build wasm web-runtime build/tax_native ## what web/tools/tax.mjs and web/tools/pack_tax.sh need

build/tax_native: build/release/web/tools/tax_native.o build/release/bench/rows_time.o build/release/libwhorl.a
	$(call say,LD $@)
	$(Q)$(CC) $(FLAGS_release) $^ $(LDFLAGS) $(LIBS) -o $@

test-web: build ## the web's tests: compiler, runtime, conformance in node and Chromium
	$(Q)tools/setup.sh web
	$(Q)$(MAKE) --no-print-directory web-site conformance build/tax_native build/tests/plan_test build/tests/tokens_release
	$(Q)web/tests/run.sh

build/wasm/flags: FORCE
	@mkdir -p $(@D); echo '$(WASM_CC) $(WASM_FLAGS) $(WARNINGS)' > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

build/wasm/third_party/%.o: third_party/%.c build/wasm/flags
	$(call say,WASM $@)
	@mkdir -p $(@D)
	$(Q)$(WASM_CC) $(WASM_FLAGS) -w -MMD -MP -c $< -o $@

build/wasm/%.o: %.c build/wasm/flags
	$(call say,WASM $@)
	@mkdir -p $(@D)
	$(Q)$(WASM_CC) $(WASM_FLAGS) $(WARNINGS) -MMD -MP -c $< -o $@

build/wasm/pcre2/%.o: $(MODEL_SOURCES)/pcre2/%.c build/wasm/flags
	$(call say,WASM $@)
	@mkdir -p $(@D)
	$(Q)$(WASM_CC) $(WASM_FLAGS) -w -DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DSUPPORT_UNICODE -DPCRE2_STATIC \
	    -I$(MODEL_SOURCES)/pcre2 -MMD -MP -c $< -o $@

build/wasm/utf8proc/%.o: $(MODEL_SOURCES)/utf8proc/%.c build/wasm/flags
	$(call say,WASM $@)
	@mkdir -p $(@D)
	$(Q)$(WASM_CC) $(WASM_FLAGS) -w -DUTF8PROC_STATIC -I$(MODEL_SOURCES)/utf8proc -MMD -MP -c $< -o $@

# $(1): the module; $(2): the variable with its objects. A list, so that it is linked again when an object goes or a flag changes.
define WASM_MODULE
build/wasm/$(1).list: FORCE
	@mkdir -p $$(@D); echo '$$(WASM_LINK) $$(WASM_OPT) $$($(2))' > $$@.new
	@if cmp -s $$@.new $$@; then rm $$@.new; else mv $$@.new $$@; fi

build/wasm/$(1).wasm: $$($(2)) build/wasm/$(1).list
	$$(call say,LD $$@)
	$$(Q)$$(WASM_CC) $$(WASM_LINK) $$(filter %.o,$$^) -o $$@.linked
	$$(Q)[ -x $$(firstword $$(WASM_OPT)) ] || { echo 'no wasm-opt: run tools/setup.sh web' >&2; exit 1; }
	$$(Q)$$(WASM_OPT) $$@.linked -o $$@ && rm $$@.linked
endef
$(eval $(call WASM_MODULE,model,WASM_MODEL_OBJECTS))
$(eval $(call WASM_MODULE,whorl,WASM_OBJECTS))

-include $(wildcard build/wasm/*/*.d build/wasm/*/*/*.d build/wasm/*/*/*/*.d)
