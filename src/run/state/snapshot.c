// A run's state as bytes, and back: 64-bit words for the place, then the buffers.
//
// The reader is given files from outside, so it believes nothing: a walk is entered again node by node, bounds of loops
// are computed anew, sizes are those of the session. What it accepts is a place that the walk itself could have come
// to.
#include <string.h>

#include "run/session/buffers.h"
#include "run/session/grid_slice.h"
#include "run/state/checkpoint.h"

enum { HEAD_WORDS = 7, FRAME_WORDS = 4 };
enum { FALLBACK = 1 << 8, HAS_ITEM = 1 << 9, IS_TEST = 1 << 10, IN_ITEM = 1 << 11, PAUSED = 1 << 12 };

// ---- which buffers --------------------------------------------------------------------------------------------------

static bool writes(const struct plan *p, const struct plan_node *node, uint32_t buffer) {
    if (node->kind != PLAN_DISPATCH) {
        for (uint32_t i = 0; i < node->child_count; i++)
            if (writes(p, &node->children[i], buffer)) return true;
        return false;
    }
    const struct plan_kernel *k = &p->kernels[node->kernel];
    for (uint32_t b = 0; b < k->binding_count; b++)
        if (k->bindings[b].buffer == buffer && k->bindings[b].writable) return true;
    return false;
}

// A grid kernel and its fallback count as one: each may have to go on where the other was.
static bool is_kept(const struct whorl_session *s, enum whorl_strategy strategy, uint32_t buffer) {
    const struct plan_strategy *of = run_strategy_of(s->plan, strategy);
    return writes(s->plan, &of->root, buffer) || (of->fallback && writes(s->plan, of->fallback, buffer));
}

static uint32_t grid_words(const struct whorl_session *s, enum whorl_strategy strategy) {
    const struct plan_strategy *of = run_strategy_of(s->plan, strategy);
    return of->fallback ? s->plan->kernels[of->root.kernel].resume_words : 0;
}

// Scalars whose values the run has set.
static bool is_set(const struct plan_scalar *s) { return s->kind == PLAN_REPEAT || s->kind == PLAN_STATE; }

static uint32_t set_count(const struct plan *p) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->scalar_count; i++)
        count += is_set(&p->scalars[i]);
    return count;
}

static size_t paused_bytes(const struct whorl_session *s) {
    const struct run_place *at = &s->at.place;
    return at->kind == RUN_AT_TREE && at->in_item && at->paused
               ? (size_t)at->count * s->plan->kernels[at->item.kernel].resume_words * 4
               : 0;
}

static size_t padded(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

static size_t place_words(const struct whorl_session *s) {
    size_t words = HEAD_WORDS + set_count(s->plan);
    if (s->at.place.kind == RUN_AT_TREE) words += (size_t)s->at.place.walk.depth * FRAME_WORDS;
    return words + (s->at.place.kind == RUN_AT_GRID ? grid_words(s, s->strategy) : 0);
}

size_t run_copy_bytes(const struct whorl_session *s) {
    size_t bytes = place_words(s) * 8 + padded(paused_bytes(s));
    for (uint32_t b = 0; b < s->plan->buffer_count; b++)
        if (is_kept(s, s->strategy, b)) bytes += padded((size_t)s->res.sizes[b]);
    return bytes;
}

size_t run_copy_most(const struct whorl_session *s) {
    size_t words = HEAD_WORDS + set_count(s->plan) + (size_t)RUN_MAX_FRAMES * FRAME_WORDS, bytes = 0;
    size_t paused = 0;
    for (uint32_t k = 0; k < s->plan->kernel_count; k++) {
        words += s->plan->kernels[k].resume_words;
        if (s->plan->kernels[k].resume_words) paused = RUN_SAVED_BYTES;
    }
    for (uint32_t b = 0; b < s->plan->buffer_count; b++)
        bytes += padded((size_t)s->res.sizes[b]);
    return words * 8 + bytes + paused;
}

// ---- out ------------------------------------------------------------------------------------------------------------

static unsigned char *put_place(const struct whorl_session *s, unsigned char *to) {
    const struct run_place *at = &s->at.place;
    uint64_t words[HEAD_WORDS + RUN_MAX_FRAMES * FRAME_WORDS] = {0};
    size_t count = HEAD_WORDS;
    words[0] = (uint64_t)at->kind | (at->fallback ? FALLBACK : 0);
    words[1] = (uint64_t)s->strategy;
    memcpy(&words[2], &at->fraction, sizeof at->fraction);
    if (at->kind == RUN_AT_TREE) {
        const bool is_dispatch = at->has_item && !at->item.is_test;
        words[0] |= (at->has_item ? HAS_ITEM : 0) | (at->has_item && at->item.is_test ? IS_TEST : 0) |
                    (at->in_item ? IN_ITEM : 0) | (at->in_item && at->paused ? PAUSED : 0);
        words[3] = at->walk.depth;
        words[4] = is_dispatch ? at->item.kernel : 0;
        words[5] = at->in_item ? at->base : 0;
        words[6] = at->in_item && at->paused ? at->count : 0;
        for (uint32_t i = 0; i < at->walk.depth; i++) {
            const struct run_frame *f = &at->walk.frames[i];
            const uint64_t frame[FRAME_WORDS] = {f->child, (uint64_t)f->k, f->ahead, f->grant};
            memcpy(words + count, frame, sizeof frame);
            count += FRAME_WORDS;
        }
    }
    memcpy(to, words, count * 8);
    to += count * 8;
    for (uint32_t i = 0; i < s->plan->scalar_count; i++) {
        if (!is_set(&s->plan->scalars[i])) continue;
        memcpy(to, &s->scalars.values[i], 8);
        to += 8;
    }
    for (uint32_t i = 0; at->kind == RUN_AT_GRID && i < grid_words(s, s->strategy); i++, to += 8) {
        uint64_t word = s->res.grid->saved[i];
        memcpy(to, &word, 8);
    }
    return to;
}

enum whorl_status run_copy_take(struct whorl_session *s, struct run_copy *out, struct whorl_error *err) {
    size_t bytes = run_copy_bytes(s), saved = paused_bytes(s);
    *out = (struct run_copy){.data = base_heap_alloc(bytes), .size_bytes = bytes, .fraction = s->at.place.fraction};
    if (!out->data)
        return base_set_error(err, WHORL_MEMORY, "run", "out of memory for %zu bytes of the run's state", bytes);
    memset(out->data, 0, bytes);
    unsigned char *to = put_place(s, out->data);
    enum whorl_status status = WHORL_OK;
    for (uint32_t b = 0; b < s->plan->buffer_count && status == WHORL_OK; b++) {
        if (!is_kept(s, s->strategy, b)) continue;
        status = run_raw_read(&s->res, s->res.buffers[b], 0, to, (size_t)s->res.sizes[b], err);
        to += padded((size_t)s->res.sizes[b]);
    }
    if (status == WHORL_OK && saved)
        status = run_raw_read(&s->res, s->res.kernels[s->at.place.item.kernel].saved, 0, to, saved, err);
    out->taken_s = run_now_s();
    if (status != WHORL_OK) {
        base_heap_free(out->data);
        *out = (struct run_copy){0};
    }
    return status;
}

// ---- in -------------------------------------------------------------------------------------------------------------

struct reader {
    const unsigned char *data;
    size_t left;
    bool failed;
};

static uint64_t take(struct reader *r) {
    uint64_t word = 0;
    if (r->left < 8) {
        r->failed = true;
        return 0;
    }
    memcpy(&word, r->data, 8);
    r->data += 8;
    r->left -= 8;
    return word;
}

// The item that the walk gave last is its innermost node's child, or the root itself.
static bool take_item(struct whorl_session *s, const struct plan_node *root, uint64_t flags, uint64_t kernel,
                      uint64_t base, uint64_t count) {
    struct run_place *at = &s->at.place;
    const struct run_walk *w = &at->walk;
    const struct run_frame *top = w->depth ? &w->frames[w->depth - 1] : NULL;
    if (flags & IS_TEST) {
        at->item.is_test = true;
        bool asks = top && top->child == 0 && (top->node->kind == PLAN_WHILE || top->node->kind == PLAN_DISPATCH);
        return asks && !(flags & IN_ITEM);
    }
    if (top && top->child == 0) return false;
    const struct plan_node *node = top ? &top->node->children[top->child - 1] : root;
    if (node->kind != PLAN_DISPATCH || node->kernel != kernel ||
        run_walk_item(&s->scalars, node->kernel, &at->item, NULL) != WHORL_OK)
        return false;
    if (!(flags & IN_ITEM)) return true;
    const struct plan_kernel *k = &s->plan->kernels[node->kernel];
    uint32_t iterations = at->item.iterations;
    at->in_item = true;
    at->base = (uint32_t)base;
    at->count = (uint32_t)count;
    at->paused = (flags & PAUSED) != 0;
    if (base >= iterations || k->one_group || k->grid || (base > 0 && !k->range_sliceable)) return false;
    uint64_t room = s->res.gpu->limits.maxStorageBufferBindingSize / 4;
    return !at->paused || (count >= 1 && count <= iterations - base && k->resume_words &&
                           count <= room / k->resume_words && (k->range_sliceable || count == iterations));
}

static bool take_tree(struct whorl_session *s, const struct plan_strategy *strategy, const uint64_t *head,
                      struct reader *r) {
    const struct plan_node *root = s->at.place.fallback ? strategy->fallback : &strategy->root;
    const uint64_t known = HAS_ITEM | IS_TEST | IN_ITEM | PAUSED, flags = head[0] & known, depth = head[3];
    if (!root || depth > RUN_MAX_FRAMES || ((flags & ~(uint64_t)HAS_ITEM) && !(flags & HAS_ITEM)) ||
        ((flags & PAUSED) && !(flags & IN_ITEM)) ||
        (root->kind == PLAN_DISPATCH && s->plan->kernels[root->kernel].grid))
        return false;
    for (uint64_t i = 0; i < depth; i++) {
        uint64_t w[FRAME_WORDS];
        for (int k = 0; k < FRAME_WORDS; k++)
            w[k] = take(r);
        const struct run_frame_words words = {w[0], w[1], w[2], w[3]};
        if (r->failed || !run_walk_restore(&s->scalars, &s->at.place.walk, root, &words)) return false;
    }
    s->at.place.has_item = (flags & HAS_ITEM) != 0;
    const struct run_frame *top = depth ? &s->at.place.walk.frames[depth - 1] : NULL;
    if (!s->at.place.has_item) return !top || top->child > 0;
    return take_item(s, root, flags, head[4], head[5], head[6]);
}

static bool take_scalars(struct whorl_session *s, struct reader *r) {
    for (uint32_t i = 0; i < s->plan->scalar_count; i++) {
        const struct plan_scalar *scalar = &s->plan->scalars[i];
        if (!is_set(scalar)) continue;
        int64_t value = (int64_t)take(r);
        if (value < INT32_MIN || value > (scalar->dtype == WHORL_I32 ? INT32_MAX : (int64_t)UINT32_MAX)) return false;
        s->scalars.values[i] = value;
    }
    return !r->failed;
}

// Leaves the reader at the buffers.
static bool take_place(struct whorl_session *s, struct reader *r) {
    uint64_t head[HEAD_WORDS];
    for (int i = 0; i < HEAD_WORDS; i++)
        head[i] = take(r);
    const uint64_t kind = head[0] & 0xFF;
    s->at.place = (struct run_place){.fallback = (head[0] & FALLBACK) != 0};
    if (r->failed || (head[0] >> 13) != 0 || kind == RUN_AT_START || kind > RUN_AT_END) return false;
    // The strategy may have changed on the way, as run_execute does it.
    bool fell_back = s->opened == WHORL_SINGLE && head[1] == WHORL_STEPS && s->plan->steps.exists;
    if (head[1] != (uint64_t)s->opened && !fell_back) return false;
    s->strategy = (enum whorl_strategy)head[1];
    const struct plan_strategy *strategy = run_strategy_of(s->plan, s->strategy);
    memcpy(&s->at.place.fraction, &head[2], sizeof s->at.place.fraction);
    if (!(s->at.place.fraction >= 0 && s->at.place.fraction <= 1)) return false;
    // Loop variables stand behind the frames, and the bounds of loops are computed with them.
    s->at.place.kind = kind == RUN_AT_TREE ? RUN_AT_TREE : kind == RUN_AT_GRID ? RUN_AT_GRID : RUN_AT_END;
    if (kind == RUN_AT_TREE) {
        struct reader scalars = *r;
        size_t frames = head[3] <= RUN_MAX_FRAMES ? (size_t)head[3] * FRAME_WORDS * 8 : SIZE_MAX;
        if (frames > r->left) return false;
        scalars.data += frames;
        scalars.left -= frames;
        if (!take_scalars(s, &scalars) || !take_tree(s, strategy, head, r)) return false;
        *r = scalars;
        return true;
    }
    if (!take_scalars(s, r)) return false;
    uint32_t words = kind == RUN_AT_GRID ? grid_words(s, s->strategy) : 0;
    if (kind == RUN_AT_GRID && (words == 0 || !s->res.grid || s->res.grid->strategy != strategy)) return false;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t word = take(r);
        if (word > UINT32_MAX) return false;
        s->res.grid->saved[i] = (uint32_t)word;
    }
    return !r->failed && (kind != RUN_AT_GRID || s->res.grid->saved[0] != 0);
}

bool run_copy_place(struct whorl_session *s, const struct run_copy *copy) {
    struct reader r = {copy->data, copy->size_bytes, false};
    return take_place(s, &r) && run_copy_bytes(s) == copy->size_bytes;
}

enum whorl_status run_copy_put(struct whorl_session *s, const struct run_copy *copy, struct whorl_error *err) {
    if (!run_copy_place(s, copy))
        return base_set_error(err, WHORL_INVALID, "run", "the state is not of a run of this program");
    struct run_place *at = &s->at.place;
    if (s->res.grid && at->kind == RUN_AT_TREE && at->fallback) {
        s->res.grid->abandoned = true;
        if (s->asked == WHORL_AUTO) s->choice.parts = true; // the run that left it there may have meant to
        s->res.grid->why = "the single dispatch was given up before";
    }
    enum whorl_status status = run_session_prepare(s, run_session_root(s), err);
    const unsigned char *from = copy->data + place_words(s) * 8;
    for (uint32_t b = 0; b < s->plan->buffer_count && status == WHORL_OK; b++) {
        if (!is_kept(s, s->strategy, b)) continue;
        status = run_raw_write(&s->res, s->res.buffers[b], 0, from, (size_t)s->res.sizes[b], err);
        from += padded((size_t)s->res.sizes[b]);
    }
    if (status == WHORL_OK && paused_bytes(s)) {
        status = run_saved_ensure(&s->res, at->item.kernel, at->count, err);
        if (status == WHORL_OK)
            status = run_raw_write(&s->res, s->res.kernels[at->item.kernel].saved, 0, from, paused_bytes(s), err);
    }
    if (status == WHORL_OK && at->kind == RUN_AT_GRID && !s->res.grid->abandoned)
        status = run_raw_write(&s->res, s->res.kernels[s->res.grid->kernel].saved, 0, s->res.grid->saved,
                               (size_t)grid_words(s, s->strategy) * 4, err);
    return status;
}
