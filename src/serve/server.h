// A model behind an HTTP API that OpenAI's clients speak, and a page to chat with it.
#ifndef WHORL_SERVE_SERVER_H
#define WHORL_SERVE_SERVER_H

#include "decode/decoder.h"

struct server_options {
    const char *path; // of the model, as it was opened
    const char *name; // that answers give
    const char *host; // to listen at
    uint16_t port;    // 0: any
    const char *key;  // that requests must bear; NULL: none. Elsewhere than at this machine one is needed
    uint32_t most;    // tokens of an answer; 0: as many as there is room for
    uint32_t waiting; // texts that may wait for a slot
    bool (*stop)(void *user);
    void (*ready)(void *user, const char *host, uint16_t port);
    void *user;
};

// Whether `host` can only be reached from this machine.
bool server_is_local(const char *host);
// Whether the header Host names this machine.
bool server_is_this_host(const char *host);
// What can be refused before a model is loaded. WHORL_INVALID: no key where one is needed.
enum whorl_status server_check(const struct server_options *options, struct whorl_error *err);
// Serves the decoder, which is loaded, until `stop` says so. WHORL_IO: the port is taken. WHORL_INVALID: no key where
// one is needed. WHORL_DEVICE: the device failed.
enum whorl_status server_run(struct decoder *decoder, const struct server_options *options, struct whorl_error *err);

#endif
