// Makes an object quick to link: calls and addresses within one section are filled in, other local names become places
// in sections, and the table of symbols keeps what others can see.
//
//   resolve_object FILE.o
//
// For each relocation against a local symbol GNU ld reads that symbol from the file anew: the runtime that `whorl cc` links
// into programs has 22,000. Objects of other machines than x86-64 stay as they are.
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *file;
static Elf64_Shdr *sections;
static size_t section_count;

static void fail(const char *path, const char *why) {
    fprintf(stderr, "resolve_object: %s: %s\n", path, why);
    exit(1);
}

static long read_all(const char *path) {
    FILE *f = fopen(path, "rb");
    long size = -1;
    if (f && fseek(f, 0, SEEK_END) == 0) size = ftell(f);
    file = size > 0 ? malloc((size_t)size) : NULL;
    if (!file || fseek(f, 0, SEEK_SET) != 0 || fread(file, 1, (size_t)size, f) != (size_t)size)
        fail(path, "cannot be read");
    fclose(f);
    return size;
}

static size_t symbol_of_section(const Elf64_Sym *symbols, size_t count, unsigned section) {
    for (size_t i = 1; i < count; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_SECTION && symbols[i].st_shndx == section) return i;
    return 0;
}

// What this section knows by itself. True: it is filled in.
static int fill_in(const Elf64_Rela *r, const Elf64_Sym *s, unsigned section) {
    unsigned type = ELF64_R_TYPE(r->r_info);
    if ((type != R_X86_64_PC32 && type != R_X86_64_PLT32) || s->st_shndx != section) return 0;
    long long value = (long long)s->st_value + r->r_addend - (long long)r->r_offset;
    int word = (int)value;
    if (word != value) return 0;
    memcpy(file + sections[section].sh_offset + r->r_offset, &word, sizeof word);
    return 1;
}

static int can_be_a_place(unsigned type) {
    return type == R_X86_64_PC32 || type == R_X86_64_PLT32 || type == R_X86_64_64 || type == R_X86_64_32 ||
           type == R_X86_64_32S;
}

static void resolve(Elf64_Shdr *table) {
    const Elf64_Shdr *names = &sections[table->sh_link];
    const Elf64_Sym *symbols = (const void *)(file + names->sh_offset);
    Elf64_Rela *from = (void *)(file + table->sh_offset), *to = from;
    size_t count = names->sh_size / sizeof *symbols;
    for (Elf64_Rela *end = from + table->sh_size / sizeof *from; from < end; from++) {
        const Elf64_Sym *s = &symbols[ELF64_R_SYM(from->r_info)];
        unsigned type = ELF64_R_TYPE(from->r_info), own = ELF64_ST_TYPE(s->st_info);
        int is_local = ELF64_ST_BIND(s->st_info) == STB_LOCAL && s->st_shndx != SHN_UNDEF &&
                       s->st_shndx < section_count && own != STT_TLS && own != STT_GNU_IFUNC;
        if (is_local && fill_in(from, s, table->sh_info)) continue;
        *to = *from;
        if (is_local && own != STT_SECTION && can_be_a_place(type)) {
            size_t section = symbol_of_section(symbols, count, s->st_shndx);
            if (section) {
                to->r_info = ELF64_R_INFO(section, type == R_X86_64_PLT32 ? R_X86_64_PC32 : type);
                to->r_addend += (long long)s->st_value;
            }
        }
        to++;
    }
    table->sh_size = (size_t)((unsigned char *)to - (file + table->sh_offset));
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    long size = read_all(argv[1]);
    const Elf64_Ehdr *head = (const void *)file;
    if (size < (long)sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_machine != EM_X86_64)
        return 0;
    sections = (void *)(file + head->e_shoff);
    section_count = head->e_shnum;
    for (size_t i = 0; i < section_count; i++) // equal texts stay apart: a place would not say which one is meant
        sections[i].sh_flags &= ~(Elf64_Xword)(SHF_MERGE | SHF_STRINGS);
    for (size_t i = 0; i < section_count; i++)
        if (sections[i].sh_type == SHT_RELA) resolve(&sections[i]);
    FILE *f = fopen(argv[1], "wb");
    if (!f || fwrite(file, 1, (size_t)size, f) != (size_t)size || fclose(f) != 0) fail(argv[1], "cannot be written");
    return 0;
}
