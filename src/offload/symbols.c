// Variables at file scope: their places and sizes are in the symbol table of the program's own file. A program that was
// stripped of it has none; then pointers to such variables are unknown, and their names still work.
#define _GNU_SOURCE // dl_iterate_phdr
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "offload/offload.h"

static pthread_once_t once = PTHREAD_ONCE_INIT; // any thread may ask
static struct {
    const char *file; // mapped for good
    size_t size;
    const ElfW(Sym) * symbols;
    size_t count;
    const ElfW(Shdr) * sections;
    size_t section_count;
    const ElfW(Sym) * imports; // and what else the dynamic linker reads
    size_t import_count;
    const char *import_names;
    size_t import_names_size;
    uintptr_t load; // what addresses in the file are relative to
} own;

static int first_object(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size;
    *(uintptr_t *)user = info->dlpi_addr;
    return 1; // the program comes first
}

static bool is_inside(size_t offset, size_t bytes) { return offset <= own.size && bytes <= own.size - offset; }

static void map_file(void) {
    struct stat info;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &info) == 0 && info.st_size > 0) {
        void *p = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p != MAP_FAILED) {
            own.file = p;
            own.size = (size_t)info.st_size;
        }
    }
    close(fd);
}

static void take_imports(const ElfW(Shdr) * table, const ElfW(Shdr) * sections, size_t count) {
    if (table->sh_link >= count) return;
    const ElfW(Shdr) *names = &sections[table->sh_link];
    if (!is_inside(names->sh_offset, names->sh_size) || names->sh_size == 0) return;
    if (own.file[names->sh_offset + names->sh_size - 1] != 0) return;
    own.imports = (const void *)(own.file + table->sh_offset);
    own.import_count = table->sh_size / sizeof *own.imports;
    own.import_names = own.file + names->sh_offset;
    own.import_names_size = names->sh_size;
}

static void find_tables(void) {
    map_file();
    const ElfW(Ehdr) *head = (const void *)own.file;
    if (!head || own.size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return;
    if (head->e_shentsize != sizeof(ElfW(Shdr)) || !is_inside(head->e_shoff, head->e_shnum * sizeof(ElfW(Shdr))))
        return;
    own.sections = (const void *)(own.file + head->e_shoff);
    own.section_count = head->e_shnum;
    for (size_t i = 0; i < head->e_shnum; i++) {
        const ElfW(Shdr) *section = &own.sections[i];
        if (!is_inside(section->sh_offset, section->sh_size)) continue;
        if (section->sh_type == SHT_DYNSYM) take_imports(section, own.sections, head->e_shnum);
        if (section->sh_type != SHT_SYMTAB) continue;
        own.symbols = (const void *)(own.file + section->sh_offset);
        own.count = section->sh_size / sizeof *own.symbols;
    }
    dl_iterate_phdr(first_object, &own.load);
}

static bool is_read_only(const ElfW(Sym) * s) {
    return s->st_shndx >= own.section_count || !(own.sections[s->st_shndx].sh_flags & SHF_WRITE);
}

bool offload_find_symbol(const void *p, struct offload_block *out) {
    pthread_once(&once, find_tables);
    uintptr_t at = (uintptr_t)p - own.load;
    for (size_t i = 0; i < own.count; i++) {
        const ElfW(Sym) *s = &own.symbols[i];
        if ((s->st_info & 15) != STT_OBJECT || s->st_shndx == SHN_UNDEF || at - s->st_value >= s->st_size) continue;
        *out = (struct offload_block){
            .base = (char *)(own.load + s->st_value), .bytes = s->st_size, .is_fixed = is_read_only(s)};
        return true;
    }
    return false;
}

bool offload_next_import(size_t *io_at, const char **out_name) {
    pthread_once(&once, find_tables);
    while (*io_at < own.import_count) {
        const ElfW(Sym) *s = &own.imports[(*io_at)++];
        unsigned type = s->st_info & 15;
        if (s->st_shndx != SHN_UNDEF || s->st_name == 0 || s->st_name >= own.import_names_size) continue;
        if (type != STT_FUNC && type != STT_NOTYPE) continue;
        *out_name = own.import_names + s->st_name;
        return true;
    }
    return false;
}

bool offload_has_imports(void) {
    pthread_once(&once, find_tables);
    return own.import_count > 0;
}
