// A session's buffers: made, filled, emptied.
#ifndef WHORL_RUN_BUFFERS_H
#define WHORL_RUN_BUFFERS_H

#include "run/session/session.h"

enum whorl_status run_buffers_create(struct whorl_session *s, struct whorl_error *err);
void run_buffers_destroy(struct run_resources *r);
// Bytes of an array as the caller has it.
bool run_array_bytes(const struct plan *p, const struct plan_array *a, const int64_t *values, size_t *out);
enum whorl_status run_array_write(struct whorl_session *s, const struct plan_array *a, const void *data,
                                  size_t size_bytes, struct whorl_error *err);
enum whorl_status run_array_read(struct whorl_session *s, const struct plan_array *a, void *data, size_t size_bytes,
                                 struct whorl_error *err);
// A part of an array that is not wide. The part is inside of it, in multiples of 4. `words`: those of the device,
// whatever they stand for.
enum whorl_status run_array_write_words(struct whorl_session *s, const struct plan_array *a, size_t offset,
                                        const void *data, size_t size_bytes, struct whorl_error *err);
enum whorl_status run_array_read_words(struct whorl_session *s, const struct plan_array *a, size_t offset, void *data,
                                       size_t size_bytes, struct whorl_error *err);
enum whorl_status run_array_write_part(struct whorl_session *s, const struct plan_array *a, size_t offset,
                                       const void *data, size_t size_bytes, struct whorl_error *err);
enum whorl_status run_array_read_part(struct whorl_session *s, const struct plan_array *a, size_t offset, void *data,
                                      size_t size_bytes, struct whorl_error *err);
// From array `b` of another session on the same device; `a` is of the same form.
enum whorl_status run_array_copy(struct whorl_session *s, const struct plan_array *a, const struct whorl_session *other,
                                 const struct plan_array *b, struct whorl_error *err);
// Their buffers change owners. WHORL_UNSUPPORTED: one is not alone in its buffer.
enum whorl_status run_array_exchange(struct whorl_session *s, const struct plan_array *a, struct whorl_session *other,
                                     const struct plan_array *b, struct whorl_error *err);
// Bytes of a buffer as they are, a multiple of 4.
enum whorl_status run_raw_write(struct run_resources *r, WGPUBuffer buffer, uint64_t offset, const void *data,
                                size_t size_bytes, struct whorl_error *err);
enum whorl_status run_raw_read(struct run_resources *r, WGPUBuffer buffer, uint64_t offset, void *data,
                               size_t size_bytes, struct whorl_error *err);
// Makes the kernel's saved-state buffer large enough for `iterations`, and its bind group.
enum whorl_status run_saved_ensure(struct run_resources *r, uint32_t kernel, uint64_t iterations,
                                   struct whorl_error *err);
// Bind groups of all kernels that are there and have none.
enum whorl_status run_groups_create(struct run_resources *r, struct whorl_error *err);

// widen_elements.c: elements of small types to words and back.
void run_widen(enum whorl_dtype dtype, const void *from, size_t count, uint32_t *out);
void run_narrow(enum whorl_dtype dtype, const uint32_t *from, size_t count, void *out);

#endif
