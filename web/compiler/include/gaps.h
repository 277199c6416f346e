// Included before each file: files that are compiled whole, of which WebAssembly uses only what needs no file system.
#ifndef WHORL_WEB_GAPS_H
#define WHORL_WEB_GAPS_H

#include <sys/stat.h>
#include <unistd.h>

char *realpath(const char *path, char *resolved);
int web_access(const char *path, int mode); // web/compiler/files.c
int web_stat(const char *path, struct stat *out);
#define access web_access
#define stat(path, out) web_stat(path, out)

#endif
