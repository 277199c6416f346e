// The file of a checkpoint: a head of fixed size, the copy of the run's state, and a hash of both.
//
// A file is used whole or not at all: its length stands in its head, its last word covers every byte before. What it
// belongs to are hashes in the head, so that a run of another program cannot go on from it. Words are in the machine's
// own order, which the head tells.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "run/state/checkpoint.h"

enum { VERSION = 1, ORDER = 0x01020304 };
static const char magic[16] = "whorl checkpoint";

struct head {
    char magic[16];
    uint32_t version, order;
    uint64_t total_bytes; // of the file
    uint64_t plan, scalars, inputs;
    uint32_t strategy, zero;
    double fraction; // for people, as the names are
    char program[64], device[120];
};
_Static_assert(sizeof(struct head) == 256, "the head has no gaps");
enum { SUM_BYTES = 8 };

// ---- the hash -------------------------------------------------------------------------------------------------------

static uint64_t rotated(uint64_t x, int by) { return x << by | x >> (64 - by); }

// Four lanes side by side; each step can be undone, so that lanes never forget a difference.
uint64_t run_sum(uint64_t sum, const void *data, size_t size_bytes) {
    static const uint64_t odd = 0x9E3779B97F4A7C15u;
    uint64_t lanes[4] = {sum ^ size_bytes, sum + odd, rotated(sum, 17) ^ odd, ~sum}, words[4];
    const unsigned char *from = data;
    for (size_t at = 0; at < size_bytes; at += sizeof words) {
        size_t some = size_bytes - at < sizeof words ? size_bytes - at : sizeof words;
        if (some < sizeof words) memset(words, 0, sizeof words);
        memcpy(words, from + at, some);
        for (int i = 0; i < 4; i++)
            lanes[i] = rotated((lanes[i] ^ words[i]) * odd, 29);
    }
    for (int i = 0; i < 4; i++) {
        sum = (sum ^ lanes[i]) * odd;
        sum ^= sum >> 32;
    }
    return sum;
}

// ---- out ------------------------------------------------------------------------------------------------------------

enum whorl_status run_checkpoint_write(const struct whorl_session *s, const char *path, const struct run_copy *copy,
                                       struct whorl_error *err) {
    const struct run_identity *id = &s->keep->identity;
    struct head head = {.version = VERSION,
                        .order = ORDER,
                        .total_bytes = sizeof head + copy->size_bytes + SUM_BYTES,
                        .plan = id->plan,
                        .scalars = id->scalars,
                        .inputs = id->inputs,
                        .strategy = (uint32_t)id->strategy,
                        .fraction = copy->fraction};
    memcpy(head.magic, magic, sizeof magic);
    snprintf(head.program, sizeof head.program, "%.60s", s->plan->entry);
    snprintf(head.device, sizeof head.device, "%.100s", s->device->info.name);
    uint64_t sum = run_sum(run_sum(0, &head, sizeof head), copy->data, copy->size_bytes);
    const struct base_span spans[] = {{&head, sizeof head}, {copy->data, copy->size_bytes}, {&sum, sizeof sum}};
    return base_replace_file(path, spans, sizeof spans / sizeof *spans, err);
}

// ---- in -------------------------------------------------------------------------------------------------------------

static enum whorl_status refuse(struct whorl_error *err, const char *name, const char *why, const char *what_to_do) {
    return base_set_error(err, WHORL_INVALID, "run", "%s %s; %s", name, why, what_to_do);
}

static const char start_again[] = "take an older copy of it, or start again without it";

// Whose is it? Says what differs.
static enum whorl_status check_identity(const struct whorl_session *s, const char *name, const struct head *head,
                                        struct whorl_error *err) {
    const struct run_identity *id = &s->keep->identity;
    char why[400], program[sizeof head->program + 1] = "", device[sizeof head->device + 1] = "";
    memcpy(program, head->program, sizeof head->program);
    memcpy(device, head->device, sizeof head->device);
    if (head->plan != id->plan || head->scalars != id->scalars) {
        snprintf(why, sizeof why, "is of another program, or of other scalars or options ('%s' on %s)", program,
                 device);
        return refuse(err, name, why,
                      "resume it with the file, the options and the build of whorl that it was made with");
    }
    if (head->strategy != (uint32_t)id->strategy) {
        snprintf(why, sizeof why, "is of the strategy %s, this run is %s",
                 whorl_strategy_name((enum whorl_strategy)head->strategy), whorl_strategy_name(id->strategy));
        return refuse(err, name, why, "ask for that one");
    }
    if (head->inputs != id->inputs)
        return refuse(err, name, "is of other inputs", "resume it with the inputs that it was made with");
    return WHORL_OK;
}

enum whorl_status run_checkpoint_check(const struct whorl_session *s, const char *name, const unsigned char *data,
                                       size_t size_bytes, struct run_copy *out_copy, size_t *out_at,
                                       struct whorl_error *err) {
    struct head head;
    char why[200];
    uint64_t sum;
    if (size_bytes < sizeof magic || memcmp(data, magic, sizeof magic) != 0)
        return refuse(err, name, size_bytes < sizeof magic ? "is too short for a checkpoint" : "is no checkpoint",
                      "name a file that --checkpoint has written");
    memset(&head, 0, sizeof head);
    memcpy(&head, data, size_bytes < sizeof head ? size_bytes : sizeof head);
    if (size_bytes >= offsetof(struct head, total_bytes) && (head.version != VERSION || head.order != ORDER)) {
        snprintf(why, sizeof why, "is of %s (format %u, this is format %d)",
                 head.order == ORDER ? "another version of whorl" : "another kind of machine", head.version, VERSION);
        return refuse(err, name, why, "resume it there, or start again without it");
    }
    if (size_bytes < sizeof head + SUM_BYTES || head.total_bytes != size_bytes) {
        if (size_bytes >= sizeof head)
            snprintf(why, sizeof why, "is damaged: it has %zu bytes and should have %llu", size_bytes,
                     (unsigned long long)head.total_bytes);
        else
            snprintf(why, sizeof why, "is damaged: it was cut after %zu bytes", size_bytes);
        return refuse(err, name, why, start_again);
    }
    size_t body = size_bytes - sizeof head - SUM_BYTES;
    memcpy(&sum, data + size_bytes - SUM_BYTES, sizeof sum);
    if (sum != run_sum(run_sum(0, &head, sizeof head), data + sizeof head, body))
        return refuse(err, name, "is damaged: its checksum is not that of its contents", start_again);
    enum whorl_status status = check_identity(s, name, &head, err);
    *out_copy = (struct run_copy){
        .data = NULL, .size_bytes = body, .taken_s = run_now_s(), .fraction = head.fraction >= 0 ? head.fraction : 0};
    *out_at = sizeof head;
    return status;
}

enum whorl_strategy run_checkpoint_strategy(const char *path) {
    struct head head = {.strategy = WHORL_AUTO};
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL; // a pipe would wait
    if (!file) return WHORL_AUTO;
    bool whole = fread(&head, sizeof head, 1, file) == 1 && memcmp(head.magic, magic, sizeof magic) == 0;
    (void)fclose(file);
    return whole && head.strategy <= WHORL_EAGER ? (enum whorl_strategy)head.strategy : WHORL_AUTO;
}

enum whorl_status run_checkpoint_read(const struct whorl_session *s, const char *path, struct run_copy *out_copy,
                                      struct whorl_error *err) {
    char *data;
    size_t size, at = 0, most = run_copy_most(s);
    struct run_copy copy = {0};
    *out_copy = copy;
    if (!base_add_size(most, sizeof(struct head) + SUM_BYTES, &most)) most = 0;
    enum whorl_status status = base_read_file(path, most, &data, &size, err);
    if (status == WHORL_LIMIT)
        return refuse(err, path, "is larger than any checkpoint of this program", "resume it with its own program");
    if (status != WHORL_OK) return status;
    status = run_checkpoint_check(s, path, (unsigned char *)data, size, &copy, &at, err);
    if (status != WHORL_OK) {
        base_heap_free(data);
        return status;
    }
    memmove(data, data + at, copy.size_bytes);
    copy.data = (unsigned char *)data;
    *out_copy = copy;
    return WHORL_OK;
}
