// The inside of a tokenizer, for the files that fill it.
#ifndef WHORL_MODEL_TOKEN_PARTS_H
#define WHORL_MODEL_TOKEN_PARTS_H

#include "model/token/added.h"
#include "model/token/split.h"
#include "model/token/tokenizer.h"
#include "model/token/vocab.h"

enum { TOKENIZER_MAX_AROUND = 8 };
struct model_tokenizer {
    struct model_work work;
    struct vocab vocab;
    struct added_tokens raw;        // found in the text as it is
    struct added_tokens normalised; // found in the normalised text
    struct split_steps steps;
    uint32_t before[TOKENIZER_MAX_AROUND], after[TOKENIZER_MAX_AROUND]; // what the model wants around a text
    uint32_t before_count, after_count;
    bool metaspaces;   // U+2581 is a space in decoded text
    bool strip_first;  // the first space of decoded text is none of the text's
    size_t room_bytes; // model_detokenize_room
};

// Fill a tokenizer of zeros with an initialised work.
void tokenizer_take_json(struct model_work *w, struct model_tokenizer *t, yyjson_val *root);
void tokenizer_take_gguf(struct model_work *w, struct model_tokenizer *t, const struct gguf *g);
// tokenizer_steps.c: the parts "normalizer", "pre_tokenizer", "post_processor" and "decoder" of a tokenizer.json.
void tokenizer_take_steps(struct model_work *w, struct model_tokenizer *t, yyjson_val *root);
// Steps that both forms make.
void tokenizer_add_split(struct model_work *w, struct model_tokenizer *t, const char *pattern);
void tokenizer_add_normal(struct model_work *w, struct model_tokenizer *t, const struct normal_step *step);
// The split of GPT-2.
extern const char tokenizer_gpt2_pattern[];

#endif
