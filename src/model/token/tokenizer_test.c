// Tokenizers: the tokens that the package `tokenizers` gives (a fixture for models/tiny; compare_tokenizers.py does
// more), the rules one by one on small vocabularies, hostile files and hostile texts.
#include <time.h>

#include "base/file.h"
#include "check.h"
#include "model/file/made_testing.h"
#include "model/token/tokenizer.h"

static struct model_tokenizer *t;
static struct whorl_error err;

static enum whorl_status open_json(const char *text) {
    model_tokenizer_close(t);
    return model_tokenizer_of_json(text, strlen(text), &t, &err);
}

static enum whorl_status open_path(const char *path) {
    model_tokenizer_close(t);
    return model_tokenizer_open(path, NULL, &t, &err);
}

// The ids of a text as words: "5 17 ".
static const char *ids_of(const char *text, size_t size_bytes, bool special) {
    static char out[1 << 16];
    struct model_tokens tokens;
    out[0] = 0;
    if (model_encode(t, text, size_bytes, special, &tokens, &err) != WHORL_OK) return err.message;
    for (size_t i = 0, at = 0; i < tokens.count && at < sizeof out - 16; i++)
        at += (size_t)sprintf(out + at, "%u ", tokens.ids[i]);
    model_tokens_free(&tokens);
    return out;
}

static const char *decoded(const uint32_t *ids, size_t count, bool keep_special) {
    static char out[1 << 16];
    struct model_detokenizer d = {.keep_special = keep_special};
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += model_detokenize(t, &d, ids[i], out + size);
    size += model_detokenize_end(&d, out + size);
    out[size] = 0;
    return out;
}

// A line of the fixture: hexadecimal text, |, ids. Returns the next line.
static char *check_line(char *line) {
    static char text[1 << 16], again[1 << 16];
    char *bar = strchr(line, '|'), *end = strchr(line, '\n');
    size_t size = 0;
    CHECK(bar && end);
    *end = 0;
    for (; line < bar; line += 2) {
        unsigned byte;
        CHECK(sscanf(line, "%2x", &byte) == 1);
        text[size++] = (char)byte;
    }
    snprintf(again, sizeof again, "%s%s", bar + 1, bar[1] ? " " : "");
    CHECK_EQ_STR(again, ids_of(text, size, false));
    uint32_t ids[4096];
    size_t count = 0;
    for (char *word = strtok(again, " "); word; word = strtok(NULL, " "))
        ids[count++] = (uint32_t)strtoul(word, NULL, 10);
    text[size] = 0;
    if (!memchr(text, 0, size)) CHECK_EQ_STR(text, decoded(ids, count, true)); // no normaliser: the way back is exact
    return end + 1;
}

TEST(tiny_as_the_reference) {
    char *lines;
    size_t size, count = 0;
    CHECK_EQ_INT(WHORL_OK, open_path("models/tiny"));
    CHECK_EQ_INT(4096, model_tokenizer_count(t));
    CHECK_EQ_INT(4094, model_token_id(t, "<|endoftext|>"));
    CHECK_EQ_INT(UINT32_MAX, model_token_id(t, "<|nothing|>"));
    CHECK_EQ_INT(WHORL_OK, base_read_file("tests/models/tiny_tokens.txt", 0, &lines, &size, &err));
    for (char *line = lines; line < lines + size; count++)
        line = check_line(line);
    base_heap_free(lines);
    CHECK(count >= 250);
}

TEST(tiny_as_golden_json_has_it) { CHECK_EQ_STR("1147 258 2084 387 ", ids_of("In the beginning God", 20, true)); }

TEST(characters_come_whole) { // one token a byte: nothing is given before the character is
    struct model_detokenizer d = {0};
    char out[64];
    static const char heart[] = "\xe2\x9d\xa4x";
    const char *ids = ids_of(heart, 4, false);
    CHECK(model_detokenize_room(t) <= sizeof out * 64);
    uint32_t first = (uint32_t)strtoul(ids, NULL, 10);
    char *room = malloc(model_detokenize_room(t));
    size_t size = model_detokenize(t, &d, first, room);
    CHECK(size == 0 || size == 3);
    CHECK_EQ_INT(size == 0 ? 3 : 0, model_detokenize_end(&d, out)); // half a character: U+FFFD
    CHECK_EQ_INT(0, model_detokenize(t, &d, 4000000000u, room));
    CHECK_EQ_INT(0, model_detokenize(t, &d, 4094, room)); // special
    d.keep_special = true;
    CHECK_EQ_INT(13, model_detokenize(t, &d, 4094, room));
    free(room);
}

// ---- small vocabularies ----

#define BPE(vocab, merges, more) "\"model\":{\"type\":\"BPE\",\"vocab\":{" vocab "},\"merges\":[" merges "]" more "}"
#define BYTES_STEP "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"use_regex\":false}"
#define BYTES "\"pre_tokenizer\":" BYTES_STEP

static const char llama[] =
    "{\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"Prepend\",\"prepend\":\"\xe2\x96\x81\"},"
    "{\"type\":\"Replace\",\"pattern\":{\"String\":\" \"},\"content\":\"\xe2\x96\x81\"}]},"
    "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":{\"id\":\"<s>\",\"type_id\":0}},"
    "{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}],\"special_tokens\":{\"<s>\":{\"id\":\"<s>\",\"ids\":[1]}}},"
    "\"decoder\":{\"type\":\"Sequence\",\"decoders\":[{\"type\":\"Replace\",\"pattern\":{\"String\":\"\xe2\x96\x81\"},"
    "\"content\":\" \"},{\"type\":\"ByteFallback\"},{\"type\":\"Fuse\"},{\"type\":\"Strip\",\"content\":\" "
    "\",\"start\":1,"
    "\"stop\":0}]},\"added_tokens\":[{\"id\":0,\"content\":\"<unk>\",\"special\":true},{\"id\":1,\"content\":\"<s>\","
    "\"special\":true}]," BPE(
        "\"<unk>\":0,\"<s>\":1,\"<0xC3>\":2,\"<0xA9>\":3,\"\xe2\x96\x81\":4,\"a\":5,\"b\":6,\"ab\":7,"
        "\"\xe2\x96\x81"
        "ab\":8",
        "\"a b\",\"\xe2\x96\x81 ab\"", ",\"byte_fallback\":true,\"unk_token\":\"<unk>\",\"fuse_unk\":true") "}";

TEST(sentencepiece_with_byte_fallback) {
    CHECK_EQ_INT(WHORL_OK, open_json(llama));
    CHECK_EQ_STR("8 4 5 ", ids_of("ab a", 4, false));
    CHECK_EQ_STR("1 8 ", ids_of("ab", 2, true));
    CHECK_EQ_STR("4 2 3 5 ", ids_of("\xc3\xa9"
                                    "a",
                                    3, false)); // by its bytes
    CHECK_EQ_STR("4 0 5 ", ids_of("\xe5\xad\x97\xe5\xad\x97"
                                  "a",
                                  7, false)); // unknown ones are one
    CHECK_EQ_STR("8 1 4 5 ", ids_of("ab<s>a", 6, false));
    CHECK_EQ_STR("", ids_of("", 0, false));
    CHECK_EQ_STR("1 ", ids_of("", 0, true));
    CHECK_EQ_STR("ab a\xc3\xa9", decoded((const uint32_t[]){1, 8, 4, 5, 2, 3}, 6, false));
    CHECK_EQ_STR("\xef\xbf\xbd"
                 "a",
                 decoded((const uint32_t[]){2, 5}, 2, false));
}

TEST(added_tokens_take_spaces_and_stand_alone) {
    CHECK_EQ_INT(WHORL_OK,
                 open_json("{\"added_tokens\":[{\"id\":2,\"content\":\"<x>\",\"lstrip\":true,\"rstrip\":true},"
                           "{\"id\":3,\"content\":\"ab\",\"single_word\":true},{\"id\":4,\"content\":\"<x>y\"}]," BYTES
                           "," BPE("\"a\":0,\"b\":1,\"\xc4\xa0\":5", "", "") "}"));
    CHECK_EQ_STR("0 2 1 ", ids_of("a  <x> \n b", 10, false));
    CHECK_EQ_STR("0 4 1 ", ids_of("a<x>yb", 6, false)); // the longest
    CHECK_EQ_STR("3 5 0 1 0 ", ids_of("ab aba", 6, false));
    CHECK_EQ_STR("a b", decoded((const uint32_t[]){0, 5, 1}, 3, false));
}

TEST(normal_forms) {
    CHECK_EQ_INT(WHORL_OK, open_json("{\"normalizer\":{\"type\":\"NFC\"}," BYTES "," BPE(
                               "\"\xc3\x83\":0,\"\xc2\xa9\":1,\"e\":2,\"\xc3\x8c\":3,\"\xc4\xa3\":4", "", "") "}"));
    CHECK_EQ_STR("0 1 ", ids_of("e\xcc\x81", 3, false)); // e and an acute become one character
}

static void refused(const char *json, enum whorl_status status, const char *why) {
    CHECK_EQ_INT(status, open_json(json));
    CHECK_HAS_STR(why, err.message);
}

TEST(what_is_not_there_is_named) {
    refused("{}", WHORL_INVALID, "no object \"model\"");
    refused("{\"model\":{\"type\":\"Unigram\"}}", WHORL_UNSUPPORTED, "\"Unigram\"");
    refused("{" BPE("\"a\":0,\"b\":0", "", "") "}", WHORL_INVALID, "have the id 0");
    refused("{" BPE("\"a\":0,\"a\":1", "", "") "}", WHORL_INVALID, "twice");
    refused("{" BPE("\"a\":-1", "", "") "}", WHORL_INVALID, "not an integer below");
    refused("{" BPE("\"a\":4294967295", "", "") "}", WHORL_INVALID, "not an integer below");
    refused("{" BPE("\"a\":0", "\"a b\"", "") "}", WHORL_INVALID, "not in the vocabulary");
    refused("{" BPE("\"a\":0", "\"a\"", "") "}", WHORL_INVALID, "not of two texts");
    refused("{" BPE("\"a\":0", "[\"a\"]", "") "}", WHORL_INVALID, "not of two texts");
    refused("{" BPE("\"a\":0", "7", "") "}", WHORL_INVALID, "not of two texts");
    refused("{" BPE("\"a\":0", "[\"a\",7]", "") "}", WHORL_INVALID, "not of two texts");
    refused("{" BPE("\"a\":0", "", ",\"dropout\":0.1") "}", WHORL_UNSUPPORTED, "at random");
    refused("{" BPE("\"a\":0", "", ",\"end_of_word_suffix\":\"x\"") "}", WHORL_UNSUPPORTED, "end_of_word_suffix");
    refused("{" BPE("\"a\":0", "", ",\"unk_token\":\"x\"") "}", WHORL_INVALID, "unk_token");
    refused("{\"normalizer\":{\"type\":\"BertNormalizer\"}," BPE("", "", "") "}", WHORL_UNSUPPORTED,
            "\"BertNormalizer\"");
    refused("{\"pre_tokenizer\":{\"type\":\"Whitespace\"}," BPE("", "", "") "}", WHORL_UNSUPPORTED, "\"Whitespace\"");
    refused("{\"decoder\":{\"type\":\"CTC\"}," BPE("", "", "") "}", WHORL_UNSUPPORTED, "\"CTC\"");
    refused("{\"post_processor\":{\"type\":\"BertProcessing\"}," BPE("", "", "") "}", WHORL_UNSUPPORTED,
            "BertProcessing");
    refused("{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"(\"},\"behavior\":\"Isolated\"}," BPE(
                "", "", "") "}",
            WHORL_UNSUPPORTED, "cannot be used: missing closing parenthesis");
    refused(
        "{\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"a\"},\"behavior\":\"X\"}," BPE("", "", "") "}",
        WHORL_UNSUPPORTED, "\"X\"");
    refused("{\"added_tokens\":[{\"id\":0,\"content\":\"x\"},{\"id\":0,\"content\":\"y\"}]," BPE("", "", "") "}",
            WHORL_INVALID, "have the id 0");
    CHECK_EQ_INT(WHORL_IO, open_path("/nowhere"));
}

TEST(cut_at_every_byte) {
    model_tokenizer_close(t);
    for (size_t size = 0; size + 1 < sizeof llama; size++) {
        char *exact = malloc(size ? size : 1);
        memcpy(exact, llama, size);
        CHECK_EQ_INT(WHORL_INVALID, model_tokenizer_of_json(exact, size, &t, &err));
        free(exact);
    }
}

TEST(text_that_is_not_utf8) {
    CHECK_EQ_INT(WHORL_OK, open_json(llama));
    static const char *const wrong[] = {"a\x80",        "\xc0\x80",         "\xc3", "\xe0\x80\x80",
                                        "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_HAS_STR("not UTF-8: byte", ids_of(wrong[i], strlen(wrong[i]), false));
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A run that is one piece, of each kind that could be slow: letters, spaces, marks, digits, an added token's beginning.
TEST(long_runs_stay_near_linear) {
    static const char *const units[] = {"a", " ", "\n", "1", "<|", "\xcc\x81\xcc\xa3", "\xe5\xad\x97", "' ", " \n"};
    enum { BYTES_EACH = 200000 };
    static char text[BYTES_EACH + 8];
    CHECK_EQ_INT(WHORL_OK, open_path("models/tiny"));
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct model_tokens tokens;
        size_t size = 0;
        for (; size < BYTES_EACH; size += strlen(units[i]))
            memcpy(text + size, units[i], strlen(units[i]));
        double begin = seconds();
        CHECK_EQ_INT(WHORL_OK, model_encode(t, text, size, false, &tokens, &err));
        model_tokens_free(&tokens);
        if (seconds() - begin > 5)
            FAIL("%zu bytes of \"%s\" took %.1f s", size, units[i], seconds() - begin); // sanitized
    }
}

TEST(long_runs_of_marks_in_normal_form) {
    static char text[200001];
    CHECK_EQ_INT(WHORL_OK, open_json("{\"normalizer\":{\"type\":\"NFC\"}," BYTES "," BPE("\"a\":0", "", "") "}"));
    text[0] = 'e';
    for (size_t i = 1; i < 200000; i += 4)
        memcpy(text + i, i % 8 == 1 ? "\xcc\x81\xcc\x81" : "\xcc\xa3\xcc\xa3", 4);
    double begin = seconds();
    CHECK_EQ_STR("", ids_of(text, 200001 - 4, false));
    CHECK(seconds() - begin < 5);
}

TEST(a_pattern_that_never_ends_is_stopped) {
    static char text[5001];
    CHECK_EQ_INT(WHORL_OK, open_json("{\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Split\","
                                     "\"pattern\":{\"Regex\":\"(a|aa)+$\"},\"behavior\":\"Isolated\"}," BYTES_STEP
                                     "]}," BPE("\"a\":0", "", "") "}"));
    memset(text, 'a', 5000);
    text[5000] = 'b';
    double begin = seconds();
    CHECK_HAS_STR("takes too long", ids_of(text, 5001, false));
    CHECK(seconds() - begin < 10); // sanitized; the release takes a tenth
}

TEST(every_allocation_fails_once) {
    int failed = 0;
    for (uint64_t nth = 1;; nth++) {
        struct model_tokens tokens = {0};
        base_heap_fail_at(nth);
        model_tokenizer_close(t);
        enum whorl_status status = model_tokenizer_of_json(llama, sizeof llama - 1, &t, &err);
        if (status == WHORL_OK) status = model_encode(t, "ab a", 4, true, &tokens, &err);
        base_heap_fail_at(0);
        model_tokens_free(&tokens);
        if (status == WHORL_OK) break;
        CHECK_EQ_INT(WHORL_MEMORY, status);
        failed++;
    }
    CHECK(failed >= 5);
}

// ---- GGUF ----

static struct made m;

static enum whorl_status open_gguf(bool sentences, const char *pre, uint64_t types) {
    static const char *const tokens[] = {"<unk>",  "<s>",   "a", "b", "ab", "\xe2\x96\x81", "\xe2\x96\x81\x61\x62",
                                         "<0xC3>", "<0xA9>"};
    static const uint32_t kinds[] = {2, 3, 1, 1, 1, 1, 1, 6, 6};
    static struct made kept;
    struct model_file *file;
    made_gguf(&m, 3, 0, sentences ? 4 : 5);
    made_value_text(&m, "tokenizer.ggml.model", sentences ? "llama" : "gpt2");
    made_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 9);
    for (int i = 0; i < 9; i++)
        made_string(&m, !sentences && i == 5   ? "\xc4\xa0"
                        : !sentences && i == 6 ? "\xc4\xa0"
                                                 "ab"
                                               : tokens[i]);
    made_array(&m, "tokenizer.ggml.token_type", GGUF_I32, types);
    for (uint64_t i = 0; i < types; i++)
        made_u32(&m, kinds[i]);
    if (sentences) {
        made_array(&m, "tokenizer.ggml.scores", GGUF_F32, 9);
        for (int i = 0; i < 9; i++)
            made_u32(&m, base_float_bits((float)-i));
    } else {
        made_value_text(&m, "tokenizer.ggml.pre", pre);
        made_array(&m, "tokenizer.ggml.merges", GGUF_STRING, 2);
        made_string(&m, "a b");
        made_string(&m, "\xc4\xa0 ab");
    }
    kept = m;
    CHECK_EQ_INT(WHORL_OK, model_file_of_bytes(kept.data, kept.size_bytes, &file, &err));
    model_tokenizer_close(t);
    enum whorl_status status = model_tokenizer_open("made.gguf", file, &t, &err);
    model_file_close(file); // the tokens stand in the bytes, not in it
    return status;
}

TEST(gguf_of_both_kinds) {
    CHECK_EQ_INT(WHORL_OK, open_gguf(true, NULL, 9));
    CHECK_EQ_STR("1 6 5 2 ", ids_of("ab a", 4, true));
    CHECK_EQ_STR("5 7 8 ", ids_of("\xc3\xa9", 2, false));
    CHECK_EQ_STR("6 1 5 0 ", ids_of("ab<s>\xe5\xad\x97", 8, false));
    CHECK_EQ_STR("ab a", decoded((const uint32_t[]){1, 6, 5, 2}, 4, false));
    CHECK_EQ_INT(WHORL_OK, open_gguf(false, "qwen2", 9));
    CHECK_EQ_STR("4 6 ", ids_of("ab ab", 5, true));
    CHECK_EQ_INT(WHORL_OK, open_gguf(false, "llama-bpe", 9));
    CHECK_EQ_INT(WHORL_UNSUPPORTED, open_gguf(false, "tekken", 9));
    CHECK_HAS_STR("\"tekken\"", err.message);
    CHECK_EQ_INT(WHORL_INVALID, open_gguf(true, NULL, 8)); // types and tokens of different lengths
    CHECK_HAS_STR("not equally many", err.message);
    model_tokenizer_close(t);
    t = NULL;
}
