// A language model on a device: its files open, its decoder (programs/models/transformer.c) compiled, its weights
// there; and the texts that it continues.
//
// In order: decoder_open, decoder_compile, decoder_load, then for each text decoder_begin and decoder_run as often as
// wanted. One thread at a time uses a decoder.
#ifndef WHORL_DECODE_DECODER_H
#define WHORL_DECODE_DECODER_H

#include "model/token/tokenizer.h"
#include "model/weights/weights.h"
#include "whorl.h"

enum { DECODER_TEXTS = 8, DECODER_STOPS = 16 };
// Tokens of a tile of a prompt: ROWS of programs/models/prompt.c. Tiles of a call, at most. Tokens of a text that are
// worth a tile (guess).
enum { DECODER_TILE = 32, DECODER_TILES = 16, DECODER_LEAST_TILED = 16 };

// How the next token is chosen. temperature 0: the most likely one.
struct decoder_sampling {
    float temperature, top_p, min_p, penalty; // top_p 1, min_p 0, penalty 1: off
    int32_t top_k, seed;                      // top_k 0: off
};
#define DECODER_GREEDY \
    (struct decoder_sampling) { .top_p = 1, .penalty = 1, .seed = 1 }

// One of the texts that are decoded side by side. Only decoder_begin and decoder_run change it.
struct decoder_text {
    int32_t *tokens; // [room] those given, then those made
    float *likely;   // [room] logarithm of the share that the model gave to tokens[i], i >= 1, where judged; else 0
    uint32_t given;  // tokens that decoder_begin was told
    uint32_t known;  // tokens by now; with a stop token, if one was made
    uint32_t kept;   // the first so many are in the device's memory of keys and values
    uint32_t limit;  // known grows no further
    bool is_running; // decoder_run goes on with it: not ended, and kept + 1 < limit
    bool ended;      // the last token is a stop token: the model ended the text
    struct decoder_sampling sampling;
};

// How a matrix stands on the device. Whole numbers have a scale in f16 for each 32 side by side, in an array apart.
enum decoder_form {
    DECODER_F16,
    DECODER_Q8, // whole numbers of 8 bits
    DECODER_Q4, // of 4 bits, eight in a word
    DECODER_FORMS
};

// To look inside or to interfere. Each is a parameter of the program, compiled in only where it is asked for.
struct decoder_hooks {
    bool trace;         // keep what goes into the first layer and comes out of each, for decoder_trace
    const float *steer; // [layers][hidden] added to what comes out of a layer; NULL: none
    const float *keep;  // [layers][heads] times what a head says; NULL: 1
};

// Whether prompts are computed in tiles, by a second program, and whether their tokens may be judged there. With hooks,
// prompts are computed token by token.
enum decoder_tiling { DECODER_NO_TILES, DECODER_TILED, DECODER_TILED_AND_JUDGED };

// What computes prompts in tiles.
struct decoder_tiles {
    whorl_program *program; // NULL: prompts are computed token by token
    whorl_session *session;
    uint32_t count; // of a call
    double bytes;   // on the device, beside what the decoder has
    char why[200];  // there are none, though they were asked for; else ""
};

struct decoder {
    struct model_file *file;
    struct model_config config; // eos: the stop tokens
    struct model_weights weights;
    struct model_tokenizer *tokenizer;
    // Of each role that is a matrix; roles of one parameter have one. decoder_open: as the file has them;
    // decoder_set_form before decoder_compile
    enum decoder_form forms[MODEL_ROLES];
    struct decoder_hooks hooks; // the caller's, set before decoder_compile; its arrays must be there until decoder_load
    enum decoder_tiling tiling; // the caller's, set before decoder_compile
    whorl_device *device;       // the caller's
    whorl_program *program;
    whorl_session *session;
    struct decoder_tiles tiles;
    uint32_t context, texts; // tokens of a text, and texts
    uint32_t room;           // tokens of a text that there is memory for
    struct decoder_text text[DECODER_TEXTS];
    int32_t *tokens;                    // [texts][room]
    float *likely;                      // [texts][room]
    int32_t *seen;                      // [texts][vocab] tokens that stand in a text, as the device gets them
    bool is_changed;                    // by decoder_begin, and the device does not know it
    double weights_bytes, memory_bytes; // on the device; memory: what is kept of tokens, and all else
    uint64_t dispatches;                // so far
    bool fell_back;                     // some call needed more than one dispatch a slice
};

// Opens the model at `path`, a folder or a file; *d is zeros before. Whatever comes back, decoder_close frees it.
enum whorl_status decoder_open(struct decoder *d, const char *path, struct whorl_error *err);
// Another form of the matrices, made when they are loaded. Q4: of those in the layers; the embedding and the head
// become Q8, unless the file has them in 4 bits. WHORL_UNSUPPORTED: the model's rows cannot be cut into blocks.
enum whorl_status decoder_set_form(struct decoder *d, enum decoder_form form, struct whorl_error *err);
const char *decoder_forms_name(const struct decoder *d); // those of all matrices: "f16", "q8 and q4"
double decoder_form_bytes(enum decoder_form form);       // of a weight, its share of a scale counted
// Makes the program for `texts` texts of up to `context` tokens each; texts <= DECODER_TEXTS. The device must outlive
// the decoder. WHORL_LIMIT: it is too small for the model; the message says what is needed.
enum whorl_status decoder_compile(struct decoder *d, whorl_device *device, uint32_t texts, uint32_t context,
                                  struct whorl_error *err);
// Bytes on the device, once it is compiled.
double decoder_bytes(const struct decoder *d);
// Takes the weights to the device. A CPU device runs WHORL_CPU, whatever the strategy.
enum whorl_status decoder_load(struct decoder *d, enum whorl_strategy strategy, struct whorl_error *err);
void decoder_close(struct decoder *d);

// Text number `which` is ids[0..count) from now on, and grows to `limit` tokens at most; limit <= context. limit ==
// count: nothing is made, its tokens are only judged. What stands at the beginning of it and of the text that was there
// before is not computed again: text->kept says how much that is. Equal texts: all but the last token. count 0 or over
// limit, or a token that the model does not have: WHORL_INVALID.
enum whorl_status decoder_begin(struct decoder *d, uint32_t which, const uint32_t *ids, size_t count, uint32_t limit,
                                const struct decoder_sampling *sampling, struct whorl_error *err);
// How many of these tokens decoder_begin would not have to compute again.
uint32_t decoder_prefix(const struct decoder *d, uint32_t which, const uint32_t *ids, size_t count);
// It is not run any more; what is kept of it stays for the next decoder_begin.
void decoder_pause(struct decoder *d, uint32_t which);

struct decoder_run_options {
    bool judge; // fill text->likely for every token from kept + 1 on, given or made, and the logits of each position
    // As in whorl_run_options. What was made until a cancel is there, and the text can go on.
    bool (*progress)(void *user, const struct whorl_progress *p);
    void *user;
};
// Tokens that decoder_prompt would compute: of each running text's prompt all but the last that are not there yet,
// unless they are so few that decoder_run is as fast.
uint32_t decoder_pending(const struct decoder *d);
// Whether a text runs of which nothing is pending, so that decoder_run would make tokens of it.
bool decoder_is_ready(const struct decoder *d);
// Computes up to `most` of them, at least a tile, in one dispatch a slice: `kept` grows, and no token is made. A text
// of which only tokens were to be judged stops running at its end. WHORL_CANCELLED: by `progress`; nothing of this call
// is kept. judge: only if the decoder was compiled for it, and not with a penalty.
enum whorl_status decoder_prompt(struct decoder *d, uint32_t most, const struct decoder_run_options *options,
                                 struct whorl_error *err);

// Texts that run cost less the lower their numbers are: those up to the last running one are looked at.
//
// Goes on with every running text by at most `steps` positions: those of the tokens given first, each of which makes no
// new token but the last, then one token each. A text stops running when it ended, or when known == limit. steps >= 1.
// WHORL_CANCELLED: by `progress`.
enum whorl_status decoder_run(struct decoder *d, uint32_t steps, const struct decoder_run_options *options,
                              struct whorl_error *err);
// Logits of the position that was computed last, kept - 1: what comes behind tokens[kept - 1]. out: [vocab]. Only after
// a run that was judged, or that made the text's last token. A penalty of repeated tokens is in them.
enum whorl_status decoder_logits(struct decoder *d, uint32_t which, float *out, struct whorl_error *err);
// With hooks.trace: of `which`, layer 0 to layers, 0 being what goes into the first one. out: [kept][hidden].
enum whorl_status decoder_trace(struct decoder *d, uint32_t which, uint32_t layer, float *out, struct whorl_error *err);

#endif
