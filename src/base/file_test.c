// Whole files: limits, the errors the system gives, a full disk, and that a failed write leaves the old file.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"

static char root[64];
static struct whorl_error err;

static const char *in_root(const char *name) {
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static enum whorl_status write_text(const char *path, const char *text) {
    struct base_span spans[] = {{text, strlen(text) / 2}, {text + strlen(text) / 2, strlen(text) - strlen(text) / 2}};
    return base_write_file(path, spans, 2, &err);
}

static int entries(const char *path) {
    DIR *dir = opendir(path);
    int n = 0;
    while (dir && readdir(dir))
        n++;
    if (dir) closedir(dir);
    return n - 2;
}

TEST(set_up) {
    snprintf(root, sizeof root, "/tmp/whorl_file_test_%ld", (long)getpid());
    CHECK_EQ_INT(WHORL_OK, base_make_dirs(in_root("a/b//c/"), &err));
    CHECK_EQ_INT(WHORL_OK, base_make_dirs(in_root("a/b"), &err));
}

TEST(what_is_written_is_read) {
    char *data;
    size_t size;
    CHECK_EQ_INT(WHORL_OK, write_text(in_root("x"), "hello"));
    CHECK_EQ_INT(WHORL_OK, write_text(in_root("x"), "hello again"));
    CHECK_EQ_INT(WHORL_OK, base_read_file(in_root("x"), 11, &data, &size, &err));
    CHECK_EQ_INT(11, size);
    CHECK_EQ_STR("hello again", data);
    base_heap_free(data);
    CHECK_EQ_INT(WHORL_OK, write_text(in_root("x"), ""));
    CHECK_EQ_INT(WHORL_OK, base_read_file(in_root("x"), 0, &data, &size, &err));
    CHECK_EQ_INT(0, size);
    base_heap_free(data);
    CHECK_EQ_INT(2, entries(root)); // a and x: no temporary is left
}

TEST(large_and_endless_files) {
    size_t count = 3000001, size;
    char *big = malloc(count), *data;
    memset(big, 'z', count);
    struct base_span span = {big, count};
    CHECK_EQ_INT(WHORL_OK, base_write_file(in_root("big"), &span, 1, &err));
    CHECK_EQ_INT(WHORL_OK, base_read_file(in_root("big"), 0, &data, &size, &err));
    CHECK(size == count && !memcmp(big, data, count));
    base_heap_free(data);
    free(big);
    CHECK_EQ_INT(WHORL_LIMIT, base_read_file(in_root("big"), count - 1, &data, &size, &err));
    CHECK(data == NULL);
    CHECK_HAS_STR("larger than the limit of 3000000 bytes", err.message);
    CHECK_EQ_INT(WHORL_LIMIT, base_read_file("/dev/zero", 100000, &data, &size, &err));
    unlink(in_root("big"));
}

TEST(reading_what_is_not_there) {
    char *data;
    size_t size;
    CHECK_EQ_INT(WHORL_IO, base_read_file(in_root("none"), 0, &data, &size, &err));
    CHECK_HAS_STR("/none: No such file or directory", err.message);
    CHECK_EQ_STR("file", err.stage);
    CHECK_EQ_INT(WHORL_IO, base_read_file(in_root("a"), 0, &data, &size, &err));
    CHECK_HAS_STR("Is a directory", err.message);
}

// Who writes `text` into the pipe, a while from now.
static pid_t late_writer(const char *path, const char *text) {
    pid_t child = fork();
    if (child) return child;
    usleep(300000);
    int fd = open(path, O_WRONLY);
    usleep(100000);
    if (fd >= 0 && *text && write(fd, text, strlen(text)) < 0) _exit(1);
    _exit(0);
}

TEST(pipes_are_read_to_their_end_but_not_waited_for_without_a_writer) {
    const char *path = in_root("pipe");
    char *data;
    size_t size;
    CHECK(mkfifo(path, 0600) == 0);
    alarm(20);
    CHECK_EQ_INT(WHORL_IO, base_read_file(path, 0, &data, &size, &err));
    CHECK_HAS_STR("nobody writes into it", err.message);
    static const char *const texts[] = {"", "x", "some bytes"};
    for (size_t i = 0; i < 3; i++) {
        pid_t child = late_writer(path, texts[i]);
        CHECK_EQ_INT(WHORL_OK, base_read_file(path, 0, &data, &size, &err));
        CHECK_EQ_STR(texts[i], data);
        CHECK_EQ_INT(strlen(texts[i]), size);
        base_heap_free(data);
        waitpid(child, NULL, 0);
    }
    CHECK_EQ_INT(WHORL_OK, base_read_file("/dev/null", 0, &data, &size, &err));
    base_heap_free(data);
    alarm(0);
    unlink(path);
}

TEST(writing_where_one_cannot) {
    CHECK_EQ_INT(WHORL_IO, write_text(in_root("none/x"), "hello"));
    CHECK_HAS_STR("No such file or directory", err.message);
    CHECK_EQ_INT(WHORL_IO, write_text(in_root("a"), "hello"));
    CHECK_HAS_STR("Is a directory", err.message);
    CHECK_EQ_INT(WHORL_IO, base_make_dirs(in_root("x/y"), &err));
    CHECK_EQ_INT(WHORL_IO, base_make_dirs("", &err));
    if (access("/dev/full", W_OK) == 0) {
        CHECK_EQ_INT(WHORL_IO, write_text("/dev/full", "hello"));
        CHECK_HAS_STR("cannot write /dev/full: No space left on device", err.message);
    }
    CHECK_EQ_INT(WHORL_OK, write_text("/dev/null", "hello"));
}

TEST(failed_allocations) {
    char *data;
    size_t size;
    CHECK_EQ_INT(WHORL_OK, write_text(in_root("x"), "hello"));
    base_heap_fail_at(1);
    CHECK_EQ_INT(WHORL_MEMORY, base_read_file(in_root("x"), 0, &data, &size, &err));
    base_heap_fail_at(1);
    CHECK_EQ_INT(WHORL_MEMORY, write_text(in_root("x"), "gone"));
    base_heap_fail_at(2); // the directory's name for its fsync: not worth an error
    CHECK_EQ_INT(WHORL_OK, write_text(in_root("x"), "kept"));
    base_heap_fail_at(1);
    CHECK_EQ_INT(WHORL_MEMORY, base_make_dirs(in_root("q"), &err));
    base_heap_fail_at(0);
}

TEST(modes_follow_the_umask) {
    struct stat info;
    mode_t old = umask(027);
    CHECK_EQ_INT(WHORL_OK, write_text(in_root("mode"), "x"));
    umask(old);
    CHECK(stat(in_root("mode"), &info) == 0);
    CHECK_EQ_INT(0640, info.st_mode & 0777);
}

TEST(tear_down) {
    unlink(in_root("x"));
    unlink(in_root("mode"));
    rmdir(in_root("a/b/c"));
    rmdir(in_root("a/b"));
    rmdir(in_root("a"));
    CHECK_EQ_INT(0, rmdir(root));
}
