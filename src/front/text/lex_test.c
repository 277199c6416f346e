// The lexer: kinds, spellings and exact positions, joined lines and comments included.
#include "check.h"

#include "front/text/pp_testing.h"

static int kind_of(const char *text) {
    const char *diags = preprocess(text);
    if (diags[0]) FAIL("%s", diags);
    CHECK_EQ_INT(2, token_count);
    CHECK_EQ_STR(text, tokens[0].text);
    return tokens[0].kind;
}

TEST(kinds) {
    CHECK_EQ_INT(FRONT_TOK_IDENT, kind_of("_a1$"));
    CHECK_EQ_INT(FRONT_TOK_IDENT, kind_of("h\xc3\xb6he")); // UTF-8
    CHECK_EQ_INT(FRONT_KW_FLOAT16, kind_of("_Float16"));
    CHECK_EQ_INT(FRONT_KW_RESTRICT, kind_of("__restrict__"));
    CHECK_EQ_INT(FRONT_TOK_INT, kind_of("0x1Eu"));
    CHECK_EQ_INT(FRONT_TOK_INT, kind_of("0xe+1")); // one preprocessing number, odd as it is
    CHECK_EQ_INT(FRONT_TOK_FLOAT, kind_of(".5e-3f"));
    CHECK_EQ_INT(FRONT_TOK_FLOAT, kind_of("0x1p-3"));
    CHECK_EQ_INT(FRONT_TOK_FLOAT, kind_of("1.e+5"));
    CHECK_EQ_INT(FRONT_TOK_CHAR, kind_of("'\\''"));
    CHECK_EQ_INT(FRONT_TOK_CHAR, kind_of("L'x'"));
    CHECK_EQ_INT(FRONT_TOK_STRING, kind_of("\"a\\\"b\""));
    CHECK_EQ_INT(FRONT_TOK_STRING, kind_of("u8\"x\""));
}

TEST(punctuators_are_the_longest) {
    CHECK_EQ_STR("a ++ ++ + b >>= << <= -> ... . . && & || ##", spelled("a+++++b>>=<<<=->.....&&&||##"));
    spelled("<: :> <% %> a %: %:%:");
    static const int kinds[] = {FRONT_P_LBRACKET, FRONT_P_RBRACKET, FRONT_P_LBRACE,   FRONT_P_RBRACE,
                                FRONT_TOK_IDENT,  FRONT_P_HASH,     FRONT_P_HASHHASH, FRONT_TOK_END};
    for (uint32_t i = 0; i < token_count; i++)
        CHECK_EQ_INT(kinds[i], tokens[i].kind);
}

TEST(equal_spelling_is_equal_pointer) {
    spelled("abc + 1.5f \"s\" abc + 1.5f \"s\"");
    for (uint32_t i = 0; i < 4; i++)
        CHECK(tokens[i].text == tokens[i + 4].text);
    CHECK(tokens[0].text != tokens[1].text);
}

static void check_at(uint32_t token, const char *text, uint32_t line, uint32_t col) {
    CHECK_EQ_STR(text, tokens[token].text);
    CHECK_EQ_INT(line, position(token).line);
    CHECK_EQ_INT(col, position(token).col);
}

TEST(positions) {
    spelled("a b\n\n  c /* x\n y */ d // e\n\tf");
    check_at(0, "a", 1, 1);
    check_at(1, "b", 1, 3);
    check_at(2, "c", 3, 3);
    check_at(3, "d", 4, 7);
    check_at(4, "f", 5, 2);
    CHECK_EQ_INT(FRONT_TOKEN_BOL, tokens[0].flags & FRONT_TOKEN_BOL);
    CHECK_EQ_INT(FRONT_TOKEN_SPACE, tokens[1].flags & (FRONT_TOKEN_SPACE | FRONT_TOKEN_BOL));
    CHECK_EQ_INT(0, position(0).file); // the main file is the first
    CHECK_EQ_STR("t.c", cx.files[0].path);
}

TEST(joined_lines) {
    spelled("ab\\\ncd e\\\n\\\n f /\\\n/ x \\\n still\ng \"a\\\nb\" h\\\r\ni\r\nj");
    check_at(0, "abcd", 1, 1);
    check_at(1, "e", 2, 4);
    check_at(2, "f", 4, 2);
    check_at(3, "g", 7, 1);
    check_at(4, "\"ab\"", 7, 3);
    check_at(5, "hi", 8, 4);
    check_at(6, "j", 10, 1);
}

TEST(joined_lines_in_comments) {
    spelled("/* a \\\n b\n c \\\n */ d\ne");
    check_at(0, "d", 4, 5);
    check_at(1, "e", 5, 1);
}

TEST(odd_files) {
    CHECK_EQ_STR("", spelled(""));
    CHECK_EQ_STR("a", spelled("\xef\xbb\xbf"
                              "a")); // a byte order mark
    CHECK_EQ_STR("a", spelled("a // no newline"));
    CHECK_EQ_STR("a", spelled("a\\\n"));
    CHECK_EQ_STR("t.c:1:3: error: this comment does not end", message("a /* b\nc"));
    CHECK_EQ_STR("t.c:2:2: error: stray '@' in the program", message("a\n @ b"));
    CHECK_EQ_STR("t.c:1:1: error: stray '\\' in the program", message("\\ \nb"));
    CHECK_EQ_STR("t.c:1:5: error: the closing \" is missing", message("x = \"abc\ny"));
    CHECK_EQ_STR("t.c:1:1: error: the closing ' is missing", message("'a"));
    CHECK_EQ_STR("t.c:1:2: error: stray byte 0x01 in the program", message("a\1"));
    CHECK_HAS_STR("t.c:2:3: error: a NUL byte: this is no text file",
                  preprocess_with((struct front_pp_options){.text = "a\nb \0 c", .text_size = 7}));
}
