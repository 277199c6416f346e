// The decoder on models/tiny, against what transformers gave (golden.json): logits, tokens, and what a text keeps from
// the one before it. On the CPU and, where there is one, on a GPU.
#include <unistd.h>

#include "check.h"
#include "decode/decoder.h"

enum { CONTEXT = 48 };
static const uint32_t prompt[] = {1147, 258, 2084, 387}; // "In the beginning God"
static const int32_t golden[] = {268, 432, 14};          // what follows, and the likeliest one's logit
static const float likeliest = 14.918287f;

static struct decoder d;
static whorl_device *device;
static struct whorl_error err;

static void begin_test(const char *select, uint32_t texts) {
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = select;
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) SKIP("%s", err.message);
    d = (struct decoder){0};
    CHECK(decoder_open(&d, "models/tiny", &err) == WHORL_OK);
    if (decoder_compile(&d, device, texts, CONTEXT, &err) != WHORL_OK) FAIL("%s", err.message);
    if (decoder_load(&d, WHORL_SINGLE, &err) != WHORL_OK) FAIL("%s", err.message);
}

static void end_test(void) {
    decoder_close(&d);
    whorl_device_destroy(device);
}

static void begin(const uint32_t *ids, size_t count, uint32_t limit) {
    if (decoder_begin(&d, 0, ids, count, limit, &DECODER_GREEDY, &err) != WHORL_OK) FAIL("%s", err.message);
}

static void run(uint32_t steps, bool judge) {
    const struct decoder_run_options options = {.judge = judge};
    if (decoder_run(&d, steps, &options, &err) != WHORL_OK) FAIL("%s", err.message);
}

static void follows_golden(void) {
    const struct decoder_text *t = &d.text[0];
    begin(prompt, 4, 12);
    run(2, false); // still in the prompt
    CHECK_EQ_INT(2, t->kept);
    CHECK_EQ_INT(4, t->known);
    run(3, false);
    CHECK_EQ_INT(5, t->kept);
    CHECK_EQ_INT(6, t->known);
    CHECK_EQ_INT(golden[0], t->tokens[4]);
    CHECK_EQ_INT(golden[1], t->tokens[5]);
    run(100, false);
    CHECK_EQ_INT(12, t->known);
    CHECK_EQ_INT(11, t->kept);
    CHECK(!t->is_running && !t->ended);
}

// A text that begins as the last one did is computed from where they part, with the same result.
static void keeps_a_prefix(void) {
    const struct decoder_text *t = &d.text[0];
    uint32_t ids[10];
    int32_t made[12];
    memcpy(made, t->tokens, sizeof made);
    for (uint32_t i = 0; i < 10; i++)
        ids[i] = (uint32_t)made[i];
    begin(ids, 10, 12);
    CHECK_EQ_INT(9, t->kept);
    run(100, false);
    CHECK(memcmp(made, t->tokens, sizeof made) == 0);
    ids[7] = 300;
    begin(ids, 10, 12);
    CHECK_EQ_INT(7, t->kept);
    run(100, false);
    int32_t other[2] = {t->tokens[10], t->tokens[11]};
    const uint32_t nothing[] = {5, 6};
    begin(nothing, 2, 3);
    CHECK_EQ_INT(0, t->kept);
    run(100, false);
    begin(ids, 10, 12);
    CHECK_EQ_INT(0, t->kept);
    run(100, false);
    CHECK_EQ_INT(other[0], t->tokens[10]);
    CHECK_EQ_INT(other[1], t->tokens[11]);
}

static void judges(void) {
    const struct decoder_text *t = &d.text[0];
    float *logits = malloc(d.config.vocab * sizeof *logits), first;
    begin(prompt, 4, 5);
    run(100, true);
    CHECK(decoder_logits(&d, 0, logits, &err) == WHORL_OK);
    double sum = 0;
    for (uint32_t i = 0; i < d.config.vocab; i++) {
        CHECK(logits[i] <= logits[golden[0]]);
        sum += exp((double)logits[i] - logits[golden[0]]);
    }
    CHECK(fabsf(logits[golden[0]] - likeliest) < 2e-2f);
    CHECK(fabs(t->likely[4] + log(sum)) < 1e-4);
    first = t->likely[4];
    free(logits);
    // as tokens that are given, nothing made
    const uint32_t given[] = {prompt[0], prompt[1], prompt[2], prompt[3], (uint32_t)golden[0]};
    begin(given, 5, 5);
    CHECK_EQ_INT(4, t->kept);
    CHECK(!t->is_running);
    begin(&given[4], 1, 5); // forget it
    run(1, false);
    begin(given, 5, 5);
    run(100, true);
    CHECK_EQ_INT(5, t->known);
    CHECK_EQ_INT(4, t->kept);
    CHECK(fabsf(t->likely[4] - first) < 1e-3f && t->likely[1] < 0 && t->likely[3] < 0);
}

// A stop token ends the text in the kernel: no position behind it is computed.
static void stops(void) {
    const struct decoder_text *t = &d.text[0];
    begin(prompt, 4, 12);
    run(100, false);
    CHECK(t->ended && !t->is_running);
    CHECK_EQ_INT(6, t->known);
    CHECK_EQ_INT(5, t->kept);
    CHECK_EQ_INT(golden[1], t->tokens[5]);
}

static void refuses(void) {
    const uint32_t wrong[] = {1, 4096};
    CHECK_EQ_INT(WHORL_INVALID, decoder_begin(&d, 0, wrong, 2, 8, &DECODER_GREEDY, &err));
    CHECK_EQ_INT(WHORL_INVALID, decoder_begin(&d, 0, prompt, 0, 8, &DECODER_GREEDY, &err));
    CHECK_EQ_INT(WHORL_INVALID, decoder_begin(&d, 0, prompt, 4, 3, &DECODER_GREEDY, &err));
    CHECK_EQ_INT(WHORL_INVALID, decoder_begin(&d, 0, prompt, 4, CONTEXT + 1, &DECODER_GREEDY, &err));
}

static void all(const char *select) {
    begin_test(select, 1);
    follows_golden();
    keeps_a_prefix();
    judges();
    refuses();
    d.config.eos[0] = (uint32_t)golden[1];
    whorl_session *first = d.session;
    if (decoder_load(&d, WHORL_SINGLE, &err) != WHORL_OK) FAIL("%s", err.message);
    whorl_session_destroy(first);
    d.text[0].kept = 0; // of another session
    stops();
    end_test();
}
TEST(cpu) { all("cpu"); }
TEST(gpu) { all("gpu"); }

// Three texts at once are what each is alone: one is longer, one is ended before the others, one is drawn. Text 0 does
// not run for a while, and what is kept of it is not touched.
static void side_by_side(const char *select) {
    static const struct {
        uint32_t ids[6], count, limit;
        struct decoder_sampling sampling;
    } cases[3] = {{{1147, 258, 2084, 387}, 4, 10, {.top_p = 1, .penalty = 1.3f, .seed = 1}},
                  {{1147, 258}, 2, 5, {.top_p = 1, .penalty = 1, .seed = 1}},
                  {{387, 14, 5, 300, 7}, 5, 12, {0.8f, 0.95f, 0.01f, 1, 50, 3}}};
    int32_t alone[3][CONTEXT] = {{0}};
    begin_test(select, 1);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(decoder_begin(&d, 0, cases[i].ids, cases[i].count, cases[i].limit, &cases[i].sampling, &err) == WHORL_OK);
        run(100, false);
        memcpy(alone[i], d.text[0].tokens, cases[i].limit * sizeof alone[i][0]);
    }
    end_test();
    begin_test(select, 3);
    for (uint32_t i = 0; i < 3; i++)
        CHECK(decoder_begin(&d, i, cases[i].ids, cases[i].count, cases[i].limit, &cases[i].sampling, &err) == WHORL_OK);
    run(3, false);
    decoder_pause(&d, 0);
    CHECK_EQ_INT(3, d.text[0].kept);
    run(4, false);
    CHECK_EQ_INT(3, d.text[0].kept);
    CHECK_EQ_INT(5, d.text[1].known);
    CHECK(!d.text[1].is_running);
    CHECK_EQ_INT(8, d.text[2].known);
    CHECK(decoder_begin(&d, 0, cases[0].ids, cases[0].count, cases[0].limit, &cases[0].sampling, &err) == WHORL_OK);
    CHECK_EQ_INT(3, d.text[0].kept);
    run(100, false);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ_INT(cases[i].limit, d.text[i].known);
        CHECK(memcmp(alone[i], d.text[i].tokens, cases[i].limit * sizeof alone[i][0]) == 0);
    }
    end_test();
}
TEST(side_by_side_cpu) { side_by_side("cpu"); }
TEST(side_by_side_gpu) { side_by_side("gpu"); }

// ---- prompts in tiles -----------------------------------------------------------------------------------------------

static void make_ids(uint32_t *ids, uint32_t count, uint32_t seed) {
    for (uint32_t i = 0; i < count; i++)
        ids[i] = (seed + i) * 2654435761u % 4000;
}

static void begin_tiled(const char *select, uint32_t texts, enum decoder_tiling tiling) {
    struct whorl_device_options options = WHORL_DEVICE_OPTIONS_INIT;
    options.select = select;
    if (whorl_device_open(&options, &device, &err) != WHORL_OK) SKIP("%s", err.message);
    d = (struct decoder){.tiling = tiling};
    CHECK(decoder_open(&d, "models/tiny", &err) == WHORL_OK);
    d.config.eos_count = 0;
    if (decoder_compile(&d, device, texts, 120, &err) != WHORL_OK) FAIL("%s", err.message);
    if (decoder_load(&d, WHORL_SINGLE, &err) != WHORL_OK) FAIL("%s", err.message);
    CHECK_EQ_INT(tiling == DECODER_NO_TILES, d.tiles.session == NULL);
    CHECK_EQ_INT(tiling == DECODER_NO_TILES ? 120 : 128, d.room);
}

static void prompt_all(uint32_t most, bool judge) {
    const struct decoder_run_options options = {.judge = judge};
    for (uint32_t left = decoder_pending(&d); left; left = decoder_pending(&d)) {
        if (decoder_prompt(&d, most, &options, &err) != WHORL_OK) FAIL("%s", err.message);
        CHECK(decoder_pending(&d) < left);
    }
}

enum { LONG = 70, MORE = 3, WAYS = 4 };
struct said {
    int32_t tokens[MORE];
    float logits[4096], likely[LONG];
};

// A text of `count` tokens and what comes then; `kept`: so many are there from before.
static void say(struct said *out, const uint32_t *ids, uint32_t count, uint32_t kept, const uint32_t *most) {
    const struct decoder_text *t = &d.text[0];
    begin(ids, count, count + MORE);
    CHECK_EQ_INT(kept, t->kept);
    if (most) {
        prompt_all(*most, false);
        CHECK(t->kept + 1 == count && t->known == count);
    }
    run(1000, false);
    memcpy(out->tokens, t->tokens + count, sizeof out->tokens);
    CHECK(decoder_logits(&d, 0, out->logits, &err) == WHORL_OK);
}

static void same(const struct said *a, const struct said *b) {
    CHECK(memcmp(a->tokens, b->tokens, sizeof a->tokens) == 0);
    for (uint32_t i = 0; i < 4096; i++)
        if (!(fabsf(a->logits[i] - b->logits[i]) < 2e-2f)) FAIL("logit %u: %g, %g", i, a->logits[i], b->logits[i]);
}

// Lengths that tiles divide or not, a prefix that is kept, tiles one by one; and texts of which all is judged. As token
// by token on the CPU.
static void tiled(const char *select) {
    static const uint32_t lengths[WAYS] = {LONG, 65, 33, 17}, all = 1000, one = 1;
    static struct said want[WAYS], found;
    static float likely[LONG];
    uint32_t ids[LONG];
    begin_tiled("cpu", 1, DECODER_NO_TILES);
    for (int i = 0; i < WAYS; i++) {
        make_ids(ids, lengths[i], (uint32_t)i);
        say(&want[i], ids, lengths[i], 0, NULL);
    }
    make_ids(ids, LONG, 0);
    begin(ids, LONG, LONG);
    run(1000, true);
    memcpy(likely, d.text[0].likely, sizeof likely);
    CHECK(decoder_pending(&d) == 0 && decoder_prompt(&d, 1000, NULL, &err) == WHORL_OK);
    end_test();

    begin_tiled(select, 1, DECODER_TILED_AND_JUDGED);
    for (int i = 0; i < WAYS; i++) {
        make_ids(ids, lengths[i], (uint32_t)i);
        say(&found, ids, lengths[i], 0, i == 1 ? &one : &all);
        same(&want[i], &found);
    }
    make_ids(ids, LONG, 0); // its first 40 tokens are there
    begin(ids, 41, 41);
    prompt_all(1000, false);
    CHECK(!d.text[0].is_running);
    say(&found, ids, LONG, 40, &all);
    same(&want[0], &found);
    begin(&ids[1], 1, 2); // forget it
    run(1, false);
    begin(ids, LONG, LONG);
    prompt_all(50, true);
    run(1000, true);
    CHECK(d.text[0].kept == LONG - 1 && !d.text[0].is_running);
    for (int i = 1; i < LONG; i++)
        if (!(fabsf(likely[i] - d.text[0].likely[i]) < 2e-2f)) FAIL("token %d: %g", i, d.text[0].likely[i]);
    CHECK_EQ_INT(0, d.fell_back);
    end_test();
}
TEST(tiled_cpu) { tiled("cpu"); }
TEST(tiled_gpu) { tiled("gpu"); }

// Texts of several lengths side by side, one of them with a penalty, are what each is alone. One is too short for
// tiles, and one makes tokens already.
static void tiled_side_by_side(const char *select) {
    static const uint32_t lengths[] = {70, 10, 40, 12};
    int32_t alone[4][MORE];
    uint32_t ids[4][LONG];
    struct decoder_sampling how = DECODER_GREEDY;
    how.penalty = 1.5f;
    begin_tiled("cpu", 1, DECODER_NO_TILES);
    for (uint32_t i = 0; i < 4; i++) {
        make_ids(ids[i], lengths[i], 7 * i);
        CHECK(decoder_begin(&d, 0, ids[i], lengths[i], lengths[i] + MORE, i == 0 ? &how : &DECODER_GREEDY, &err) ==
              WHORL_OK);
        run(1000, false);
        memcpy(alone[i], d.text[0].tokens + lengths[i], sizeof alone[i]);
    }
    end_test();
    begin_tiled(select, 4, DECODER_TILED);
    CHECK(decoder_begin(&d, 1, ids[1], 10, 10 + MORE, &DECODER_GREEDY, &err) == WHORL_OK);
    CHECK(decoder_pending(&d) == 0 && decoder_is_ready(&d));
    run(11, false);
    for (uint32_t i = 0; i < 4; i++)
        if (i != 1)
            CHECK(decoder_begin(&d, i, ids[i], lengths[i], lengths[i] + MORE, i == 0 ? &how : &DECODER_GREEDY, &err) ==
                  WHORL_OK);
    CHECK_EQ_INT(69 + 39, decoder_pending(&d));
    CHECK(decoder_prompt(&d, 33, NULL, &err) == WHORL_OK); // a tile of each
    CHECK(d.text[0].kept == 32 && d.text[2].kept == 32 && d.text[3].kept == 0 && d.text[1].kept == 11);
    CHECK_EQ_INT(69 - 32, decoder_pending(&d));
    prompt_all(1000, false);
    run(1000, false);
    for (uint32_t i = 0; i < 4; i++)
        CHECK(memcmp(alone[i], d.text[i].tokens + lengths[i], sizeof alone[i]) == 0);
    CHECK_EQ_INT(WHORL_OK, decoder_prompt(&d, 10, NULL, &err)); // nothing is left
    end_test();
}
TEST(tiled_side_by_side_cpu) { tiled_side_by_side("cpu"); }
TEST(tiled_side_by_side_gpu) { tiled_side_by_side("gpu"); }

static bool cancel(void *user, const struct whorl_progress *p) { return p->slice < *(uint64_t *)user; }

// What was made until a cancel is there, and what comes then is what would have come.
TEST(cancel) {
    begin_test("gpu", 1);
    const struct decoder_text *t = &d.text[0];
    begin(prompt, 4, 24);
    run(100, false);
    int32_t made[24];
    memcpy(made, t->tokens, sizeof made);
    begin(&prompt[1], 1, 2); // forget it
    run(1, false);
    begin(prompt, 4, 24);
    uint64_t slices = 1;
    const struct decoder_run_options options = {.progress = cancel, .user = &slices};
    enum whorl_status status = WHORL_CANCELLED;
    int calls = 0;
    for (; calls < 100 && status == WHORL_CANCELLED; calls++)
        status = decoder_run(&d, 100, &options, &err);
    CHECK(calls > 1 && (status == WHORL_OK || status == WHORL_CANCELLED));
    run(100, false);
    CHECK_EQ_INT(24, t->known);
    CHECK(memcmp(made, t->tokens, sizeof made) == 0);
    end_test();
}
