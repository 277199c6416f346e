// Chat templates: what jinja2 makes of the templates of tests/models/templates (expected.json, by
// compare_templates.py), errors with their lines, limits, and where a model keeps its template.
#include <time.h>

#include "base/file.h"
#include "check.h"
#include "model/chat/template.h"
#include "model/file/json_checked.h"
#include "model/file/made_testing.h"
#include "model/file/open.h"

static struct whorl_error err;
static char *text;

static enum whorl_status render(const char *template, const char *json) {
    struct model_template *t;
    size_t size;
    base_heap_free(text);
    text = NULL;
    enum whorl_status status = model_template_make(template, strlen(template), &t, &err);
    if (status == WHORL_OK) status = model_template_render(t, json, strlen(json), 1767225600, &text, &size, &err);
    if (status == WHORL_OK) CHECK_EQ_INT(strlen(text), size);
    model_template_destroy(t);
    return status;
}

static int count;

static void check_template(const char *template, yyjson_val *contexts, yyjson_val *texts) {
    yyjson_obj_iter iter = yyjson_obj_iter_with(texts);
    for (yyjson_val *name; (name = yyjson_obj_iter_next(&iter)); count++) {
        yyjson_val *want = yyjson_obj_iter_get_val(name);
        char *json = yyjson_val_write(yyjson_obj_get(contexts, yyjson_get_str(name)), 0, NULL);
        enum whorl_status status = render(template, json);
        free(json);
        CHECK_EQ_INT(yyjson_is_null(want) ? WHORL_INVALID : WHORL_OK, status);
        if (status == WHORL_OK) CHECK_EQ_STR(yyjson_get_str(want), text);
    }
}

static void check_expected(struct model_work *w, void *arg) {
    yyjson_val *root = model_json_read(w, "tests/models/templates/expected.json", NULL);
    yyjson_obj_iter iter = yyjson_obj_iter_with(yyjson_obj_get(root, "texts"));
    (void)arg;
    for (yyjson_val *name; (name = yyjson_obj_iter_next(&iter));) {
        char path[256], *template;
        size_t size;
        snprintf(path, sizeof path, "tests/models/templates/%s", yyjson_get_str(name));
        CHECK_EQ_INT(WHORL_OK, base_read_file(path, 0, &template, &size, &err));
        check_template(template, yyjson_obj_get(root, "contexts"), yyjson_obj_iter_get_val(name));
        base_heap_free(template);
    }
}

TEST(templates_as_jinja2_renders_them) {
    struct model_work w;
    model_work_init(&w, "expected.json");
    CHECK_EQ_INT(WHORL_OK, model_work_run(&w, &err, check_expected, NULL));
    model_work_deinit(&w);
    CHECK(count > 300);
}

static void gives(const char *want, const char *template) {
    CHECK_EQ_STR("", render(template, "{\"a\":[1,2],\"s\":\"x\",\"d\":{\"items\":3}}") == WHORL_OK ? "" : err.message);
    CHECK_EQ_STR(want, text);
}

TEST(what_users_write_is_never_a_template) {
    CHECK_EQ_INT(WHORL_OK, render("{{ s }}{{ s | length }}", "{\"s\":\"{{ 1 }}{% if %}\"}"));
    CHECK_EQ_STR("{{ 1 }}{% if %}15", text);
}

TEST(spaces_around_tags) {
    gives("", "");
    gives("a", "a\n");
    gives("a\nb", "a\r\nb");
    gives("a\n", "a\n\n");
    gives("ab", "a {%- if true -%} b {%- endif %}");
    gives("a  b", "a {% if true %} b{% endif %}");
    gives("x", "  {% if true %}\nx{% endif %}");
    gives("  x", "  {{ s }}");
    gives("1}}", "{{ 1 }}}}");
    gives("ab", "a{# a comment with {{ and %} #}b");
    gives("{'a': {}}", "{{ {'a': {}} }}");
}

static void refuses(const char *template, enum whorl_status status, const char *why) {
    CHECK_EQ_INT(status, render(template, "{\"a\":[1,2],\"s\":\"x\",\"d\":{\"items\":3}}"));
    CHECK_HAS_STR(why, err.message);
}

TEST(what_is_wrong_has_its_line) {
    refuses("\n{{ raise_exception('no ' ~ s) }}", WHORL_INVALID, "line 2: no x");
    refuses("{{ missing.part }}", WHORL_INVALID, "line 1: \"part\" is asked of something that is not defined");
    refuses("{{ missing() }}", WHORL_INVALID, "\"missing\" is called, which is undefined");
    refuses("{{ 1 + 'a' }}", WHORL_INVALID, "an integer and a string");
    refuses("{{ 1 / 0 }}{{ 1 % 0 }}", WHORL_INVALID, "division by zero");
    refuses("{{ 9223372036854775807 }}", WHORL_UNSUPPORTED, "so many digits");
    refuses("{{ 999999999999999999 * 999999999999999999 }}", WHORL_INVALID, "too large");
    refuses("{{ 'a' < 1 }}", WHORL_INVALID, "have no order");
    refuses("{% for x in 5 %}{% endfor %}", WHORL_INVALID, "cannot be looped over");
    refuses("{% set s.t = 1 %}", WHORL_INVALID, "is no namespace");
    refuses("{% for x, y in [[1]] %}{% endfor %}", WHORL_INVALID, "1 values cannot be given to 2 names");
    refuses("{{ s | nonsense }}", WHORL_UNSUPPORTED, "no filter \"nonsense\"");
    refuses("{{ s is nonsense }}", WHORL_UNSUPPORTED, "no test \"nonsense\"");
    refuses("{% include 'x' %}", WHORL_UNSUPPORTED, "\"include\"");
    refuses("{% if true %}", WHORL_INVALID, "\"endif\" is missing");
    refuses("{% endif %}", WHORL_UNSUPPORTED, "\"endif\"");
    refuses("\n\n{{ 'x }}", WHORL_INVALID, "line 3: the string does not end");
    refuses("{{ 1", WHORL_INVALID, "the tag does not end");
    refuses("{# ", WHORL_INVALID, "the comment does not end");
    refuses("{{ }}", WHORL_INVALID, "a name is expected");
    refuses("{{ 1 2 }}", WHORL_INVALID, "more words");
    refuses("{{ 1 < 2 < 3 }}", WHORL_UNSUPPORTED, "chain of comparisons");
    refuses("{{ ? }}", WHORL_INVALID, "'?' means nothing");
    refuses("{{ '\\q' }}", WHORL_UNSUPPORTED, "escape \\q");
    refuses("{{ namespace }}", WHORL_INVALID, "a function cannot be printed");
    refuses("\xff", WHORL_INVALID, "not UTF-8");
    CHECK_EQ_INT(WHORL_INVALID, render("x", "[1]"));
    CHECK_EQ_INT(WHORL_INVALID, render("x", "{\"a\":1,\"a\":2}"));
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stopped(const char *template) {
    double begin = seconds();
    CHECK_EQ_INT(WHORL_LIMIT, render(template, "{\"s\":\"xxxxxxxxxxxxxxxx\"}"));
    if (seconds() - begin > 10) FAIL("%.40s: %.1f s", template, seconds() - begin); // sanitized
}

TEST(hostile_templates_are_stopped) {
    stopped("{% for a in range(100000000) %}{% endfor %}");
    stopped("{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}");
    stopped("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}");
    stopped("{% set n = namespace(x=s) %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}");
    stopped("{% for i in range(1000000) %}{{ s * 1000 }}{% endfor %}");
    stopped("{{ s * 1000000000000 }}");
    stopped("{% for i in range(2000000) %}{{ s }}{{ s }}{{ s }}{{ s }}{% endfor %}");
}

// n copies of a text, with others in front and behind.
static void stopped_when_repeated(const char *front, const char *part, size_t n, const char *behind) {
    char *all = malloc(strlen(front) + n * strlen(part) + strlen(behind) + 1), *at = all;
    at += sprintf(at, "%s", front);
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "%s", part);
    sprintf(at, "%s", behind);
    stopped(all);
    free(all);
}

TEST(deep_templates_are_stopped) {
    stopped_when_repeated("{{ ", "(", 100000, "1 }}");
    stopped_when_repeated("{{ ", "-", 100000, "1 }}");
    stopped_when_repeated("{{ ", "not ", 100000, "1 }}");
    stopped_when_repeated("{{ ", "[", 100000, "1 }}");
    stopped_when_repeated("{{ 1", " + 1", 100000, " }}");
    stopped_when_repeated("{{ s", "|trim", 100000, " }}");
    stopped_when_repeated("{{ s", " if 1 else s", 100000, " }}");
    stopped_when_repeated("", "{% if 1 %}", 100000, "");
    stopped_when_repeated("", "x{# #}{{ s }}", 90000, "{% for i in range(99) %}{{ s * 99999 }}{% endfor %}");
}

TEST(a_long_chain_of_elif_is_not_deep) {
    char *all = malloc(1 << 20), *at = all;
    at += sprintf(at, "{%% if false %%}");
    for (int i = 0; i < 5000; i++)
        at += sprintf(at, "{%% elif s == '%d' %%}%d", i, i);
    sprintf(at, "{%% else %%}no{%% endif %%}");
    CHECK_EQ_INT(WHORL_OK, render(all, "{\"s\":\"4321\"}"));
    CHECK_EQ_STR("4321", text);
    free(all);
}

static const char sample[] =
    "{%- set ns = namespace(n=0) -%}{% for m in messages if m.x is defined %}{{ m['x'] | trim ~ "
    "loop.index0 }}{% set ns.n = ns.n + 1 %}{% else %}none{% endfor %}{# c #}{% macro f(a, b=[1, "
    "2][::-1]) %}{{ a if b else 'q' }}{% endmacro %}{{ f(ns.n, b={'k': 1.5}) }}";

TEST(cut_at_every_byte) {
    struct model_template *t;
    for (size_t size = 0; size + 1 < sizeof sample; size++) {
        char *exact = malloc(size ? size : 1);
        memcpy(exact, sample, size);
        enum whorl_status status = model_template_make(exact, size, &t, &err);
        CHECK(status == WHORL_OK || status == WHORL_INVALID || status == WHORL_UNSUPPORTED);
        model_template_destroy(t);
        free(exact);
    }
}

TEST(every_allocation_fails_once) {
    int failed = 0;
    for (uint64_t nth = 1;; nth++) {
        base_heap_free(text);
        text = NULL;
        struct model_template *t;
        size_t size;
        static const char json[] = "{\"messages\":[{\"x\":\" a \"}]}";
        base_heap_fail_at(nth);
        enum whorl_status status = model_template_make(sample, sizeof sample - 1, &t, &err);
        if (status == WHORL_OK) status = model_template_render(t, json, sizeof json - 1, 0, &text, &size, &err);
        base_heap_fail_at(0);
        model_template_destroy(t);
        if (status == WHORL_OK) break;
        CHECK_EQ_INT(WHORL_MEMORY, status);
        failed++;
    }
    CHECK_EQ_STR("a01", text);
    CHECK(failed >= 4);
}

TEST(where_a_model_keeps_it) {
    struct model_chat chat;
    CHECK_EQ_INT(WHORL_OK, model_chat_open("models/tiny", NULL, &chat, &err));
    CHECK(!chat.template);
    CHECK_EQ_STR("<|endoftext|>", chat.eos);
    made_text("tokenizer_config.json",
              "{\"bos_token\":{\"content\":\"<s>\"},\"eos_token\":null,\"chat_template\":[{\"name\":"
              "\"rag\",\"template\":\"{{\"},{\"name\":\"default\",\"template\":\"hi\"}]}");
    CHECK_EQ_INT(WHORL_OK, model_chat_open(made_root, NULL, &chat, &err));
    CHECK(chat.template != NULL);
    CHECK_EQ_STR("<s>", chat.bos);
    CHECK_EQ_STR("", chat.eos);
    model_chat_close(&chat);
    made_text("chat_template.jinja", "{% wrong");
    CHECK_EQ_INT(WHORL_INVALID, model_chat_open(made_root, NULL, &chat, &err));
    made_text("tokenizer_config.json", "{\"chat_template\":7}");
    CHECK_EQ_INT(WHORL_INVALID, model_chat_open(made_root, NULL, &chat, &err));
    made_drop();
}

static struct made m;

TEST(where_gguf_keeps_it) {
    struct model_file *file;
    struct model_chat chat;
    made_gguf(&m, 3, 0, 4);
    made_value_text(&m, "tokenizer.chat_template", "{{ bos_token }}");
    made_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 2);
    made_string(&m, "a");
    made_string(&m, "<s>");
    made_value_u32(&m, "tokenizer.ggml.bos_token_id", 1);
    made_value_u32(&m, "tokenizer.ggml.eos_token_id", 4000000000u); // not there: none
    CHECK_EQ_INT(WHORL_OK, model_file_of_bytes(m.data, m.size_bytes, &file, &err));
    CHECK_EQ_INT(WHORL_OK, model_chat_open("x.gguf", file, &chat, &err));
    CHECK(chat.template != NULL);
    CHECK_EQ_STR("<s>", chat.bos);
    CHECK_EQ_STR("", chat.eos);
    model_chat_close(&chat);
    model_file_close(file);
    base_heap_free(text);
    text = NULL;
}
