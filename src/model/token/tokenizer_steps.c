// What a tokenizer.json does to a text before and after its merges, in Hugging Face's words. Each kind that is not here
// is refused by its name: another split would give tokens that the model was not trained on.
#include <string.h>

#include "model/file/json_checked.h"
#include "model/token/parts.h"

const char tokenizer_gpt2_pattern[] =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

enum { MAX_NESTING = 8 };

static const char *type_of(struct model_work *w, yyjson_val *object, const char *what) {
    yyjson_val *type = model_json_get(object, "type");
    if (!type) model_invalid(w, "its %s has no \"type\"", what);
    return model_json_text(w, type, "\"type\"");
}

static _Noreturn void unsupported(struct model_work *w, const char *what, const char *type) {
    model_refuse(w, WHORL_UNSUPPORTED, "its %s is of the kind \"%.60s\", which whorl does not have", what, type);
}

static const char *text_of(struct model_work *w, yyjson_val *object, const char *key, const char *otherwise) {
    yyjson_val *value = model_json_get(object, key);
    return value ? model_json_text(w, value, key) : otherwise;
}

typedef void take_fn(struct model_work *w, struct model_tokenizer *t, yyjson_val *one, int depth);

// A member that is a list of steps.
static void take_list(struct model_work *w, struct model_tokenizer *t, yyjson_val *one, const char *key, take_fn *take,
                      int depth) {
    yyjson_val *list = model_json_get(one, key);
    yyjson_arr_iter iter = yyjson_arr_iter_with(list);
    if (!yyjson_is_arr(list) || depth >= MAX_NESTING)
        model_invalid(w, "its \"%s\" is no list, or nested too deep", key);
    for (yyjson_val *step; (step = yyjson_arr_iter_next(&iter));)
        take(w, t, step, depth + 1);
}

// {"String": "..."} or {"Regex": "..."}
static struct pattern *pattern_of(struct model_work *w, yyjson_val *one) {
    yyjson_val *object = model_json_get(one, "pattern");
    yyjson_val *text = model_json_get(object, "String"), *regex = model_json_get(object, "Regex");
    if (!text == !regex) model_invalid(w, "its \"pattern\" is neither a \"String\" nor a \"Regex\"");
    const char *own = model_json_text(w, text ? text : regex, "a pattern");
    if (!*own) model_invalid(w, "it has an empty pattern");
    return text ? pattern_make_literal(w, own, strlen(own)) : pattern_make(w, own, strlen(own));
}

// ---- normalizer ----

void tokenizer_add_normal(struct model_work *w, struct model_tokenizer *t, const struct normal_step *step) {
    if (t->steps.normal_count == SPLIT_MAX_STEPS) {
        pattern_free(step->pattern);
        model_refuse(w, WHORL_LIMIT, "it has more than %d normalizers", SPLIT_MAX_STEPS);
    }
    t->steps.normals[t->steps.normal_count++] = *step;
}

static void take_normal(struct model_work *w, struct model_tokenizer *t, yyjson_val *one, int depth) {
    static const char *const forms[] = {"NFC", "NFD", "NFKC", "NFKD"};
    const char *type = type_of(w, one, "normalizer");
    struct normal_step step = {.kind = NORMAL_FORM};
    if (strcmp(type, "Sequence") == 0) {
        take_list(w, t, one, "normalizers", take_normal, depth);
        return;
    }
    for (int f = 0; f < 4; f++) {
        if (strcmp(type, forms[f]) != 0) continue;
        step.form = (enum unicode_form)f;
        tokenizer_add_normal(w, t, &step);
        return;
    }
    if (strcmp(type, "Prepend") == 0) {
        step.kind = NORMAL_PREPEND;
        step.text = text_of(w, one, "prepend", "");
    } else if (strcmp(type, "Replace") == 0) {
        step.kind = NORMAL_REPLACE;
        step.text = text_of(w, one, "content", "");
        step.pattern = pattern_of(w, one);
    } else {
        unsupported(w, "normalizer", type);
    }
    step.size_bytes = strlen(step.text);
    tokenizer_add_normal(w, t, &step);
}

// ---- pre_tokenizer ----

static void add_split(struct model_work *w, struct model_tokenizer *t, const struct split_step *step) {
    if (t->steps.split_count == SPLIT_MAX_STEPS) {
        pattern_free(step->pattern);
        model_refuse(w, WHORL_LIMIT, "it has more than %d splits", SPLIT_MAX_STEPS);
    }
    t->steps.splits[t->steps.split_count++] = *step;
}

void tokenizer_add_split(struct model_work *w, struct model_tokenizer *t, const char *pattern) {
    add_split(w, t, &(struct split_step){.kind = SPLIT_PATTERN, .pattern = pattern_make(w, pattern, strlen(pattern))});
}

static enum split_behavior behavior_of(struct model_work *w, yyjson_val *one) {
    static const char *const names[] = {"Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous"};
    const char *name = text_of(w, one, "behavior", "");
    for (int b = 0; b < 5; b++)
        if (strcmp(name, names[b]) == 0) return (enum split_behavior)b;
    unsupported(w, "split's behavior", name);
}

static void take_byte_level(struct model_work *w, struct model_tokenizer *t, yyjson_val *one) {
    t->vocab.byte_level = true;
    if (model_json_bool(w, one, "add_prefix_space", true))
        add_split(w, t, &(struct split_step){.kind = SPLIT_PREFIX_SPACE});
    if (model_json_bool(w, one, "use_regex", true)) tokenizer_add_split(w, t, tokenizer_gpt2_pattern);
}

static void take_metaspace(struct model_work *w, struct model_tokenizer *t, yyjson_val *one) {
    const char *scheme = text_of(w, one, "prepend_scheme", NULL);
    struct split_step step = {.kind = SPLIT_METASPACE, .behavior = SPLIT_WITH_NEXT};
    if (!scheme) scheme = model_json_bool(w, one, "add_prefix_space", true) ? "always" : "never";
    step.text = text_of(w, one, "replacement", "\xe2\x96\x81");
    if (strcmp(scheme, "always") == 0)
        step.prepend = SPLIT_PREPEND_ALWAYS;
    else if (strcmp(scheme, "first") == 0)
        step.prepend = SPLIT_PREPEND_FIRST;
    else if (strcmp(scheme, "never") != 0)
        unsupported(w, "prepend_scheme", scheme);
    if (model_json_bool(w, one, "split", true)) step.pattern = pattern_make_literal(w, step.text, strlen(step.text));
    add_split(w, t, &step);
}

static void take_split(struct model_work *w, struct model_tokenizer *t, yyjson_val *one, int depth) {
    const char *type = type_of(w, one, "pre_tokenizer");
    if (strcmp(type, "Sequence") == 0) {
        take_list(w, t, one, "pretokenizers", take_split, depth);
    } else if (strcmp(type, "ByteLevel") == 0) {
        take_byte_level(w, t, one);
    } else if (strcmp(type, "Metaspace") == 0) {
        take_metaspace(w, t, one);
    } else if (strcmp(type, "Digits") == 0) {
        struct split_step step = {.kind = SPLIT_PATTERN};
        step.behavior = model_json_bool(w, one, "individual_digits", false) ? SPLIT_ISOLATED : SPLIT_CONTIGUOUS;
        step.pattern = pattern_make(w, "\\p{N}", 5);
        add_split(w, t, &step);
    } else if (strcmp(type, "Split") == 0) {
        struct split_step step = {.kind = SPLIT_PATTERN, .behavior = behavior_of(w, one)};
        step.invert = model_json_bool(w, one, "invert", false);
        step.pattern = pattern_of(w, one);
        add_split(w, t, &step);
    } else {
        unsupported(w, "pre_tokenizer", type);
    }
}

// ---- post_processor: what stands around one text ----

static void add_around(struct model_work *w, struct model_tokenizer *t, yyjson_val *special, bool behind) {
    uint32_t *ids = behind ? t->after : t->before, *count = behind ? &t->after_count : &t->before_count;
    yyjson_val *list = model_json_get(special, "ids");
    yyjson_arr_iter iter = yyjson_arr_iter_with(list);
    if (!yyjson_is_arr(list)) model_invalid(w, "its post_processor names a special token that it does not define");
    for (yyjson_val *id; (id = yyjson_arr_iter_next(&iter));) {
        if (!yyjson_is_uint(id) || yyjson_get_uint(id) >= t->vocab.count || *count == TOKENIZER_MAX_AROUND)
            model_invalid(w, "its post_processor adds a token that is not in the vocabulary, or too many");
        ids[(*count)++] = (uint32_t)yyjson_get_uint(id);
    }
}

static void take_template(struct model_work *w, struct model_tokenizer *t, yyjson_val *one) {
    yyjson_val *single = model_json_get(one, "single"), *special = model_json_get(one, "special_tokens");
    yyjson_arr_iter iter = yyjson_arr_iter_with(single);
    bool behind = false;
    for (yyjson_val *part; (part = yyjson_arr_iter_next(&iter));) {
        yyjson_val *token = model_json_get(part, "SpecialToken");
        if (!token) {
            behind = true;
            continue;
        }
        add_around(w, t, model_json_get(special, text_of(w, token, "id", "")), behind);
    }
}

static void take_post(struct model_work *w, struct model_tokenizer *t, yyjson_val *one, int depth) {
    const char *type = type_of(w, one, "post_processor");
    if (strcmp(type, "Sequence") == 0)
        take_list(w, t, one, "processors", take_post, depth);
    else if (strcmp(type, "TemplateProcessing") == 0)
        take_template(w, t, one);
    else if (strcmp(type, "ByteLevel") != 0)
        unsupported(w, "post_processor", type);
}

// ---- decoder ----

static void take_decoder(struct model_work *w, struct model_tokenizer *t, yyjson_val *one, int depth) {
    static const char *const plain[] = {"ByteLevel", "ByteFallback", "Fuse"}; // what every decoding here does
    const char *type = type_of(w, one, "decoder");
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(type, plain[i]) == 0) return;
    if (strcmp(type, "Sequence") == 0) {
        take_list(w, t, one, "decoders", take_decoder, depth);
    } else if (strcmp(type, "Replace") == 0) {
        const char *pattern = text_of(w, model_json_get(one, "pattern"), "String", "");
        if (strcmp(pattern, "\xe2\x96\x81") != 0 || strcmp(text_of(w, one, "content", ""), " ") != 0)
            unsupported(w, "decoder", "Replace (of other than U+2581 by a space)");
        t->metaspaces = true;
    } else if (strcmp(type, "Strip") == 0) {
        bool first = model_json_uint(w, one, "start", 16, 0) == 1 && model_json_uint(w, one, "stop", 16, 0) == 0;
        if (!first || strcmp(text_of(w, one, "content", ""), " ") != 0)
            unsupported(w, "decoder", "Strip (of other than the first space)");
        t->strip_first = true;
    } else if (strcmp(type, "Metaspace") == 0) {
        const char *scheme = text_of(w, one, "prepend_scheme", NULL);
        bool prefix = model_json_bool(w, one, "add_prefix_space", true);
        t->metaspaces = true;
        t->strip_first = scheme ? strcmp(scheme, "never") != 0 : prefix;
    } else {
        unsupported(w, "decoder", type);
    }
}

void tokenizer_take_steps(struct model_work *w, struct model_tokenizer *t, yyjson_val *root) {
    static const struct {
        const char *key;
        take_fn *take;
    } parts[] = {{"normalizer", take_normal},
                 {"pre_tokenizer", take_split},
                 {"post_processor", take_post},
                 {"decoder", take_decoder}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        yyjson_val *one = model_json_get(root, parts[i].key);
        if (one) parts[i].take(w, t, one, 0);
    }
}
