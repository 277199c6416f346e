// Which paths are files of a site, and that none leads out of its folder.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "serve/site.h"

static void is_path(const char *path, const char *want) {
    char out[SITE_PATH_BYTES] = "";
    bool good = site_path(path, out);
    CHECK_EQ_STR(want ? want : "refused", good ? out : "refused");
}

TEST(paths) {
    is_path("/", "index.html");
    is_path("/play/", "play/index.html");
    is_path("/play", "play");
    is_path("/assets/a-B_1.js", "assets/a-B_1.js");
    is_path("/a%20b%c3%a9.txt", "a b\xc3\xa9.txt");
    is_path("/a.b..c/...d", NULL); // no name of a site begins with a dot
    is_path("/a..b", "a..b");
}

TEST(paths_that_climb) {
    static const char *const paths[] = {
        "",       "a",     "//",         "//etc/passwd",    "/..",         "/../x",  "/a/../b",      "/a/..",
        "/./a",   "/a//b", "/.git/HEAD", "/%2e%2e/x",       "/%2E%2e%2fx", "/a%2fb", "/a%2Fb",       "/a%00b",
        "/a%0ab", "/a%",   "/a%2",       "/a%zz",           "/a\\b",       "/a%5cb", "/..%5c..%5cx", "/%7f",
        "/a/%2e", "/%2e/", "/..;/x",     "/%252e%252e/../x"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        is_path(paths[i], NULL);
    is_path("/%252e%252e/x", "%2e%2e/x"); // decoded once: a strange name, and no more
}

TEST(long_paths) {
    static char path[4 * SITE_PATH_BYTES];
    char out[SITE_PATH_BYTES];
    for (size_t size = SITE_PATH_BYTES - 20; size < sizeof path; size++) {
        memset(path, 'a', size);
        path[0] = path[size - 1] = '/';
        path[size] = 0;
        bool good = site_path(path, out);
        CHECK(!good || strlen(out) < SITE_PATH_BYTES);
        if (size > SITE_PATH_BYTES + 4) CHECK(!good);
    }
}

TEST(no_link_is_followed) {
    char folder[] = "/tmp/whorl-site-XXXXXX";
    size_t bytes;
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
    CHECK(mkdir("site", 0700) == 0 && mkdir("site/sub", 0700) == 0 && mkdir("other", 0700) == 0);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"site/a.txt", "site/sub/b.txt", "other/secret.txt"};
        int file = open(names[i], O_CREAT | O_WRONLY, 0600);
        CHECK(file >= 0 && write(file, "text", 4) == 4 && close(file) == 0);
    }
    CHECK(symlink("../other", "site/folder") == 0 && symlink("../other/secret.txt", "site/file.txt") == 0);
    CHECK(symlink("a.txt", "site/same.txt") == 0 && mkfifo("site/pipe", 0600) == 0);
    int site = open("site", O_RDONLY | O_DIRECTORY);
    static const char *const there[] = {"a.txt", "sub/b.txt"};
    for (int i = 0; i < 2; i++) {
        int file = site_open(site, there[i], &bytes);
        CHECK(file >= 0 && bytes == 4 && close(file) == 0);
    }
    static const char *const not_there[] = {"file.txt", "same.txt", "folder/secret.txt", "pipe",
                                            "none",     "a.txt/x",  "sub/none"};
    for (size_t i = 0; i < sizeof not_there / sizeof *not_there; i++)
        CHECK_EQ_INT(-1, site_open(site, not_there[i], &bytes));
    CHECK_EQ_INT(-2, site_open(site, "sub", &bytes));
    CHECK_EQ_INT(-1, site_open(site, "folder", &bytes));
    close(site);
    static const char *const made[] = {"site/a.txt",    "site/sub/b.txt", "other/secret.txt", "site/folder",
                                       "site/file.txt", "site/same.txt",  "site/pipe",        "site/sub",
                                       "site",          "other"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        CHECK(remove(made[i]) == 0);
    CHECK(chdir("/") == 0 && rmdir(folder) == 0);
}

TEST(types) {
    CHECK_EQ_STR("text/html; charset=utf-8", site_type("play/index.html"));
    CHECK_EQ_STR("application/wasm", site_type("whorl.wasm"));
    CHECK_EQ_STR("text/javascript; charset=utf-8", site_type("assets/a-1.js"));
    CHECK_EQ_STR("application/octet-stream", site_type("model.safetensors"));
    CHECK_EQ_STR("application/octet-stream", site_type("none"));
}
