// For tests/models/compare_tokenizers.py: tokens of texts. `tokens TOKENIZER` reads a line of hexadecimal UTF-8 for
// each text, and prints its ids, then `|` and the bytes that decoding them gives. A line that begins with `#` is a list
// of ids to decode. `--special` adds what the model wants around a text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/token/tokenizer.h"

static struct model_tokenizer *tokenizer;
static struct whorl_error err;

static void print_decoded(const uint32_t *ids, size_t count) {
    struct model_detokenizer d = {.keep_special = true};
    char *out = malloc(model_detokenize_room(tokenizer) + 16);
    if (!out) abort();
    printf("|");
    for (size_t i = 0; i <= count; i++) {
        size_t size = i < count ? model_detokenize(tokenizer, &d, ids[i], out) : model_detokenize_end(&d, out);
        for (size_t b = 0; b < size; b++)
            printf("%02x", (unsigned char)out[b]);
    }
    printf("\n");
    free(out);
}

static void decode_line(char *line) {
    static uint32_t ids[4096];
    size_t count = 0;
    for (char *word = strtok(line + 1, " \n"); word && count < 4096; word = strtok(NULL, " \n"))
        ids[count++] = (uint32_t)strtoul(word, NULL, 10);
    print_decoded(ids, count);
}

static void encode_line(char *line, bool special) {
    size_t size = strcspn(line, "\n") / 2;
    struct model_tokens tokens;
    for (size_t i = 0; i < size; i++) {
        unsigned byte;
        if (sscanf(line + 2 * i, "%2x", &byte) != 1) abort();
        line[i] = (char)byte;
    }
    if (model_encode(tokenizer, line, size, special, &tokens, &err) != WHORL_OK) {
        printf("error: %s\n", err.message);
        return;
    }
    for (size_t i = 0; i < tokens.count; i++)
        printf("%u ", tokens.ids[i]);
    print_decoded(tokens.ids, tokens.count);
    model_tokens_free(&tokens);
}

int main(int argc, char **argv) {
    struct model_file *file = NULL;
    bool special = argc == 3 && strcmp(argv[1], "--special") == 0;
    const char *path = argv[argc - 1];
    size_t size = strlen(path);
    char *line = NULL;
    size_t room = 0;
    if (argc < 2) return 2;
    bool gguf = size > 5 && strcmp(path + size - 5, ".gguf") == 0;
    enum whorl_status status = gguf ? model_file_open(path, &file, &err) : WHORL_OK;
    if (status == WHORL_OK) status = model_tokenizer_open(path, file, &tokenizer, &err);
    if (status != WHORL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    while (getline(&line, &room, stdin) > 0) {
        if (line[0] == '#')
            decode_line(line);
        else
            encode_line(line, special);
    }
    free(line);
    model_tokenizer_close(tokenizer);
    model_file_close(file);
    return 0;
}
