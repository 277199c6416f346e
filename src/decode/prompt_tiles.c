// Prompts in tiles: programs/models/prompt.c, a program beside the decoder's that has its weights, keys and values.
//
// A tile is up to DECODER_TILE tokens of one text. A call computes several, each of which needs memory for what is
// between the layers. So many are taken as fit into a tenth of what the decoder needs otherwise, or into 32 MiB if
// that is more; at least one.
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "decode/params.h"

static const double least_bytes = 32 << 20, share_of_decoder = 1.0 / 10; // guess

// ---- memory ---------------------------------------------------------------------------------------------------------

// The arrays of prompt.c's entry, of one tile.
static double tile_bytes(const struct decoder *d) {
    const struct model_config *c = &d->config;
    double row = 3.0 * c->hidden + 2.0 * (c->heads + c->kv_heads) * c->head_size + c->intermediate +
                 (double)c->heads * (d->room + 1);
    return row * DECODER_TILE * sizeof(float);
}

static double largest_array(const struct decoder *d) { // of a tile: scores
    return (double)d->config.heads * d->room * DECODER_TILE * sizeof(float);
}

static uint32_t count_tiles(const struct decoder *d) {
    double allowed = whorl_program_buffer_bytes(d->program) * share_of_decoder;
    uint64_t binding = whorl_device_get_info(d->device)->target.binding_bytes;
    double most = (double)d->texts * d->room / DECODER_TILE, one = tile_bytes(d);
    if (allowed < least_bytes) allowed = least_bytes;
    if (most > DECODER_TILES) most = DECODER_TILES;
    if (most > allowed / one) most = allowed / one;
    if (most > (binding ? (double)binding : 128 << 20) / largest_array(d))
        most = (binding ? (double)binding : 128 << 20) / largest_array(d);
    return most < 1 ? 1 : (uint32_t)most;
}

// ---- the program ----------------------------------------------------------------------------------------------------

// Nor is a kernel that the driver does not make in time.
static bool is_no_fault(enum whorl_status status) {
    return status == WHORL_LIMIT || status == WHORL_UNSUPPORTED || status == WHORL_MEMORY || status == WHORL_TIMEOUT;
}

// Without tiles, because of what `why` says.
static enum whorl_status do_without(struct decoder *d, const struct whorl_error *why) {
    decoder_close_tiles(d);
    snprintf(d->tiles.why, sizeof d->tiles.why, "%.*s", (int)strcspn(why->message, "\n"), why->message);
    return WHORL_OK;
}

enum whorl_status decoder_compile_tiles(struct decoder *d, struct whorl_error *err) {
    const struct model_config *c = &d->config;
    const struct base_embedded *source = decoder_source("prompt.c");
    struct decoder_tiles *t = &d->tiles;
    bool judged = d->tiling == DECODER_TILED_AND_JUDGED;
    t->count = count_tiles(d);
    t->bytes = t->count * tile_bytes(d) + (judged ? (double)DECODER_TILE * c->vocab * sizeof(float) : 0);
    const struct whorl_scalar scalars[] = {
        {"layers", c->layers}, {"d", c->hidden},         {"heads", c->heads}, {"kv", c->kv_heads},
        {"hd", c->head_size},  {"ffn", c->intermediate}, {"vocab", c->vocab}, {"texts", d->texts},
        {"context", d->room},  {"parts", t->count},      {"eps", c->rms_eps}, {"used", t->count},
    };
    static const char *const uniform[] = {"used"};
    const char *defines[DECODER_DEFINES + 1];
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = scalars;
    o.scalar_count = sizeof scalars / sizeof *scalars - !judged;
    o.uniform = uniform;
    o.uniform_count = judged;
    o.defines = defines;
    o.define_count = decoder_defines(d, defines);
    if (judged) defines[o.define_count++] = "JUDGE";
    o.target = whorl_device_get_info(d->device)->target;
    o.beside = d->program;
    struct whorl_error why = {0};
    enum whorl_status status = whorl_compile(source->name, source->text, &o, &t->program, &why);
    if (is_no_fault(status)) return do_without(d, &why);
    if (status != WHORL_OK && err) *err = why;
    return status;
}

enum whorl_status decoder_load_tiles(struct decoder *d, enum whorl_strategy strategy, struct whorl_error *err) {
    struct whorl_error why = {0};
    enum whorl_status status =
        whorl_session_create_beside(d->device, d->tiles.program, strategy, d->session, &d->tiles.session, &why);
    if (is_no_fault(status)) return do_without(d, &why);
    if (status != WHORL_OK && err) *err = why;
    return status;
}

void decoder_close_tiles(struct decoder *d) {
    whorl_session_destroy(d->tiles.session);
    whorl_program_destroy(d->tiles.program);
    d->tiles = (struct decoder_tiles){0};
}

// ---- running --------------------------------------------------------------------------------------------------------

static uint32_t pending_of(const struct decoder_text *t) {
    uint32_t left = t->is_running && t->kept + 1 < t->given ? t->given - 1 - t->kept : 0;
    return left < DECODER_LEAST_TILED ? 0 : left;
}

uint32_t decoder_pending(const struct decoder *d) {
    uint32_t all = 0;
    for (uint32_t b = 0; b < d->texts && d->tiles.session; b++)
        all += pending_of(&d->text[b]);
    return all;
}

bool decoder_is_ready(const struct decoder *d) {
    for (uint32_t b = 0; b < d->texts; b++)
        if (d->text[b].is_running && (!d->tiles.session || pending_of(&d->text[b]) == 0)) return true;
    return false;
}

// Tiles of all texts in turn, so that none waits for another's long prompt. part: text, position, tokens. -> how many
static uint32_t take_tiles(const struct decoder *d, uint32_t most, int32_t (*part)[3]) {
    uint32_t taken[DECODER_TEXTS] = {0}, used = 0, all = 0;
    for (bool any = true; any;) {
        any = false;
        for (uint32_t b = 0; b < d->texts && used < d->tiles.count && (all < most || used == 0); b++) {
            uint32_t left = pending_of(&d->text[b]) - (pending_of(&d->text[b]) ? taken[b] : 0);
            if (left == 0) continue;
            uint32_t n = left < DECODER_TILE ? left : DECODER_TILE;
            part[used][0] = (int32_t)b;
            part[used][1] = (int32_t)(d->text[b].kept + taken[b]);
            part[used++][2] = (int32_t)n;
            taken[b] += n;
            all += n;
            any = true;
        }
    }
    return used;
}

static bool has_penalty(const struct decoder *d) {
    for (uint32_t b = 0; b < d->texts; b++)
        if (d->text[b].is_running && d->text[b].sampling.penalty != 1) return true;
    return false;
}

enum whorl_status decoder_prompt(struct decoder *d, uint32_t most, const struct decoder_run_options *options,
                                 struct whorl_error *err) {
    int32_t part[DECODER_TILES][3] = {{0}};
    bool judge = options && options->judge;
    uint32_t used = d->tiles.session ? take_tiles(d, most, part) : 0;
    if (used == 0) return WHORL_OK;
    if (judge && (d->tiling != DECODER_TILED_AND_JUDGED || has_penalty(d)))
        return base_set_error(err, WHORL_INVALID, "data", "prompts are judged only where the decoder was made for it");
    const struct whorl_scalar scalar = {"used", used};
    struct whorl_run_options o = WHORL_RUN_OPTIONS_INIT;
    struct whorl_stats stats;
    o.scalars = &scalar;
    o.scalar_count = d->tiling == DECODER_TILED_AND_JUDGED;
    decoder_ask(d, options, &o);
    enum whorl_status status = decoder_write_texts(d, err);
    if (status == WHORL_OK)
        status = whorl_session_write(d->tiles.session, decoder_find(d->tiles.program, "part"), part,
                                     d->tiles.count * sizeof *part, err);
    if (status == WHORL_OK) status = whorl_session_run(d->tiles.session, 1, &o, &stats, err);
    if (status != WHORL_OK) return status;
    d->dispatches += stats.dispatches;
    d->fell_back |= stats.fell_back;
    for (uint32_t i = 0; i < used; i++) {
        struct decoder_text *t = &d->text[part[i][0]];
        t->kept += (uint32_t)part[i][2];
        t->is_running = t->kept + 1 < t->limit;
    }
    d->is_changed |= has_penalty(d); // what it looks at has grown
    return judge ? decoder_read(d, "likely", d->likely, err) : WHORL_OK;
}
