// The option table and the parser that it drives.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

#define AT(field) offsetof(struct cli_options, field)
enum {
    RUN = 1 << CLI_RUN,
    PROFILE = 1 << CLI_PROFILE,
    SHOW = 1 << CLI_SHOW,
    EXPLAIN = 1 << CLI_EXPLAIN,
    DEVICES = 1 << CLI_DEVICES,
    PROBE = 1 << CLI_PROBE,
    PICK = 1 << CLI_PICK,
    PLOT = 1 << CLI_PLOT,
    BENCH = 1 << CLI_BENCH,
    GENERATE = 1 << CLI_GENERATE,
    SERVE = 1 << CLI_SERVE,
    PERPLEXITY = 1 << CLI_PERPLEXITY,
    CHECK_MODEL = 1 << CLI_CHECK_MODEL,
    BENCH_DECODE = 1 << CLI_BENCH_DECODE,
    MODEL = GENERATE | SERVE | PERPLEXITY | CHECK_MODEL | BENCH_DECODE, // commands that run a language model
    PROGRAM = RUN | PROFILE | SHOW | EXPLAIN,                           // commands that compile a program
    EVERY = PROGRAM | DEVICES | PROBE | PICK | PLOT | MODEL
};

// clang-format off
const struct cli_option cli_option_table[] = {
    {"-i", NULL, CLI_KIND_LIST, AT(inputs), "NAME=VALUE", NULL, PROGRAM, true, false,
     "value of a parameter: a number, @file.npy, or a generator (see Inputs)"},
    {"-o", NULL, CLI_KIND_LIST, AT(outputs), "NAME=FILE", "FILE", RUN | PICK, false, false,
     "write an array to a NumPy file when the run is done"},
    {"-D", NULL, CLI_KIND_LIST, AT(defines), "NAME[=VALUE]", NULL, PROGRAM, true, false, "define a macro, as in cc"},
    {"-I", NULL, CLI_KIND_LIST, AT(include_dirs), "FOLDER", "FILE", PROGRAM, false, false, "look for #include files there, as in cc"},
    {"--test", NULL, CLI_KIND_FLAG, AT(test), NULL, NULL, PROGRAM, false, false,
     "take the small inputs of the file's // test: line, not those of // run:"},
    {"--strategy", NULL, CLI_KIND_STRATEGY, AT(strategy), "WHICH", "auto single steps eager cpu", RUN | SHOW | EXPLAIN | MODEL, false, false,
     "auto; single: the whole program in one dispatch; steps: one for each fused loop; eager: one for each loop as written; cpu: the C compiler"},
    {"--device", NULL, CLI_KIND_TEXT, AT(device), "WHICH", "auto cpu gpu", PROGRAM | DEVICES | PROBE | MODEL, false, false, "auto, cpu, gpu, or a number of `whorl devices`"},
    {"--check", NULL, CLI_KIND_FLAG, AT(check), NULL, NULL, RUN, false, false,
     "run on the CPU too, and compare the results by the file's // check: lines"},
    {"--compare", NULL, CLI_KIND_FLAG, AT(compare), NULL, NULL, RUN, false, false,
     "run every strategy, check it against the CPU, then time it"},
    {"--tune", NULL, CLI_KIND_FLAG, AT(tune), NULL, NULL, RUN, false, false,
     "measure first which strategy is fastest, and keep the answer for this program, its sizes and the device"},
    {"--find-nan", NULL, CLI_KIND_FLAG, AT(find_nan), NULL, NULL, RUN, false, false,
     "look for NaN and infinity after every loop, and name the first (strategy eager, on the GPU)"},
    {"--race", NULL, CLI_KIND_FLAG, AT(race), NULL, NULL, RUN, false, false,
     "run in an interpreter and look for data races between iterations (slow: take small sizes)"},
    {"--json", NULL, CLI_KIND_TEXT, AT(json), "FILE", "FILE", RUN | PROFILE | DEVICES | PROBE | GENERATE | PERPLEXITY | CHECK_MODEL | BENCH_DECODE, false, false, "write device, statistics and results as JSON (-: to standard output)"},
    {"--math", NULL, CLI_KIND_FLAG, AT(math), NULL, NULL, DEVICES, false, false,
     "measure the errors of math.h's functions on the GPU, or on --device, against libm"},
    {"--fresh", NULL, CLI_KIND_FLAG, AT(fresh), NULL, NULL, PROBE, false, false, "measure again, and forget what was kept"},
    {"--slice-ms", NULL, CLI_KIND_NUMBER, AT(slice_ms), "MS", NULL, RUN, false, false,
     "milliseconds that a dispatch may take before it is cut in slices (1000); below 0: never cut"},
    {"--checkpoint", NULL, CLI_KIND_TEXT, AT(checkpoint), "FILE", "FILE", RUN, false, false,
     "save the state of the run there: every few minutes, at Ctrl-C and when --max-time is over"},
    {"--checkpoint-every", NULL, CLI_KIND_NUMBER, AT(checkpoint_every), "MINUTES", NULL, RUN, false, false,
     "minutes between two checkpoints (5); below 0: only when the run is stopped"},
    {"--resume", NULL, CLI_KIND_TEXT, AT(resume), "FILE", "FILE", RUN, false, false,
     "go on from a checkpoint; later ones replace it, unless --checkpoint names another file"},
    {"--max-time", NULL, CLI_KIND_NUMBER, AT(max_time), "SECONDS", NULL, PROGRAM | DEVICES | PROBE | MODEL, false, false,
     "stop after this time (exit status 124)"},
    {"--kernel-time", NULL, CLI_KIND_NUMBER, AT(kernel_time), "SECONDS", NULL, RUN | PROFILE | DEVICES | PROBE | MODEL, false, false,
     "seconds that the driver may take to make one kernel (60), before steps or the CPU is used instead; below 0: no limit"},
    {"--portable", NULL, CLI_KIND_FLAG, AT(portable), NULL, NULL, PROGRAM, false, false,
     "compile for any device, not for the one at hand"},
    {"--probe", NULL, CLI_KIND_TEXT, AT(probe), "FILE", "FILE", SHOW | EXPLAIN, false, false,
     "compile for the device that `whorl probe --json FILE` described, wherever that was"},
    {"--uniform", NULL, CLI_KIND_LIST, AT(uniforms), "NAME", NULL, PROGRAM, true, false,
     "do not compile this integer scalar's value in: it stays changeable"},
    {"-fdouble=float", NULL, CLI_KIND_FLAG, AT(double_as_float), NULL, NULL, PROGRAM, true, false, "compute doubles as floats"},
    {"-fdouble=pair", NULL, CLI_KIND_FLAG, AT(double_as_pair), NULL, NULL, PROGRAM, true, false,
     "compute doubles as pairs of floats, of 48 bits"},
    {"-fint64=int32", NULL, CLI_KIND_FLAG, AT(int64_as_int32), NULL, NULL, PROGRAM, true, false, "compute 64-bit integers in 32 bits"},
    {"-fno-associative-math", NULL, CLI_KIND_FLAG, AT(keep_order), NULL, NULL, PROGRAM, true, false,
     "add up floats in the order of C, also where lanes could share the loop"},
    {"--fast-math", NULL, CLI_KIND_FLAG, AT(fast_math), NULL, NULL, PROGRAM, false, false,
     "use the device's own sin, cos, tan, exp, log, tanh: faster and less exact (docs/math.md)"},
    {"--after", NULL, CLI_KIND_TEXT, AT(show_after), "PASS", NULL, SHOW, false, false, "the compiler's intermediate form after this pass"},
    {"--ir", NULL, CLI_KIND_FLAG, AT(show_ir), NULL, NULL, SHOW, false, false, "the same after the last pass (the default)"},
    {"--wgsl", NULL, CLI_KIND_FLAG, AT(show_wgsl), NULL, NULL, SHOW, false, false, "the kernels, in WGSL"},
    {"--plan", NULL, CLI_KIND_FLAG, AT(show_plan), NULL, NULL, SHOW, false, false, "the plan, as JSON"},
    {"--c", NULL, CLI_KIND_FLAG, AT(show_c), NULL, NULL, SHOW, false, false, "the C text that the CPU runs"},
    {"--rows", NULL, CLI_KIND_TEXT, AT(rows), "LIST", "best,median,worst", PICK | PLOT, false, false,
     "rows by number, or best, median, worst (by the last value of a row)"},
    {"--labels", NULL, CLI_KIND_TEXT, AT(labels), "LIST", NULL, PLOT, false, false, "names of the curves"},
    {"--title", NULL, CLI_KIND_TEXT, AT(title), "TEXT", NULL, PLOT, false, false, "a line above the picture"},
    {"--report", NULL, CLI_KIND_FLAG, AT(report), NULL, NULL, BENCH, false, false,
     "make the tables and docs/performance.html from bench/results instead of measuring"},
    {"--check", NULL, CLI_KIND_FLAG, AT(check), NULL, NULL, BENCH, false, false,
     "with --report: change nothing, fail where the documents are not what the results give"},
    {"--results", NULL, CLI_KIND_TEXT, AT(results), "FOLDER", "FILE", BENCH, false, false, "with --report: from the files there"},
    {"--only", NULL, CLI_KIND_TEXT, AT(only), "LIST", "sims grids evolve sweeps hand profiles", BENCH, false, false,
     "workloads (heat_256), families (heat), folders of programs (grids), sweeps, hand, profiles"},
    {"--without", NULL, CLI_KIND_TEXT, AT(without), "LIST", "correctness ladder profiles sweeps hand", BENCH, false, false,
     "leave out: correctness, ladder, profiles, sweeps, hand"},
    {"--quick", NULL, CLI_KIND_FLAG, AT(quick), NULL, NULL, BENCH, false, false, "curves of three points"},
    {"--sizes", NULL, CLI_KIND_TEXT, AT(sizes), "WHICH", "auto tiny full", BENCH, false, false, "auto (tiny on a software GPU), tiny, full"},
    {"--json", NULL, CLI_KIND_TEXT, AT(json), "FILE", "FILE", BENCH, false, false, "write the raw samples there instead of into bench/results"},
    {"--height", NULL, CLI_KIND_COUNT, AT(height), "LINES", NULL, PLOT, false, false, "height of the picture (16)"},
    {"-n", "--tokens", CLI_KIND_COUNT, AT(new_tokens), "N", NULL, GENERATE, false, false, "tokens to make, at most (128)"},
    {"-n", "--tokens", CLI_KIND_COUNT, AT(new_tokens), "N", NULL, SERVE, false, false, "tokens of an answer, at most (what there is room for)"},
    {"-f", "--file", CLI_KIND_TEXT, AT(prompt_file), "FILE", "FILE", GENERATE, false, false, "the prompt, from a file (-: standard input)"},
    {"--chat", NULL, CLI_KIND_FLAG, AT(chat), NULL, NULL, GENERATE, false, false,
     "answer the prompt as a message, by the model's chat template; without a prompt every line of standard input is a turn"},
    {"--system", NULL, CLI_KIND_TEXT, AT(system), "TEXT", NULL, GENERATE, false, false, "with --chat: what the model is told before the conversation"},
    {"--temp", NULL, CLI_KIND_NUMBER, AT(temperature), "T", NULL, GENERATE, false, false,
     "draw each token, the likelier the more often: 0.7 keeps to the likely ones, 1 takes them as the model says (without: the most likely one)"},
    {"--top-p", NULL, CLI_KIND_NUMBER, AT(top_p), "P", NULL, GENERATE, false, false, "with --temp: among the likeliest, which together have this share"},
    {"--top-k", NULL, CLI_KIND_COUNT, AT(top_k), "K", NULL, GENERATE, false, false, "with --temp: among the K likeliest"},
    {"--min-p", NULL, CLI_KIND_NUMBER, AT(min_p), "P", NULL, GENERATE, false, false,
     "with --temp: among those at least P times as likely as the likeliest"},
    {"--repeat-penalty", NULL, CLI_KIND_NUMBER, AT(penalty), "X", NULL, GENERATE, false, false, "make tokens that stand in the text less likely (1.1)"},
    {"--seed", NULL, CLI_KIND_COUNT, AT(seed), "N", NULL, GENERATE, false, false, "of what is drawn (1); the same seed draws the same text on a device"},
    {"--context", NULL, CLI_KIND_COUNT, AT(context), "N", NULL, GENERATE, false, false,
     "tokens of prompt and answer that there is room for (what they need)"},
    {"--context", NULL, CLI_KIND_COUNT, AT(context), "N", NULL, SERVE, false, false, "tokens of prompt and answer that there is room for (2048)"},
    {"--site", NULL, CLI_KIND_FLAG, AT(site), NULL, NULL, SERVE, false, false,
     "instead of a model, the static site: of the folder given, else what `make web` built or was installed"},
    {"--port", NULL, CLI_KIND_COUNT, AT(port), "N", NULL, SERVE, false, false, "to listen at (8080)"},
    {"--host", NULL, CLI_KIND_TEXT, AT(host), "ADDRESS", NULL, SERVE, false, false,
     "to listen at (127.0.0.1: only this machine can reach it); another one needs a key"},
    {"--api-key", NULL, CLI_KIND_TEXT, AT(api_key), "KEY", NULL, SERVE, false, false,
     "that requests must bear; the environment's WHORL_API_KEY is not seen by other users of this machine"},
    {"--texts", NULL, CLI_KIND_COUNT, AT(texts), "N", NULL, SERVE, false, false, "made side by side, at most (8)"},
    {"--texts", NULL, CLI_KIND_COUNT, AT(texts), "N", NULL, BENCH_DECODE, false, false, "side by side (1)"},
    {"--name", NULL, CLI_KIND_TEXT, AT(name), "TEXT", NULL, SERVE, false, false, "of the model, in answers (the last part of its path)"},
    {"--compare", NULL, CLI_KIND_FLAG, AT(compare), NULL, NULL, BENCH_DECODE, false, false,
     "eager, steps, single with one token a call, single with all of them"},
    {"--context", NULL, CLI_KIND_TEXT, AT(lengths), "LIST", NULL, BENCH_DECODE, false, false, "lengths of texts at whose ends is measured (64)"},
    {"--context", NULL, CLI_KIND_COUNT, AT(context), "N", NULL, PERPLEXITY, false, false, "tokens of a window (512, or what the model has room for)"},
    {"--steer", NULL, CLI_KIND_LIST, AT(steer), "WORDS", NULL, GENERATE, false, false,
     "layer=12,vector=v.npy,scale=4: add a vector, or the mean of a file's rows, to what comes out of a layer"},
    {"--capture", NULL, CLI_KIND_LIST, AT(capture), "WORDS", NULL, GENERATE, false, false,
     "layer=12,out=acts.npy: write what came out of a layer, a row for each token"},
    {"--ablate", NULL, CLI_KIND_LIST, AT(ablate), "WORDS", NULL, GENERATE, false, false,
     "layer=3,head=5: leave out what a head of the attention says"},
    {"--quantize", NULL, CLI_KIND_TEXT, AT(quantize), "FORM", "q8 q4 none", MODEL, false, false,
     "matrices on the device: q8 (8 bits a weight and a scale for 32), q4 (4 bits), none (f16); without: as the file "
     "has them"},
    {"--stride", NULL, CLI_KIND_COUNT, AT(stride), "N", NULL, PERPLEXITY, false, false, "tokens from the beginning of a window to that of the next (half of a window)"},
    {"-q", "--quiet", CLI_KIND_FLAG, AT(quiet), NULL, NULL, EVERY, false, false, "nothing but errors"},
    {"-v", "--verbose", CLI_KIND_FLAG, AT(verbose), NULL, NULL, EVERY, false, false, "more about the device, the inputs and the times"},
    {"--help", "-h", CLI_KIND_FLAG, AT(help), NULL, NULL, EVERY | BENCH, false, false, "this help"},
    {"--register-budget", NULL, CLI_KIND_COUNT, AT(register_budget), "WORDS", NULL, PROGRAM, false, true,
     "32-bit words that an invocation may keep in registers (64)"},
    {"--workgroup-size", NULL, CLI_KIND_COUNT, AT(workgroup_size), "N", NULL, PROGRAM, false, true, "invocations of a workgroup"},
    {"--lanes", NULL, CLI_KIND_COUNT, AT(lanes), "N", NULL, PROGRAM, false, true, "lanes of an iteration that has simd loops"},
    {"--coherent", NULL, CLI_KIND_FLAG, AT(coherent), NULL, NULL, PROGRAM, false, true,
     "let workgroups share vectors of plain words (the default where the device keeps them coherent)"},
    {"--subgroup", NULL, CLI_KIND_COUNT, AT(subgroup), "N", NULL, PROGRAM, false, true,
     "neighbours that exchange values (the default is what was measured; 1: none)"},
    {"--workgroup-bytes", NULL, CLI_KIND_COUNT, AT(workgroup_bytes), "BYTES", NULL, PROGRAM, false, true,
     "memory that the invocations of a workgroup may share (16384)"},
    {"--slice-iterations", NULL, CLI_KIND_COUNT, AT(slice_iterations), "N", NULL, RUN, false, true, "exactly this many iterations a slice"},
    {"--slice-ticks", NULL, CLI_KIND_COUNT, AT(slice_ticks), "N", NULL, RUN, false, true, "exactly this many loop passes a slice"},
    {"--groups", NULL, CLI_KIND_COUNT, AT(groups), "N", NULL, RUN | PROFILE, false, true,
     "workgroups of a dispatch with barriers between them, if it has work for so many"},
    {"--pass-off", NULL, CLI_KIND_TEXT, AT(pass_off), "PASSES", NULL, PROGRAM, false, true, "leave out these passes of the compiler (comma-separated)"},
};
// clang-format on
const size_t cli_option_count = sizeof cli_option_table / sizeof *cli_option_table;

static const char inputs_help[] = "Inputs:\n"
                                  "  -i n=4096  -i rate=0.05  numbers, for scalars\n"
                                  "  -i x=@data.npy           an array from NumPy in C order:\n"
                                  "                          "
#define X(name, text, bytes, carrier, round, npy, lowest, highest) " " text
#include "base/dtype.def"
#undef X
                                  "\n"
                                  "  -i x=1,2.5,3             these elements\n"
                                  "  -i x=zeros               or const:0.5, or arange (0, 1, 2 ...)\n"
                                  "  -i x=uniform:lo=-1,hi=1,seed=1   lo <= x < hi\n"
                                  "  -i x=normal:mean=0,sd=1,seed=1\n"
                                  "  -i x=normal:64x163,seed=1        with its size, for a `float *x`\n"
                                  "Arrays that are not const start at zero without -i. The command line wins over\n"
                                  "the file's // run: line.\n";

const struct cli_command_text cli_command_table[CLI_COMMANDS] = {
    [CLI_RUN] = {"run", "FILE[:FUNCTION]", "compile a C program and run it", inputs_help},
    [CLI_PROFILE] = {"profile", "FILE[:FUNCTION]", "measure which loops take the time of the one dispatch",
                     inputs_help},
    [CLI_SHOW] = {"show", "FILE[:FUNCTION]", "print the generated code: kernels, plan, C", inputs_help},
    [CLI_EXPLAIN] = {"explain", "FILE[:FUNCTION]", "say what the compiler did, and why not more", inputs_help},
    [CLI_DEVICES] = {"devices", "", "list the devices and what was measured on them", NULL},
    [CLI_PROBE] = {"probe", "", "show all that was measured on one device", NULL},
    [CLI_PICK] = {"pick", "FILE.npy", "print the best, median and worst rows (-o rows=FILE.npy keeps their numbers)",
                  NULL},
    [CLI_PLOT] = {"plot", "FILE.npy", "draw the rows of an array as curves in the terminal", NULL},
    [CLI_BENCH] = {"bench", "", "run the benchmark in a source tree, or write its report",
                   "Measures every workload of bench/workloads.json in every strategy, beside JAX\n"
                   "and PyTorch where Python has them; on a software GPU in tiny sizes, which only\n"
                   "show that all of it works. docs/benchmarking.md has the protocol. PYTHON names\n"
                   "the interpreter.\n"},
    [CLI_GENERATE] = {"generate", "MODEL [PROMPT]", "continue a text with a language model",
                      "MODEL is a folder as Hugging Face has it (config.json, tokenizer.json,\n"
                      "*.safetensors) or a GGUF file, of the families llama, qwen2 and qwen3. The text\n"
                      "goes to standard output while it is made, times to standard error.\n"
                      "docs/models.md has more.\n"},
    [CLI_SERVE] = {"serve", "MODEL|--site [FOLDER]",
                   "answer OpenAI's HTTP API with a language model, or serve the site",
                   "At / is a page to chat with it; /v1/models, /v1/completions,\n"
                   "/v1/chat/completions, /health and /metrics are for programs. docs/serve.md has\n"
                   "more.\n"},
    [CLI_PERPLEXITY] = {"perplexity", "MODEL TEXT.txt", "measure how well a language model foretells a text",
                        "The text is cut into windows that overlap; each token is scored once, in the\n"
                        "first window that holds it. docs/models.md has more.\n"},
    [CLI_CHECK_MODEL] = {"check-model", "MODEL [TEXT]", "compare a language model's layers on the GPU with the CPU",
                         "Names every tensor of the file that holds NaN, infinity or a number too large,\n"
                         "runs the first tokens of TEXT on both, and says how far what comes out of each\n"
                         "layer is apart, and where the first number that is none appears.\n"},
    [CLI_BENCH_DECODE] = {"bench decode", "MODEL", "measure how many tokens a second a language model makes",
                          "At each length of --context the last tokens (32, or half of them) are timed; what\n"
                          "stands before them is computed once. docs/models.md has more.\n"},
    [CLI_CC] = {"cc", "ARGUMENTS", "compile programs as cc does; their parallel regions run on the GPU", NULL},
    [CLI_HELP] = {"help", "[COMMAND]", "this help, or a command's", NULL},
};

enum cli_command cli_command_find(int count, char **words, int *out_used) {
    int most = 0, found = CLI_COMMANDS;
    for (int c = 0; c < CLI_COMMANDS; c++) {
        const char *name = cli_command_table[c].name;
        size_t first = strcspn(name, " ");
        int used = name[first] ? 2 : 1;
        bool same = count >= used && strlen(words[0]) == first && strncmp(name, words[0], first) == 0 &&
                    (used == 1 || strcmp(name + first + 1, words[1]) == 0);
        if (!same || used <= most) continue;
        most = used;
        found = c;
    }
    *out_used = most;
    return (enum cli_command)found;
}

// ---- lists ----

void cli_list_add(struct cli_list *list, const char *item) {
    if (list->count == list->cap) {
        size_t cap = list->cap ? list->cap * 2 : 8;
        const char **items = realloc(list->items, cap * sizeof *items);
        if (!items) {
            cli_error("out of memory");
            exit(CLI_WRONG);
        }
        list->items = items;
        list->cap = cap;
    }
    list->items[list->count++] = item;
}

void cli_list_deinit(struct cli_list *list) {
    free(list->items);
    *list = (struct cli_list){0};
}

void cli_options_deinit(struct cli_options *options) {
    for (size_t i = 0; i < cli_option_count; i++)
        if (cli_option_table[i].kind == CLI_KIND_LIST)
            cli_list_deinit((struct cli_list *)(void *)((char *)options + cli_option_table[i].offset));
    cli_list_deinit(&options->files);
}

// ---- one option ----

static bool spelled(const struct cli_option *o, const char *name, const char *arg, const char **out_value) {
    size_t size = name ? strlen(name) : 0;
    if (!name || strncmp(arg, name, size) != 0) return false;
    bool is_long = name[1] == '-';
    if (arg[size] == 0) {
        *out_value = NULL;
        return true;
    }
    if (o->kind == CLI_KIND_FLAG || (is_long && arg[size] != '=')) return false;
    *out_value = arg + size + (is_long ? 1 : 0);
    return true;
}

const struct cli_option *cli_option_find(uint32_t commands, const char *arg, const char **out_value) {
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_option_table[i];
        if ((o->commands & commands) && (spelled(o, o->name, arg, out_value) || spelled(o, o->other, arg, out_value)))
            return o;
    }
    return NULL;
}

static const char *take_count(const char *value, uint64_t *out) {
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (end == value || *end || errno || n == 0 || value[0] == '-') return "needs a whole number of at least 1";
    *out = n;
    return NULL;
}

static const char *take_strategy(const char *value, enum whorl_strategy *out) {
    for (int s = WHORL_AUTO; s <= WHORL_CPU; s++)
        if (strcmp(value, whorl_strategy_name((enum whorl_strategy)s)) == 0) {
            *out = (enum whorl_strategy)s;
            return NULL;
        }
    return "is auto, single, steps, eager or cpu";
}

static bool is_device(const char *value) {
    return strcmp(value, "auto") == 0 || strcmp(value, "cpu") == 0 || strcmp(value, "gpu") == 0 ||
           (*value && value[strspn(value, "0123456789")] == 0);
}

const char *cli_option_apply(const struct cli_option *option, const char *value, struct cli_options *options) {
    void *field = (char *)options + option->offset;
    char *end;
    switch (option->kind) {
    case CLI_KIND_FLAG: *(bool *)field = true; return NULL;
    case CLI_KIND_TEXT:
        *(const char **)field = value;
        if (field == &options->device && !is_device(value)) return "is auto, cpu, gpu or a number of `whorl devices`";
        return *value ? NULL : "needs a value";
    case CLI_KIND_LIST: cli_list_add(field, value); return *value ? NULL : "needs a value";
    case CLI_KIND_COUNT: {
        const char *wrong = take_count(value, field);
        bool is_word = field == &options->register_budget || field == &options->lanes || field == &options->subgroup ||
                       field == &options->workgroup_size || field == &options->workgroup_bytes ||
                       field == &options->groups || field == &options->height;
        return wrong ? wrong : is_word && *(uint64_t *)field > UINT32_MAX ? "is too large" : NULL;
    }
    case CLI_KIND_NUMBER:
        *(double *)field = strtod(value, &end);
        if (end == value || *end || !isfinite(*(double *)field)) return "needs a number";
        return field == &options->max_time && !(options->max_time > 0) ? "needs a number of seconds above 0" : NULL;
    case CLI_KIND_STRATEGY: return take_strategy(value, field);
    }
    return "cannot be used";
}

// ---- the whole line ----

// What other tools call it. NULL: nothing that is known here.
static const char *other_words(const char *arg) {
    static const struct {
        const char *option, *say;
    } known[] = {{"--gpu", "`--device gpu`"},
                 {"--cpu", "`--device cpu`"},
                 {"--single", "`--strategy single`"},
                 {"--steps", "`--strategy steps`"},
                 {"--eager", "`--strategy eager`"},
                 {"--profile", "the command `whorl profile FILE`"},
                 {"--explain", "the command `whorl explain FILE`"},
                 {"--show", "the command `whorl show FILE`"},
                 {"--output", "`-o NAME=FILE`"},
                 {"--input", "`-i NAME=VALUE`"},
                 {"-n", "`-i n=VALUE`: each scalar and array is an input"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(arg, known[i].option) == 0) return known[i].say;
    bool compilers = strncmp(arg, "-O", 2) == 0 || strncmp(arg, "-l", 2) == 0 || strncmp(arg, "-W", 2) == 0 ||
                     strncmp(arg, "-march", 6) == 0 || strncmp(arg, "-std", 4) == 0 || strcmp(arg, "-fopenmp") == 0;
    return compilers ? "nothing: of a C compiler's options whorl takes -D and -I, and needs no other" : NULL;
}

static bool wrong_option(enum cli_command command, const char *arg) {
    const char *names[2 * sizeof cli_option_table / sizeof *cli_option_table + 1], *ignored;
    const struct cli_option *elsewhere = cli_option_find(EVERY | BENCH, arg, &ignored);
    size_t count = 0;
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(arg, "="), arg);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (!(cli_option_table[i].commands & (1u << command))) continue;
        names[count++] = cli_option_table[i].name;
        if (cli_option_table[i].other) names[count++] = cli_option_table[i].other;
    }
    names[count] = NULL;
    const char *close = strncmp(arg, "-f", 2) == 0 ? cli_closest(arg, names) : cli_closest(bare, names);
    if (elsewhere && (arg[1] == '-' || strlen(elsewhere->name) == strlen(bare))) // -fdouble=half is no -f
        cli_error("`%s` is not an option of `whorl %s`", bare, cli_command_table[command].name);
    else
        cli_error("unknown option `%s`", strncmp(arg, "-f", 2) == 0 ? arg : bare);
    const char *other = elsewhere ? NULL : other_words(bare);
    if (other)
        cli_hint("meant is %s", other);
    else if (close && !elsewhere)
        cli_hint("did you mean `%s`? `whorl help %s` lists all options", close, cli_command_table[command].name);
    else
        cli_hint("`whorl help %s` lists its options", cli_command_table[command].name);
    return false;
}

bool cli_options_parse(enum cli_command command, int count, char **args, struct cli_options *options) {
    *options = (struct cli_options){0};
    bool only_files = false;
    for (int i = 0; i < count; i++) {
        const char *arg = args[i], *value;
        if (only_files || arg[0] != '-' || !arg[1]) {
            cli_list_add(&options->files, arg);
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_files = true;
            continue;
        }
        const struct cli_option *o = cli_option_find(1u << command, arg, &value);
        if (!o) return wrong_option(command, arg);
        if (o->kind != CLI_KIND_FLAG && !value) {
            if (i + 1 == count) {
                cli_error("`%s` needs a value: %s %s", arg, o->name, o->value);
                return false;
            }
            value = args[++i];
        }
        const char *wrong = cli_option_apply(o, value, options);
        if (wrong) {
            cli_error("`%s` %s, not `%s`", o->name, wrong, value);
            return false;
        }
    }
    return true;
}
