// The places, and who has their newest bytes. A place goes round: OWN, until a region uses it; SHARED, until the
// program writes to it (OWN) or the device does (STALE); STALE, until the program touches it. A version number says
// which copies on the device are good.
#include "offload/place.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PLACES = 256, PAGE = OFFLOAD_PAGE };

static struct offload_place places[PLACES];
static _Atomic uintptr_t range_from[PLACES], range_to[PLACES]; // their pages, for those without the lock
static atomic_int place_count;                                 // slots that were ever used
static uint64_t serials;
static struct {
    bool tried, on;
    char why[128];
} now;

// ---- one thread at a time -------------------------------------------------------------------------------------------

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int depth;

void offload_enter(void) {
    if (depth++ == 0) pthread_mutex_lock(&lock);
}
void offload_leave(void) {
    if (--depth == 0) pthread_mutex_unlock(&lock);
}
bool offload_is_inside(void) { return depth > 0; }

// ---- whether there are places at all --------------------------------------------------------------------------------

static bool protect(struct offload_place *p, int protection) {
    return mprotect(p->from, (size_t)(p->to - p->from), protection) == 0;
}

static void begin(void) {
    now.tried = true;
    const char *import = offload_unknown_import();
    if (sysconf(_SC_PAGESIZE) != PAGE)
        snprintf(now.why, sizeof now.why, "pages are not of 4 KiB");
    else if (import)
        snprintf(now.why, sizeof now.why, "it is not known what '%s' does with memory", import);
    else if (!offload_faults_begin())
        snprintf(now.why, sizeof now.why, "no thread for them");
    else
        now.on = true;
}

void offload_places_end(void) {
    now.tried = true;
    now.on = false;
}
const char *offload_places_why(void) { return now.why; }

void offload_places_stop(const char *why) {
    offload_places_own(NULL, SIZE_MAX);
    if (!now.why[0]) snprintf(now.why, sizeof now.why, "%s", why);
    offload_places_end();
}

// ---- finding them ---------------------------------------------------------------------------------------------------

static bool overlaps(const struct offload_place *p, const char *base, size_t bytes) {
    uintptr_t from = (uintptr_t)p->base, at = (uintptr_t)base;
    return p->serial && (at < from ? from - at < bytes : at - from < p->bytes);
}

static struct offload_place *find(const char *base) {
    for (int i = 0; i < place_count; i++)
        if (places[i].serial && places[i].base == base) return &places[i];
    return NULL;
}

static void set_range(const struct offload_place *p, uintptr_t from, uintptr_t to) {
    size_t slot = (size_t)(p - places);
    atomic_store(&range_to[slot], 0);
    atomic_store(&range_from[slot], from);
    atomic_store(&range_to[slot], to);
}

bool offload_is_in_place(const char *at, size_t bytes) {
    uintptr_t p = (uintptr_t)at;
    for (int i = 0, count = atomic_load(&place_count); i < count; i++) {
        uintptr_t from = atomic_load(&range_from[i]), to = atomic_load(&range_to[i]);
        if (from < to && (p < from ? from - p < bytes : p < to)) return true;
    }
    return false;
}

// Its pages have to be of a kind that can be filled unseen. Other threads that touch them meanwhile wait.
static bool can_be_filled(struct offload_place *p) {
    struct offload_pages pages;
    size_t bytes = (size_t)(p->to - p->from);
    if (!protect(p, PROT_NONE)) return false;
    bool ok = offload_pages_take(&pages, p->from, bytes);
    if (ok && !offload_pages_put(&pages, p->from)) {
        fputs("whorl: pages that were moved could not be moved back; with WHORL=off the program runs on the CPU\n",
              stderr);
        abort();
    }
    if (protect(p, PROT_READ | PROT_WRITE)) return ok;
    fputs("whorl: pages stay protected; with WHORL=off the program runs on the CPU\n", stderr);
    abort();
}

static void remove_place(struct offload_place *p) {
    set_range(p, 0, 0);
    *p = (struct offload_place){0};
}

static struct offload_place *new_place(const struct offload_block *block) {
    int slot = 0, count = place_count;
    while (slot < count && places[slot].serial)
        slot++;
    if (slot == PLACES) return NULL;
    for (int i = 0; i < count; i++)
        if (overlaps(&places[i], block->base, block->bytes)) return NULL;
    struct offload_place *p = &places[slot];
    *p = (struct offload_place){.serial = 0, .base = block->base, .bytes = block->bytes, .version = 1};
    p->from = (char *)(((uintptr_t)block->base + PAGE - 1) / PAGE * PAGE);
    p->to = (char *)(((uintptr_t)block->base + block->bytes + (block->has_pages ? PAGE - 1 : 0)) / PAGE * PAGE);
    if (p->to < p->from + OFFLOAD_LARGE / 2) return NULL;
    if (block->is_heap && !offload_watch_free(block->base)) return NULL;
    p->serial = ++serials;
    if (slot == count) place_count = count + 1;
    set_range(p, (uintptr_t)p->from, (uintptr_t)p->to);
    if (can_be_filled(p)) return p;
    remove_place(p);
    return NULL;
}

struct offload_place *offload_place_of(char *base, size_t bytes) {
    struct offload_block block;
    if (!now.tried) begin();
    if (!now.on || bytes < OFFLOAD_LARGE) return NULL;
    struct offload_place *p = find(base);
    if (p) return bytes <= p->bytes && p->bytes - bytes < PAGE ? p : NULL;
    if (!offload_find_block(base, &block) || block.base != base || block.bytes < bytes || block.is_fixed ||
        block.is_local)
        return NULL;
    if (block.bytes - bytes >= PAGE) { // the first member of a struct: what is behind it is no part of the array
        block.bytes = bytes;
        block.has_pages = false;
    }
    return new_place(&block);
}

// ---- going round ----------------------------------------------------------------------------------------------------

bool offload_place_share(struct offload_place *p) {
    p->version++;
    p->holder = NULL;
    if (!protect(p, PROT_READ)) return false;
    p->host = OFFLOAD_HOST_SHARED;
    return true;
}

_Noreturn static void lose(const struct offload_variant *v, int i, const char *why) {
    const struct whorl_cc_region *r = v->state->region;
    fprintf(stderr,
            "whorl: %s:%d: the newest contents of '%s' were on the GPU, and it lost them: %s\n"
            "whorl: the program ends here; with WHORL=off it runs on the CPU\n",
            r->file, r->line, r->params[i].name, why);
    fflush(NULL);
    _exit(3);
}

static void fill(const struct offload_place *p, char *at) {
    char why[256];
    size_t bytes = (size_t)(p->to - p->from), skip = (size_t)(p->from - p->base);
    if (!offload_read_part(p->holder, p->holder_param, skip, bytes, at, why, sizeof why))
        lose(p->holder, p->holder_param, why);
}

void offload_place_fetch(struct offload_place *p) {
    if (p->host != OFFLOAD_HOST_STALE) return;
    struct offload_pages pages;
    double from = offload_now_s();
    size_t bytes = (size_t)(p->to - p->from);
    if (offload_pages_take(&pages, p->from, bytes)) {
        bool ok = mprotect(pages.at, bytes, PROT_READ | PROT_WRITE) == 0;
        if (ok) fill(p, pages.at);
        if (!ok || mprotect(pages.at, bytes, PROT_READ) != 0 || !offload_pages_put(&pages, p->from))
            lose(p->holder, p->holder_param, "pages cannot be moved");
    } else if (protect(p, PROT_READ | PROT_WRITE)) { // as it could be moved before, this is a process out of mappings
        fill(p, p->from);
        (void)protect(p, PROT_READ);
    } else {
        lose(p->holder, p->holder_param, "pages cannot be unprotected");
    }
    p->host = OFFLOAD_HOST_SHARED;
    p->holder->late_s += offload_now_s() - from;
}

void offload_place_own(struct offload_place *p) {
    if (p->host == OFFLOAD_HOST_OWN) return;
    offload_place_fetch(p);
    if (!protect(p, PROT_READ | PROT_WRITE) && p->holder) lose(p->holder, p->holder_param, "pages stay protected");
    p->host = OFFLOAD_HOST_OWN;
}

void offload_place_written(struct offload_place *p, struct offload_variant *v, int param) {
    p->version++;
    p->holder = v;
    p->holder_param = param;
    v->held[param] = (struct offload_held){p->serial, p->version};
    bool hidden = protect(p, PROT_NONE);
    p->host = OFFLOAD_HOST_STALE;
    if (!hidden) offload_place_own(p);
}

void offload_place_spoiled(struct offload_place *p, const struct offload_variant *v, int param, const char *why) {
    if (p->holder != v || p->holder_param != param) return;
    if (p->host == OFFLOAD_HOST_STALE) lose(v, param, why);
    p->holder = NULL;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

void offload_places_fetch(const struct offload_variant *holder) {
    for (int i = 0; i < place_count; i++)
        if (places[i].serial && (!holder || places[i].holder == holder)) offload_place_fetch(&places[i]);
}

static bool is_from(const struct offload_place *p, const struct offload_variant *v, int param) {
    return p->serial && p->holder == v && p->holder_param == param;
}

bool offload_places_need(const struct offload_variant *v, int param) {
    for (int i = 0; i < place_count; i++)
        if (is_from(&places[i], v, param) && places[i].host == OFFLOAD_HOST_STALE) return true;
    return false;
}

bool offload_places_are_lost(void) {
    for (int i = 0; i < place_count; i++)
        if (places[i].serial && places[i].host == OFFLOAD_HOST_STALE) return true;
    return false;
}

// It no longer stands for them.
void offload_places_fetch_from(const struct offload_variant *v, int param) {
    for (int i = 0; i < place_count; i++) {
        if (!is_from(&places[i], v, param)) continue;
        offload_place_fetch(&places[i]);
        places[i].holder = NULL;
    }
}

void offload_places_exchange(struct offload_variant *v, int i, struct offload_variant *other, int k) {
    struct offload_held held = v->held[i];
    v->held[i] = other->held[k];
    other->held[k] = held;
    for (int n = 0; n < place_count; n++) {
        struct offload_place *p = &places[n];
        bool one = is_from(p, v, i), two = is_from(p, other, k);
        if (!one && !two) continue;
        p->holder = one ? other : v;
        p->holder_param = one ? k : i;
    }
}

void offload_places_forget(const struct offload_variant *holder) {
    for (int i = 0; i < place_count; i++)
        if (places[i].holder == holder) places[i].holder = NULL;
}

void offload_places_own(const char *base, size_t bytes) {
    for (int i = 0; i < place_count; i++)
        if (overlaps(&places[i], base, bytes)) offload_place_own(&places[i]);
}

bool offload_places_use(const char *at, size_t bytes, enum offload_use use, bool *out_changed) {
    bool any = false;
    *out_changed = false;
    for (int i = 0; i < place_count; i++) {
        struct offload_place *p = &places[i];
        if (!overlaps(p, at, bytes)) continue;
        any = true;
        enum offload_host was = p->host;
        offload_place_fetch(p);
        if (use == OFFLOAD_WRITES || (use == OFFLOAD_USES && was == OFFLOAD_HOST_SHARED)) offload_place_own(p);
        *out_changed = *out_changed || p->host != was;
    }
    return any;
}

void offload_place_drop(const char *base) {
    offload_enter();
    struct offload_place *p = find(base);
    if (p) {
        if (p->host != OFFLOAD_HOST_OWN) (void)protect(p, PROT_READ | PROT_WRITE);
        remove_place(p);
    }
    offload_leave();
}

// ---- fork -----------------------------------------------------------------------------------------------------------

// A child has no device: it gets all bytes. What the runtime starts itself only executes another program.
static __thread bool holds;

static void before_fork(void) {
    holds = depth == 0;
    if (holds) {
        offload_enter();
        offload_places_own(NULL, SIZE_MAX);
    }
    offload_registry_lock(); // a child must not find it taken
}
static void after_fork(void) {
    offload_registry_unlock();
    if (holds) offload_leave();
    holds = false;
}
static void after_fork_in_child(void) {
    if (holds) {
        now.tried = true;
        now.on = false;
        for (int i = 0; i < place_count; i++)
            places[i] = (struct offload_place){0};
        place_count = 0;
    }
    after_fork();
}
__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}
