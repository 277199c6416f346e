// The logits of a model after each of some tokens, and what it says then:
//
//   logits_driver MODEL DEVICE STRATEGY FORM COUNT TOKEN...
//
// FORM: file, or what --quantize takes. Writes to standard output, as floats: for each token given the logits of what follows it, each in a call of its own; then,
// as 32-bit integers, COUNT tokens that are chosen greedily, in one call. tests/models/check_families.py reads them.
// Then the text but for its last LAST tokens is a prompt, in tiles: the same tokens follow, and the last logits are
// within 2e-4. Not for `single`, to save time: decoder_test does it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cli/commands.h"
#include "../cli/model_start.h"

enum { LAST = 4 };
static const float within = 2e-4f;

static struct decoder decoder;
static whorl_device *device;

static enum whorl_status open_model(char **args, uint32_t context, struct whorl_error *err) {
    struct cli_options options;
    char *how[] = {args[0], "--device", args[1], "--strategy", args[2], "--quantize", args[3]};
    if (!cli_options_parse(CLI_GENERATE, strcmp(args[3], "file") == 0 ? 5 : 7, how, &options))
        return base_set_error(err, WHORL_INVALID, "data", "logits_driver MODEL DEVICE STRATEGY FORM COUNT TOKEN...");
    enum whorl_status status = decoder_open(&decoder, args[0], err);
    decoder.config.eos_count = 0; // a text goes on
    if (status == WHORL_OK) status = model_quantize(&decoder, &options, err);
    if (status == WHORL_OK) status = cli_open_device(&options, &device, err);
    bool is_quick = strcmp(args[1], "cpu") == 0 || strcmp(args[2], "single") != 0;
    decoder.tiling = is_quick ? DECODER_TILED : DECODER_NO_TILES;
    if (status == WHORL_OK) status = decoder_compile(&decoder, device, 1, context, err);
    if (status == WHORL_OK) status = decoder_load(&decoder, options.strategy, err);
    cli_options_deinit(&options);
    return status;
}

// The same text once more, but for its last tokens as a prompt. logits: those of the last position.
static enum whorl_status repeat(const float *logits, uint32_t known, struct whorl_error *err) {
    const struct decoder_text *t = &decoder.text[0];
    int32_t said[LAST];
    uint32_t ids[1300], given = known - LAST, tokens;
    float *found = malloc(decoder.config.vocab * sizeof *found);
    if (!found) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    memcpy(said, t->tokens + given, sizeof said);
    for (uint32_t i = 0; i < given; i++)
        ids[i] = (uint32_t)t->tokens[i];
    enum whorl_status status = decoder_begin(&decoder, 0, &ids[1], 1, 2, &DECODER_GREEDY, err); // forget it
    if (status == WHORL_OK) status = decoder_run(&decoder, 1, NULL, err);
    if (status == WHORL_OK) status = decoder_begin(&decoder, 0, ids, given, known, &DECODER_GREEDY, err);
    tokens = decoder_pending(&decoder);
    if (status == WHORL_OK) status = decoder_prompt(&decoder, tokens, NULL, err);
    if (status == WHORL_OK && (tokens < DECODER_TILE || t->kept + 1 != given))
        status = base_set_error(err, WHORL_INTERNAL, "data", "%u tokens in tiles: %s", tokens, decoder.tiles.why);
    if (status == WHORL_OK) status = decoder_run(&decoder, LAST, NULL, err);
    if (status == WHORL_OK) status = decoder_logits(&decoder, 0, found, err);
    if (status == WHORL_OK && memcmp(said, t->tokens + given, sizeof said) != 0)
        status = base_set_error(err, WHORL_INTERNAL, "data", "other tokens follow a prompt in tiles");
    for (uint32_t i = 0; i < decoder.config.vocab && status == WHORL_OK; i++)
        if (!(fabsf(found[i] - logits[i]) < within))
            status = base_set_error(err, WHORL_INTERNAL, "data", "in tiles logit %u is %g, not %g", i, (double)found[i],
                                    (double)logits[i]);
    free(found);
    return status;
}

static enum whorl_status decode(size_t count, const uint32_t *ids, uint32_t more, struct whorl_error *err) {
    static const struct decoder_run_options judged = {.judge = true};
    enum whorl_status status = WHORL_OK;
    float *logits = malloc(decoder.config.vocab * sizeof *logits);
    if (!logits) return base_set_error(err, WHORL_MEMORY, "data", "out of memory");
    for (uint32_t p = 0; p < count && status == WHORL_OK; p++) {
        status = decoder_begin(&decoder, 0, ids, p + 1, p + 2, &DECODER_GREEDY, err);
        if (status == WHORL_OK && decoder.text[0].kept != p)
            status = base_set_error(err, WHORL_INTERNAL, "data", "%u tokens were kept", decoder.text[0].kept);
        if (status == WHORL_OK) status = decoder_run(&decoder, 1, &judged, err);
        if (status == WHORL_OK) status = decoder_logits(&decoder, 0, logits, err);
        if (status == WHORL_OK) fwrite(logits, sizeof *logits, decoder.config.vocab, stdout);
    }
    uint32_t known = (uint32_t)count;
    if (status == WHORL_OK) status = decoder_begin(&decoder, 0, ids, known, known + more, &DECODER_GREEDY, err);
    if (status == WHORL_OK) status = decoder_run(&decoder, known + more, NULL, err);
    if (status == WHORL_OK) fwrite(decoder.text[0].tokens + known, sizeof(int32_t), more, stdout);
    if (status == WHORL_OK) status = decoder_logits(&decoder, 0, logits, err);
    if (status == WHORL_OK && decoder.tiling != DECODER_NO_TILES) status = repeat(logits, known + more, err);
    if (status == WHORL_OK && decoder.fell_back)
        status = base_set_error(err, WHORL_DEVICE, "run", "the one dispatch was not possible");
    free(logits);
    return status;
}

int main(int argc, char **argv) {
    struct whorl_error err = {0};
    uint32_t more = argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : 0, ids[256], count = 0;
    if (argc < 7 || argc > 256 || more == 0 || more > 1000) {
        fprintf(stderr, "logits_driver MODEL DEVICE STRATEGY FORM COUNT TOKEN...\n");
        return 2;
    }
    for (int i = 6; i < argc; i++)
        ids[count++] = (uint32_t)strtoul(argv[i], NULL, 10);
    enum whorl_status status = open_model(argv + 1, count + more, &err);
    if (status == WHORL_OK) status = decode(count, ids, more, &err);
    decoder_close(&decoder);
    whorl_device_destroy(device);
    if (status != WHORL_OK) fprintf(stderr, "%s\n", err.message);
    return status == WHORL_OK ? 0 : 1;
}
