// The compiler as one WebAssembly module without imports. door.c is what the page calls, answer.c writes JSON, files.c
// holds the files that the page gives, system.c stands in for what the command line has around it.
#ifndef WHORL_WEB_H
#define WHORL_WEB_H

#include "base/base.h"

struct stat;

#ifdef __wasm__
#define WEB_EXPORT(name) __attribute__((export_name(#name)))
#else
#define WEB_EXPORT(name) // so that a native compiler reads these files, too
#endif

// ---- answer.c: one JSON text at a time ------------------------------------------------------------------------------
void web_answer_begin(void);
void web_answer_put(const char *json); // as it is
void web_answer_string(const char *text);
void web_answer_number(double value);
// "key": with a comma before it where one is needed.
void web_answer_key(const char *key);
// The diagnostics of a compile as a list: severity, file, line, col, message; what to do about it in its notes.
void web_answer_diagnostics(const struct base_cx *cx);
// "status" and "diagnostics" of an error that is no compile's.
void web_answer_error(const struct whorl_error *err);
const char *web_answer_text(void); // "" before the first

// ---- files.c --------------------------------------------------------------------------------------------------------
// Both texts are the heap's, and are kept. A file of that name is replaced. whole_bytes: of the file, of which `data`
// may be the beginning only. False: there are too many files, or memory is out.
bool web_files_add(char *path, char *data, size_t size_bytes, size_t whole_bytes);
const char *web_files_data(const char *path, size_t *out_size, size_t *out_whole); // NULL: no such file
int web_access(const char *path, int mode);                                        // 0: there is such a file
int web_stat(const char *path, struct stat *out);

// ---- door.c: the end of a bail-out ----------------------------------------------------------------------------------
_Noreturn void web_leave(const jmp_buf place);

// ---- system.c -------------------------------------------------------------------------------------------------------
// What cli_error and cli_hint said since the last call; "" nothing.
const char *web_said(void);

#endif
