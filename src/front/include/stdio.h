// Declared so that a file may keep its main for other compilers; none of it runs in kernels.
#pragma once

#include <stddef.h>

typedef struct _IO_FILE FILE;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

int printf(const char *restrict format, ...);
int fprintf(FILE *restrict file, const char *restrict format, ...);
int sprintf(char *restrict to, const char *restrict format, ...);
int snprintf(char *restrict to, size_t size, const char *restrict format, ...);
int scanf(const char *restrict format, ...);
int fscanf(FILE *restrict file, const char *restrict format, ...);
int sscanf(const char *restrict text, const char *restrict format, ...);
int puts(const char *text);
int putchar(int c);
int fputs(const char *restrict text, FILE *restrict file);
int fputc(int c, FILE *file);
int putc(int c, FILE *file);
int getchar(void);
int fgetc(FILE *file);
char *fgets(char *restrict to, int size, FILE *restrict file);
FILE *fopen(const char *restrict path, const char *restrict mode);
int fclose(FILE *file);
int fflush(FILE *file);
size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file);
size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file);
int fseek(FILE *file, long offset, int from);
long ftell(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void perror(const char *text);
int remove(const char *path);
