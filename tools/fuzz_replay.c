// Drives a libFuzzer target without libFuzzer: every file of the given folders goes through LLVMFuzzerTestOneInput,
// then N mutations of each (--mutations N, default 0; the same ones every time). So gcc's sanitizers run the corpus in
// every `make test`, and a crash that libFuzzer found replays with nothing but the file's name.
//
// Before an input runs it is written to a file beside the target, TARGET.last-input, so that the input that crashed is
// at hand.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

enum { MAX_INPUT_BYTES = 1 << 20 };
static uint64_t random_state;
static char last_input[4096];

static uint32_t random_u32(void) { // splitmix64
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

// The target gets its own exact-size copy, so that the sanitizer sees a read past the end.
static void run_one(const uint8_t *data, size_t size_bytes) {
    FILE *last = fopen(last_input, "wb");
    if (last) {
        fwrite(data, 1, size_bytes, last);
        fclose(last);
    }
    uint8_t *copy = malloc(size_bytes ? size_bytes : 1);
    if (!copy) abort();
    if (size_bytes) memcpy(copy, data, size_bytes);
    LLVMFuzzerTestOneInput(copy, size_bytes);
    free(copy);
}

// One to four small changes: a byte, a bit, a cut, a repeat, a number at its limit.
static size_t mutate(uint8_t *data, size_t size_bytes, size_t room_bytes) {
    static const char *const tokens[] = {
        "0", "-1", "4294967296", "99999999999999999999", "(", ")", "{", "[", "\"", "\\\n", "#", "/*", "\0"};
    for (uint32_t changes = 1 + random_u32() % 4; changes > 0; changes--) {
        size_t at = size_bytes ? random_u32() % size_bytes : 0;
        const char *token = tokens[random_u32() % (sizeof tokens / sizeof *tokens)];
        size_t token_bytes = *token ? strlen(token) : 1, span = size_bytes ? 1 + random_u32() % (size_bytes - at) : 0;
        switch (random_u32() % 5) {
        case 0:
            if (size_bytes) data[at] = (uint8_t)random_u32();
            break;
        case 1:
            if (size_bytes) data[at] ^= (uint8_t)(1u << random_u32() % 8);
            break;
        case 2: // cut a span out
            memmove(data + at, data + at + span, size_bytes - at - span);
            size_bytes -= span;
            break;
        case 3: // say a span twice
            if (size_bytes + span > room_bytes) break;
            memmove(data + at + span, data + at, size_bytes - at);
            size_bytes += span;
            break;
        default:
            if (size_bytes + token_bytes > room_bytes) break;
            memmove(data + at + token_bytes, data + at, size_bytes - at);
            memcpy(data + at, token, token_bytes);
            size_bytes += token_bytes;
        }
    }
    return size_bytes;
}

static int replay_file(const char *path, long mutations) {
    static uint8_t text[MAX_INPUT_BYTES], changed[MAX_INPUT_BYTES];
    FILE *in = fopen(path, "rb");
    if (!in) {
        perror(path);
        return 1;
    }
    size_t size_bytes = fread(text, 1, sizeof text, in);
    fclose(in);
    run_one(text, size_bytes);
    random_state = size_bytes;
    for (long i = 0; i < mutations; i++) {
        memcpy(changed, text, size_bytes);
        run_one(changed, mutate(changed, size_bytes, sizeof changed));
    }
    const char *slash = strrchr(path, '/');
    printf("ok replay.%s\n", slash ? slash + 1 : path);
    return 0;
}

static int replay(const char *path, long mutations) {
    struct stat info;
    if (stat(path, &info) != 0) {
        perror(path);
        return 1;
    }
    if (!S_ISDIR(info.st_mode)) return replay_file(path, mutations);
    struct dirent **names;
    int count = scandir(path, &names, NULL, alphasort), failed = count < 0;
    for (int i = 0; i < count; i++) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.') failed |= replay(inner, mutations);
        free(names[i]);
    }
    if (count >= 0) free(names);
    return failed;
}

int main(int argc, char **argv) {
    long mutations = 0;
    int failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    snprintf(last_input, sizeof last_input, "%s.last-input", argv[0]);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mutations") == 0 && i + 1 < argc)
            mutations = strtol(argv[++i], NULL, 10);
        else
            failed |= replay(argv[i], mutations);
    }
    return failed;
}
