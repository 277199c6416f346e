// embed [--brief] SYMBOL OUT FILE...: writes C that defines `const struct base_embedded SYMBOL[]` and `const unsigned
// SYMBOL_count` from text files. A text becomes one string literal a line, so that the generated file can be read
// beside its source. With no files the array has one empty entry (C has no empty arrays) and the count is 0.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_char(FILE *out, int c) {
    if (c == '\\' || c == '"')
        fprintf(out, "\\%c", c);
    else if (c == '\t')
        fputs("\\t", out);
    else if (c < 32 || c > 126 || c == '?') // '?' too: trigraphs
        fprintf(out, "\\%03o", (unsigned)c);
    else
        fputc(c, out);
}

// Writes the file's text as string literals; returns its size in bytes, or -1 when it cannot be read. brief: comments
// from the start of a line become empty lines. Indented ones stay: a prelude's stand in the functions that kernels show.
static long put_text(FILE *out, const char *path, int brief) {
    FILE *in = fopen(path, "rb");
    if (!in) return -1;
    long size_bytes = 0;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    fputs("     \"\"", out);
    while ((length = getline(&line, &room, in)) > 0) {
        if (brief && strncmp(line, "//", 2) == 0 && line[length - 1] == '\n') {
            line[0] = '\n';
            length = 1;
        }
        fputs("\n     \"", out);
        for (ssize_t i = 0; i < length; i++)
            line[i] == '\n' ? (void)fputs("\\n", out) : put_char(out, (unsigned char)line[i]);
        fputc('"', out);
        size_bytes += length;
    }
    free(line);
    fclose(in);
    return size_bytes;
}

int main(int argc, char **argv) {
    int brief = argc > 1 && strcmp(argv[1], "--brief") == 0;
    argc -= brief;
    argv += brief;
    if (argc < 3) {
        fprintf(stderr, "usage: embed [--brief] SYMBOL OUT FILE...\n");
        return 2;
    }
    FILE *out = fopen(argv[2], "wb");
    if (!out) {
        perror(argv[2]);
        return 1;
    }
    fprintf(
        out,
        "// Written by tools/embed.c; do not edit.\n#include \"base/embed.h\"\n\nconst struct base_embedded %s[] = {\n",
        argv[1]);
    for (int i = 3; i < argc; i++) {
        const char *include = strstr(argv[i], "/include/"), *slash = strrchr(argv[i], '/');
        fprintf(out, "    {\"%s\",\n", include ? include + 9 : slash ? slash + 1 : argv[i]); // <sys/time.h>
        long size_bytes = put_text(out, argv[i], brief);
        if (size_bytes < 0) {
            perror(argv[i]);
            fclose(out);
            remove(argv[2]);
            return 1;
        }
        fprintf(out, ",\n     %ldu},\n", size_bytes);
    }
    if (argc == 3) fputs("    {\"\", \"\", 0u},\n", out);
    fprintf(out, "};\nconst unsigned %s_count = %du;\n", argv[1], argc - 3);
    if (fclose(out) != 0) {
        perror(argv[2]);
        return 1;
    }
    return 0;
}
