// The two functions that a rewritten program calls, and what it says in the end.
#define _GNU_SOURCE // on_exit
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offload/place.h"
#include "run/api/api.h"
#include "run/device/device.h"

enum mode { MODE_OFF, MODE_ON, MODE_CHECK, MODE_CHECK_EXIT };
enum { EXIT_DIFFERS = 9, KERNEL_S = 20, LOSSES = 3, FEW_VALUES = 4 };

static struct {
    pthread_mutex_t lock;
    bool started, is_verbose, is_forced, gave_up;
    enum mode mode;
    whorl_device *device;
    int losses;    // devices that were lost
    bool is_over;  // no other one is opened
    pid_t process; // that opened the device: a child has none
    struct offload_state *states;
    char why[256]; // if nothing runs on a GPU
} runtime = {.lock = PTHREAD_MUTEX_INITIALIZER};

extern int omp_in_parallel(void) __attribute__((weak));

// ---- the beginning --------------------------------------------------------------------------------------------------

// WHORL=off, or a list of words.
static void read_environment(void) {
    static const struct {
        const char *word;
        enum mode mode;
    } modes[] = {{"on", MODE_ON}, {"off", MODE_OFF}, {"check", MODE_CHECK}, {"check-exit", MODE_CHECK_EXIT}};
    const char *p = getenv("WHORL");
    for (runtime.mode = MODE_ON; p && *p; p += *p == ',') {
        size_t size = strcspn(p, ","), known = sizeof modes / sizeof *modes, i = 0;
        while (i < known && (strlen(modes[i].word) != size || strncmp(p, modes[i].word, size) != 0))
            i++;
        if (i < known)
            runtime.mode = modes[i].mode;
        else if (size == 7 && strncmp(p, "verbose", size) == 0)
            runtime.is_verbose = true;
        else if (size == 3 && strncmp(p, "gpu", size) == 0)
            runtime.is_forced = true;
        else if (size)
            fprintf(stderr, "whorl: WHORL=%.*s is not known: off, gpu, check, check-exit, verbose\n", (int)size, p);
        p += size;
    }
}

// The first GPU that is hardware, or what WHORL_DEVICE asks for.
static bool choose_device(char select[32]) {
    const char *asked = getenv("WHORL_DEVICE");
    if (asked && *asked) {
        snprintf(select, 32, "%s", asked);
        return strcmp(asked, "cpu") != 0;
    }
    struct whorl_device_info infos[16];
    size_t count = whorl_device_list(NULL, infos, 16, NULL);
    for (size_t i = 0; i < count && i < 16; i++) {
        if (infos[i].is_cpu || infos[i].is_software) continue;
        snprintf(select, 32, "%zu", i);
        return true;
    }
    return false;
}

static void open_device(void) {
    char select[32] = "";
    struct whorl_device_options o = WHORL_DEVICE_OPTIONS_INIT;
    struct whorl_error err;
    snprintf(runtime.why, sizeof runtime.why, "there is no GPU here");
    if (!choose_device(select)) return;
    o.select = select;
    const char *kernel_s = getenv("WHORL_KERNEL_TIME");
    o.kernel_s = kernel_s && atof(kernel_s) > 0 ? atof(kernel_s) : KERNEL_S;
    if (whorl_device_open(&o, &runtime.device, &err) != WHORL_OK) {
        snprintf(runtime.why, sizeof runtime.why, "%.*s", (int)strcspn(err.message, "\n"), err.message);
        return;
    }
    if (!whorl_device_get_info(runtime.device)->is_cpu) return;
    whorl_device_destroy(runtime.device);
    runtime.device = NULL;
}

// ---- a device that is lost ------------------------------------------------------------------------------------------

static bool is_lost(void) { return runtime.device && runtime.device->gpu && runtime.device->gpu->lost; }

// After a call that failed. The region that lost the device would lose the next one, too.
static void note_loss(struct offload_state *state) {
    if (!is_lost() || runtime.is_over || state->barred[0]) return;
    memcpy(state->barred, state->why, sizeof state->barred);
    runtime.losses++;
}

// Before a region whose own kernels may be fine.
static bool open_again(struct offload_state *state) {
    struct whorl_error err = {0};
    if (!is_lost() && !runtime.is_over) return true;
    if (!runtime.is_over && runtime.losses >= LOSSES) {
        snprintf(runtime.why, sizeof runtime.why, "the GPU was lost %d times", LOSSES);
        runtime.is_over = true;
    }
    if (!runtime.is_over && offload_places_are_lost()) return offload_refuse(state, "the GPU was lost with an array");
    for (struct offload_state *s = runtime.states; s && !runtime.is_over; s = s->next)
        for (uint32_t k = 0; k < s->variant_count; k++)
            offload_variant_leave(s->variants[k]);
    if (!runtime.is_over && run_device_renew(runtime.device, &err) != WHORL_OK) {
        snprintf(runtime.why, sizeof runtime.why, "the GPU was lost, and could not be opened again: %.180s",
                 err.message);
        runtime.is_over = true;
    }
    return !runtime.is_over || offload_refuse(state, "%s", runtime.why);
}

// ---- the end --------------------------------------------------------------------------------------------------------

static void report(void) {
    for (const struct offload_state *s = runtime.states; s; s = s->next) {
        const char *file = s->region->file;
        int line = s->region->line;
        unsigned long long same = s->same, differing = s->differing;
        if (runtime.mode != MODE_ON && differing)
            fprintf(stderr, "whorl: %s:%d: %llu of %llu calls differ\n", file, line, differing, same + differing);
        if (runtime.is_verbose) offload_say_region(s);
    }
    if (runtime.is_verbose && *offload_places_why())
        fprintf(stderr, "whorl: arrays were copied at every call: %s\n", offload_places_why());
}

void offload_note_status(enum whorl_status status, bool fell_back) {
    if (status == WHORL_TIMEOUT || fell_back) runtime.gave_up = true;
}

static void finish(void) {
    if (getpid() != runtime.process || pthread_mutex_trylock(&runtime.lock) != 0) return;
    offload_enter();
    if (!runtime.gave_up || !is_lost()) offload_places_own(NULL, SIZE_MAX);
    report();
    offload_places_end();
    for (struct offload_state *s = runtime.states; s; s = s->next)
        for (uint32_t k = 0; k < s->variant_count && !runtime.gave_up; k++)
            offload_variant_drop(s->variants[k]);
    if (!runtime.gave_up) whorl_device_destroy(runtime.device);
    runtime.device = NULL;
    runtime.mode = MODE_OFF;
    offload_leave();
    pthread_mutex_unlock(&runtime.lock);
}

// A driver's thread that was given up runs on, and a child of fork has none of the driver's threads: the process ends
// without the libraries' own endings. It is the first handler that is registered, so the last that runs.
static void leave(int status, void *unused) {
    (void)unused;
    if (!runtime.gave_up && (!runtime.device || getpid() == runtime.process)) return;
    fflush(NULL);
    _exit(status);
}
__attribute__((constructor)) static void begin(void) { on_exit(leave, NULL); }

static void start(const struct whorl_cc_region *region) {
    runtime.started = true;
    runtime.process = getpid();
    read_environment();
    run_paths_hint(region->whorl);
    if (runtime.mode != MODE_OFF) open_device();
    if (runtime.mode == MODE_OFF) snprintf(runtime.why, sizeof runtime.why, "WHORL=off");
    atexit(finish); // after the device: it ends before its libraries do
}

// ---- one call -------------------------------------------------------------------------------------------------------

static struct offload_state *state_of(struct whorl_cc_region *region) {
    if (region->state) return region->state;
    struct offload_state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->region = region;
    struct offload_state **end = &runtime.states; // in the order of their first calls
    while (*end)
        end = &(*end)->next;
    *end = s;
    region->state = s;
    return s;
}

static const char unknown_memory[] = "where '%s' points, no memory is known: allocate it by malloc, or at file scope";

// Elements that count from 1, `x = malloc(...) - 1` or `a - 1`, whose pointer leads to what stands before them. Where
// that is the last element of another array, both are tried, and the indices must be proven to stay inside.
static bool find_from_one(struct offload_state *state, const struct whorl_cc_arg *arg, struct offload_block *block,
                          struct offload_array *out) {
    struct offload_block next;
    bool is_certain;
    if (!arg->at || !offload_find_next_block(arg->at, (size_t)arg->unit_bytes, &next, &is_certain)) return false;
    out->is_promised = !is_certain;
    state->has_next = state->has_next || !is_certain;
    if (is_certain || state->takes_next) *block = next;
    return is_certain || state->takes_next;
}

// Where the array of one parameter is and how large.
static bool locate(struct offload_state *state, int i, const struct whorl_cc_arg *arg, struct offload_array *out) {
    const struct whorl_cc_param *p = &state->region->params[i];
    struct offload_block block = {.base = arg->at, .bytes = (size_t)arg->bytes};
    *out = (struct offload_array){0};
    if (!arg->at && offload_reaches(state->region, i)) {
        *out = (struct offload_array){.outer = 1, .into = OFFLOAD_NOWHERE};
        return true;
    }
    bool is_before = !arg->bytes && find_from_one(state, arg, &block, out);
    bool known = arg->bytes || is_before || offload_find_block(arg->at, &block);
    bool is_section = !known && p->flags & WHORL_CC_SECTION && arg->at;
    if (is_section) block.bytes = (size_t)arg->integer * (size_t)arg->unit_bytes;
    known = known || is_section;
    if (!known && (block.bytes = offload_guessed_bytes(state, i, arg)) > 0)
        known = out->is_promised = out->is_guessed = true;
    if (!known) return offload_refuse(state, arg->at ? unknown_memory : "'%s' is NULL", p->name);
    if (state->begins[i] && !arg->bytes && !is_before) {
        block.bytes -= (size_t)((char *)arg->at - block.base);
        block.base = arg->at;
    }
    size_t unit = (size_t)arg->unit_bytes, at = is_before ? 0 : (size_t)((char *)arg->at - block.base);
    if (!unit) return offload_refuse(state, "'%s' points to elements of no size", p->name);
    out->base = block.base + at % unit; // grids of several sizes in one allocation: this one's rows from the first on
    out->outer = (block.bytes - at % unit) / unit;
    out->bytes = out->outer * unit;
    out->at = is_before ? -1 : (long long)(at / unit);
    if (out->outer == 0) return offload_refuse(state, "'%s' has no elements", p->name);
    return out->is_promised || is_section || p->flags & WHORL_CC_CELL || offload_leave_room(state, i, unit, out);
}

// The one width of all tables that are exchanged; false: they have several.
static bool take_common_width(struct offload_state *state, int i, size_t width, struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    int common = 0;
    bool is_first = true;
    while (common < r->param_count &&
           !(r->params[common].kind == WHORL_CC_WIDTH && r->params[common].flags & WHORL_CC_EXCHANGED))
        common++;
    for (int k = 0; k < i; k++)
        is_first = is_first && !(r->params[k].kind == WHORL_CC_ARRAY && r->params[k].flags & WHORL_CC_EXCHANGED);
    if (common == r->param_count) return true;
    if (!is_first && arrays[common].at != (long long)width)
        return offload_refuse(state, "the rows of '%s' are not as long as those of a table that it is exchanged with",
                              r->params[i].name);
    arrays[common].at = (long long)width;
    return true;
}

// And the WIDTHs that belong to it: "ccv_a_1" of "ccv_a", and "ccv_a_2" where there are two.
static bool locate_rows(struct offload_state *state, int i, const struct whorl_cc_arg *args,
                        struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    size_t width, planes = 0, size = strlen(r->params[i].name);
    if (!offload_locate_rows(state, i, &args[i], &arrays[i], &width, &planes)) return false;
    bool are_rows = arrays[i].has_all_rows && !(arrays[i].rows && arrays[i].rows->is_twice); // another one each
    if (r->params[i].flags & WHORL_CC_COMPARED && !are_rows)
        return offload_refuse(state, "pointers of '%s' are compared, and some lead to no row, or two to one",
                              r->params[i].name);
    if (r->params[i].flags & WHORL_CC_EXCHANGED) return take_common_width(state, i, width, arrays);
    for (int k = 0; k < r->param_count; k++) {
        const char *name = r->params[k].name, *own = r->params[i].name;
        if (r->params[k].kind != WHORL_CC_WIDTH) continue;
        if (strncmp(name, "ccv_", 4) == 0 && strncmp(own, "ccv_", 4) != 0) name += 4; // an array by its name
        if (strncmp(name, own, size) != 0) continue;
        if (strcmp(name + size, planes ? "_2" : "_1") == 0) arrays[k].at = (long long)width;
        if (planes && strcmp(name + size, "_1") == 0) arrays[k].at = (long long)planes;
    }
    return true;
}

// Where the rows of array i begin: nobody asks for it in the form in which they are rows of an array.
static int starts_of(const struct whorl_cc_region *r, int i) {
    for (int k = i + 1; k < r->param_count && k <= i + 2; k++)
        if (r->params[k].flags & WHORL_CC_STARTS) return k;
    return -1;
}

static bool locate_table(struct offload_state *state, int i, const struct whorl_cc_arg *args,
                         struct offload_array *arrays) {
    static int32_t none;
    const struct whorl_cc_param *p = &state->region->params[i];
    int starts = starts_of(state->region, i);
    if (starts >= 0 && state->is_flat) return offload_locate_flat(state, i, &args[i], &arrays[i], &arrays[starts]);
    if (starts >= 0) arrays[starts] = (struct offload_array){.base = (char *)&none, .outer = 1, .bytes = sizeof none};
    if (p->flags & WHORL_CC_POINTED) return offload_locate_pointed(state, i, &args[i], &arrays[i]);
    return p->flags & WHORL_CC_ROWS ? locate_rows(state, i, args, arrays)
                                    : offload_locate_fields(state, i, &args[i], &arrays[i]);
}

static bool locate_all(struct offload_state *state, const struct whorl_cc_arg *args, struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    for (int i = 0; i < r->param_count; i++) {
        const struct whorl_cc_param *p = &r->params[i];
        if (p->kind != WHORL_CC_ARRAY && p->kind != WHORL_CC_WHICH) continue;
        if (p->flags & WHORL_CC_STARTS) continue;
        bool is_table = p->flags & (WHORL_CC_ROWS | WHORL_CC_FIELDS);
        if (!(is_table ? locate_table(state, i, args, arrays) : locate(state, i, &args[i], &arrays[i]))) return false;
    }
    return true;
}

static bool is_row_there(const struct offload_variant *v, const struct offload_array *arrays, int i) {
    const struct offload_reach *r = &v->reach[i];
    bool is_known = r->known && r->first >= 0 && r->last < (long long)arrays[i].outer;
    return v->is_proven || is_known || arrays[i].has_all_rows;
}
static bool stays_inside(const struct offload_variant *v, const struct offload_array *arrays, int i) {
    return v->is_proven || (is_row_there(v, arrays, i) && !v->reach[i].leaves);
}

// C takes float x[1] for any float *x: such a size counts only where no index goes beyond it.
static bool are_promises_kept(struct offload_state *state, const struct offload_variant *v,
                              const struct offload_array *arrays) {
    for (int i = 0; i < state->region->param_count; i++)
        if ((arrays[i].is_promised && !stays_inside(v, arrays, i)) ||
            (arrays[i].has_more && !is_row_there(v, arrays, i)))
            return offload_refuse(state,
                                  state->region->params[i].flags & WHORL_CC_ROWS
                                      ? "whether indices stay inside of the rows of '%s' is not known"
                                      : unknown_memory,
                                  state->region->params[i].name);
    return true;
}

struct range {
    const char *from, *to;
};

// The elements that the region uses of an array. False: it is not known.
static bool find_used(const struct offload_variant *v, const struct offload_array *arrays, int i, struct range *out) {
    const struct offload_array *a = &arrays[i];
    const struct offload_reach *r = &v->reach[i];
    if (a->rows || !r->known || r->last >= (long long)a->outer) return false;
    size_t unit = a->bytes / a->outer;
    *out = (struct range){a->base + (size_t)r->first * unit, a->base + (size_t)(r->last + 1) * unit};
    return true;
}

// Do the elements that the region uses of two arrays in one memory have a byte in common, as far as it is known?
static bool do_meet(const struct offload_variant *v, const struct offload_array *arrays, int i, int k) {
    struct range a, b;
    if (!find_used(v, arrays, i, &a) || !find_used(v, arrays, k, &b)) return true;
    return a.from < b.to && b.from < a.to;
}

// Two arrays of which one is written may have no byte in common, nor two whose pointers are compared: the program on
// the device has a copy of each.
static bool are_apart(struct offload_state *state, const struct offload_variant *v,
                      const struct offload_array *arrays) {
    const struct whorl_cc_region *r = state->region;
    for (int i = 0; i < r->param_count; i++) {
        if (arrays[i].rows && v->written[i] && arrays[i].rows->is_twice)
            return offload_refuse(state, "two rows of '%s' are one", r->params[i].name);
        for (int k = 0; k < i; k++) {
            const struct offload_array *a = &arrays[k], *b = &arrays[i];
            bool is_asked = r->params[i].flags & r->params[k].flags & WHORL_CC_EQUATED;
            if (!a->bytes || !b->bytes || (!v->written[i] && !v->written[k] && !is_asked)) continue;
            if (offload_share_memory(a, b) && (is_asked || do_meet(v, arrays, k, i)))
                return offload_refuse(state, "'%s' and '%s' share memory", r->params[k].name, r->params[i].name);
        }
    }
    return true;
}

// Nor may a pointer lead to a variable whose copy the region uses, if either is written; nor may two such variables be
// one, which members of structs behind pointers can be.
// *out_begins: they are numbers in front of an array in one struct, `data[]`, which is left without them from now on.
static bool are_variables_apart(struct offload_state *state, const struct offload_variant *v,
                                const struct whorl_cc_arg *args, const struct offload_array *arrays, bool *out_begins) {
    const struct whorl_cc_region *r = state->region;
    for (int i = 0; i < r->param_count; i++)
        for (int k = 0; args[i].variable && k < r->param_count; k++) {
            const char *at = args[i].variable, *other = args[k].variable;
            if (other && k < i && (v->written[k] || v->written[i]) && at < other + args[k].bytes &&
                other < at + args[i].bytes)
                return offload_refuse(state, "'%s' and '%s' are one", r->params[k].name, r->params[i].name);
            bool matters = k != i && arrays[k].bytes && (v->written[k] || v->written[i]);
            if (!matters || !offload_overlaps(&arrays[k], at, (size_t)args[i].bytes)) continue;
            struct range used; // numbers in front of an array in one struct
            if (find_used(v, arrays, k, &used) && (at >= used.to || used.from >= at + args[i].bytes)) continue;
            bool is_head = r->params[k].flags & WHORL_CC_TAIL && at + args[i].bytes <= (const char *)args[k].at;
            if (is_head && !state->begins[k]) *out_begins = state->begins[k] = true;
            if (!is_head || !*out_begins)
                return offload_refuse(
                    state, "'%s' points to '%s'%s", r->params[k].name, r->params[i].name,
                    v->written[i] ? "" : ": unless it is to change that, copy that into a variable in front of it");
        }
    return true;
}

static int on_gpu(struct offload_state *state, struct offload_variant *v, const struct whorl_cc_arg *args,
                  struct offload_array *arrays) {
    double from = offload_now_s();
    if (!offload_variant_run(state, v, args, arrays, runtime.mode == MODE_ON)) {
        offload_note_left(state);
        return 0;
    }
    state->runs++;
    v->done++;
    if (runtime.mode != MODE_ON) {
        state->pending = v;
        return 2;
    }
    offload_commit(state, v, arrays);
    offload_print(state);
    v->call_s = offload_now_s() - from;
    return 1;
}

static int on_faster(struct offload_state *state, struct offload_variant *v, const struct whorl_cc_arg *args,
                     struct offload_array *arrays) {
    offload_note_gpu(v);
    v->calls++;
    if (v->is_slow && !runtime.is_forced && runtime.mode == MODE_ON) {
        offload_refuse(state, "each of the CPU's threads goes through a long loop, which no other one can help with");
        offload_note_left(state);
        return 0;
    }
    if (!runtime.is_forced && runtime.mode == MODE_ON && offload_will_assert(state)) {
        offload_refuse(state, "an assert, or a line to stderr, ended its last runs");
        offload_note_left(state);
        return 0;
    }
    enum offload_side side = offload_choose(v);
    if (side == OFFLOAD_GPU || runtime.is_forced || runtime.mode != MODE_ON) return on_gpu(state, v, args, arrays);
    if (side == OFFLOAD_CPU)
        offload_refuse(state, "faster there: %.3g ms, the GPU takes %.3g ms", v->cpu_s * 1e3, v->gpu_s * 1e3);
    else
        offload_refuse(state, "to be timed there");
    offload_note_left(state);
    if (side == OFFLOAD_CPU) return 0;
    state->timed = v;
    state->timed_from_s = offload_now_s();
    return 2;
}

// Where its arrays are, and its program for them; NULL, and why. If that does not know where indices lead because a
// number is open, one that has it may know.
static struct offload_variant *find_form(struct offload_state *state, const struct whorl_cc_arg *args,
                                         struct offload_array *arrays) {
    for (;;) {
        if (!locate_all(state, args, arrays)) return NULL;
        struct offload_variant *v = offload_variant_for(state, runtime.device, args, arrays);
        if (offload_fit_guesses(state, v, arrays))
            v = locate_all(state, args, arrays) ? offload_variant_for(state, runtime.device, args, arrays) : NULL;
        if (v && offload_merge(state->region, v, args, arrays))
            v = offload_variant_for(state, runtime.device, args, arrays);
        if (!v && strstr(state->why, " is outside of '")) state->leaves_rows = true; // of a row, perhaps
        if (!v && state->most_made && state->made >= state->most_made) state->leaves_rows = true;
        if (!v || are_promises_kept(state, v, arrays)) return v;
        memcpy(state->unproven, state->why, sizeof state->unproven);
        if (!v->uniform || v->is_passed_over) {
            state->leaves_rows = true;
            return NULL;
        }
        v->is_passed_over = state->no_uniform = true;
        state->most_made = state->made + FEW_VALUES;
    }
}

// Of the two forms that tables of rows have, the one that knows more of them comes first. What took the other one once
// goes on with it.
static struct offload_variant *find_variant(struct offload_state *state, const struct whorl_cc_arg *args,
                                            struct offload_array *arrays) {
    bool was_flat = state->is_flat;
    state->leaves_rows = state->has_next = false;
    struct offload_variant *v = find_form(state, args, arrays);
    if (!v && state->has_next) {
        state->takes_next = !state->takes_next;
        v = find_form(state, args, arrays);
    }
    if (v || !state->region->flat || (!was_flat && !state->leaves_rows)) return v;
    char why[sizeof state->why];
    uint32_t most_made = state->most_made;
    bool no_uniform = state->no_uniform;
    memcpy(why, state->why, sizeof why);
    state->is_flat = !was_flat;
    state->most_made = state->no_uniform = 0; // what one form has to know, the other one need not
    memset(arrays, 0, OFFLOAD_PARAMS * sizeof *arrays);
    v = find_form(state, args, arrays);
    if (v) return v;
    state->is_flat = was_flat;
    state->most_made = most_made;
    state->no_uniform = no_uniform;
    if (!was_flat) memcpy(state->why, why, sizeof why);
    return NULL;
}

static struct offload_variant *find_apart(struct offload_state *state, const struct whorl_cc_arg *args,
                                          struct offload_array *arrays) {
    for (bool begins = false;; begins = false) {
        struct offload_variant *v = find_variant(state, args, arrays);
        if (!v || !are_apart(state, v, arrays) || !are_variables_apart(state, v, args, arrays, &begins)) return NULL;
        if (!begins) return v;
        memset(arrays, 0, OFFLOAD_PARAMS * sizeof *arrays);
    }
}

static int run_with(struct offload_state *state, const struct whorl_cc_arg *args) {
    const struct whorl_cc_region *region = state->region;
    struct offload_array arrays[OFFLOAD_PARAMS] = {{0}};
    struct offload_variant *v = NULL;
    bool ok = runtime.device || offload_refuse(state, "%s", runtime.why);
    if (ok && region->barred) ok = offload_refuse(state, "%s", region->barred);
    if (ok && state->barred[0]) ok = offload_refuse(state, "%s", state->barred);
    ok = ok && open_again(state);
    if (ok && region->param_count > OFFLOAD_PARAMS)
        ok = offload_refuse(state, "it uses more than %d variables", OFFLOAD_PARAMS);
    if (ok && (state->pending || state->timed)) ok = offload_refuse(state, "it calls itself");
    ok = ok && (v = find_apart(state, args, arrays));
    if (ok) return on_faster(state, v, args, arrays);
    offload_note_left(state);
    return 0;
}

// Of as many parameters as a region may have.
static void unpack(const struct whorl_cc_region *r, const unsigned long long *sizes, const union whorl_cc_word *words,
                   struct whorl_cc_arg *out) {
    const union whorl_cc_word *more = words + r->param_count;
    for (int i = 0; i < r->param_count; i++) {
        const struct whorl_cc_param *p = &r->params[i];
        bool is_array = p->kind == WHORL_CC_ARRAY || p->kind == WHORL_CC_WHICH;
        out[i] = (struct whorl_cc_arg){.bytes = sizes[3 * i], .unit_bytes = sizes[3 * i + 1]};
        if (is_array) {
            out[i].at = words[i].at;
            out[i].integer = (long long)sizes[3 * i + 2];
        } else if (p->kind == WHORL_CC_INTEGER || p->kind == WHORL_CC_REAL) { // words of others have no value
            out[i].integer = words[i].integer;
            out[i].real = words[i].real;
        }
        if (p->flags & WHORL_CC_VARIES) {
            out[i].bytes = (unsigned long long)more++->integer;
            out[i].unit_bytes = (unsigned long long)more++->integer;
        }
        if (p->flags & WHORL_CC_VARIABLE) out[i].variable = more++->at;
    }
}

static int run_locked(struct whorl_cc_region *region, const unsigned long long *sizes,
                      const union whorl_cc_word *words) {
    struct whorl_cc_arg args[OFFLOAD_PARAMS] = {{0}};
    if (!runtime.started) start(region);
    struct offload_state *state = state_of(region);
    if (!state || runtime.mode == MODE_OFF || getpid() != runtime.process) return 0;
    if (region->param_count <= OFFLOAD_PARAMS) unpack(region, sizes, words, args);
    int way = run_with(state, args);
    if (way == 0) note_loss(state);
    return way;
}

int whorl_cc_readable(const void *at, unsigned long long bytes) { return offload_is_readable(at, (size_t)bytes); }

int whorl_cc_wants(void) {
    if (runtime.started && (runtime.mode == MODE_OFF || !runtime.device || runtime.is_over)) return 0;
    return !omp_in_parallel || !omp_in_parallel();
}

void whorl_cc_end(struct whorl_cc_region *region, int gone) {
    if (!gone) return;
    fprintf(stderr,
            "whorl: %s:%d: it reads what an earlier iteration left in a variable of each thread, and the GPU has run "
            "that: set all that is read, or run the program with WHORL=off\n",
            region->file, region->line);
    fflush(NULL);
    _exit(3);
}

int whorl_cc_enter(struct whorl_cc_region *region, const unsigned long long *sizes, const union whorl_cc_word *words) {
    if (runtime.started && runtime.mode == MODE_OFF) return 0;
    if (omp_in_parallel && omp_in_parallel()) return 0;
    if (pthread_mutex_trylock(&runtime.lock) != 0) return 0;
    int error = errno;
    offload_enter();
    int way = run_locked(region, sizes, words);
    offload_leave();
    pthread_mutex_unlock(&runtime.lock);
    errno = error;
    return way;
}

// Compares; returns how many elements differ.
static uint64_t compare(struct offload_state *state, const unsigned long long *sizes,
                        const union whorl_cc_word *words) {
    struct whorl_cc_arg args[OFFLOAD_PARAMS];
    struct offload_array arrays[OFFLOAD_PARAMS] = {{0}};
    char text[400];
    unpack(state->region, sizes, words, args);
    if (!locate_all(state, args, arrays)) return 0; // what was merged was not written by its own name
    uint64_t differing = offload_compare(state, state->pending, arrays, text, sizeof text);
    *(differing ? &state->differing : &state->same) += 1;
    if (differing && state->differing == 1)
        fprintf(stderr, "whorl: %s:%d: differs in %llu element%s: %s\n", state->region->file, state->region->line,
                (unsigned long long)differing, differing == 1 ? "" : "s", text);
    return differing;
}

void whorl_cc_leave(struct whorl_cc_region *region, const unsigned long long *sizes, const union whorl_cc_word *words) {
    int error = errno;
    pthread_mutex_lock(&runtime.lock);
    struct offload_state *state = region->state;
    uint64_t differing = 0;
    if (state && state->timed) offload_note_cpu(state->timed, offload_now_s() - state->timed_from_s);
    if (state && state->pending) differing = compare(state, sizes, words);
    if (state) state->pending = state->timed = NULL;
    pthread_mutex_unlock(&runtime.lock);
    errno = error;
    if (differing && runtime.mode == MODE_CHECK_EXIT) exit(EXIT_DIFFERS);
}
