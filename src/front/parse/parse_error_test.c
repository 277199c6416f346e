// Wrong programs: each message with its place, in clang's form.
#include "check.h"

#include "front/parse/parse_testing.h"

TEST(syntax) {
    static const char *const rows[][2] = {
        {"void f(int n, float x[n]) { x[0] = 1 }", "t.c:1:37: error: expected ';' after expression"},
        {"#define ONE 1\nint x = ONE\nint y;", "t.c:2:12: error: expected ';' after the declaration"},
        {"void f(void) { if (1 ; }", "t.c:1:21: error: expected ')' after the condition"},
        {"void f(float *x) { x[0] = 1; ", "error: expected '}' before the end of the file"},
        {"void f(void) { } }", "t.c:1:18: error: extraneous closing brace"},
        {"int f(void) { return 1 +; }", "t.c:1:25: error: expected expression"},
        {"void f(void) { else ; }", "t.c:1:16: error: 'else' without 'if' before it"},
        {"flaot g(void);", "t.c:1:1: error: unknown type name 'flaot'; did you mean 'float'?"},
        {"void f(void) { uint32_t y; }",
         "t.c:1:16: error: unknown type name 'uint32_t': include the header <stdint.h>"},
        {"struct s { int a; }; s x;", "t.c:1:22: error: must use 'struct' tag to refer to type 's'"},
        {"struct s { int a; } int x;", "t.c:1:21: error: two types in one declaration: is a ';' missing before this?"},
    };
    CHECK_MESSAGES(rows);
}

TEST(names) {
    static const char *const rows[][2] = {
        {"void f(int *x) { x[0] = y; }", "t.c:1:25: error: use of undeclared identifier 'y'"},
        {"void f(int count) { coutn = 1; }",
         "t.c:1:21: error: use of undeclared identifier 'coutn'; did you mean 'count'?"},
        {"void f(float *x) { x[0] = expf(1.0f); }",
         "t.c:1:27: error: call to undeclared function 'expf': include the header <math.h>"},
        {"void f(int n) { int n; }", "t.c:1:21: error: redefinition of 'n'"},
        {"void f(void) { } void f(void) { }", "t.c:1:23: error: redefinition of 'f'"},
        {"void f(void) { } void f(void) { }", "t.c:1:6: note: previous definition is here"},
        {"float g(int); int g(int);", "t.c:1:19: error: conflicting types for 'g': 'int (int)' here"},
        {"struct s { int x; int x; };", "t.c:1:23: error: duplicate member 'x'"},
        {"struct s { int alpha; }; int f(struct s v) { return v.alhpa; }",
         "t.c:1:55: error: no member named 'alhpa' in 'struct s'; did you mean 'alpha'?"},
        {"struct s { int a; }; int f(struct s *v) { return v.a; }",
         "t.c:1:51: error: member reference type 'struct s *' is a pointer; did you mean to use '->'?"},
        {"int g(int a); int f(void) { return g(); }",
         "t.c:1:38: error: too few arguments to function call, expected 1, have 0"},
        {"int g(int a); int f(void) { return g(1, 2); }",
         "t.c:1:41: error: too many arguments to function call, expected 1, have 2"},
        {"int g(int a); int f(void) { return g(1, 2); }", "t.c:1:5: note: 'g' declared here"},
    };
    CHECK_MESSAGES(rows);
}

TEST(types) {
    static const char *const rows[][2] = {
        {"struct s { int a; }; void f(float *x, struct s v) { x[0] = v; }",
         "t.c:1:60: error: assigning to 'float' from incompatible type 'struct s'"},
        {"void f(int *p) { float *q = p; }",
         "t.c:1:29: error: initializing 'float *' with an expression of incompatible type 'int *'"},
        {"void g(float *p); void f(int *p) { g(p); }",
         "t.c:1:38: error: passing 'int *' to parameter of incompatible type 'float *'"},
        {"int *f(float *p) { return p; }",
         "t.c:1:27: error: returning 'float *' from a function with incompatible result type 'int *'"},
        {"void f(const int *p) { int *q = p; }",
         "t.c:1:33: warning: initializing with 'const int *' where 'int *' is wanted discards qualifiers"},
        {"void f(void) { const int k = 3; k = 4; }",
         "t.c:1:33: error: cannot assign to variable 'k' with const-qualified type 'const int'"},
        {"void f(const int *p) { *p = 4; }", "t.c:1:24: error: cannot assign to this: its type 'const int' is const"},
        {"void f(void) { 3 = 4; }", "t.c:1:16: error: expression is not assignable"},
        {"void f(float x) { x = x % 2; }",
         "t.c:1:25: error: invalid operands to binary expression ('float' and 'int')"},
        {"void f(int x) { x[0] = 1; }",
         "t.c:1:18: error: subscripted value is not an array or pointer, it has type 'int'"},
        {"void f(float *x) { x[1.0f] = 1; }",
         "t.c:1:22: error: array subscript is not an integer, it has type 'float'"},
        {"void f(int x) { *x = 1; }", "t.c:1:17: error: indirection requires pointer operand ('int' invalid)"},
        {"struct s { int a; }; void f(struct s v) { if (v) ; }",
         "t.c:1:47: error: an if needs a number or a pointer, this has type 'struct s'"},
        {"int f(int x) { return; }", "t.c:1:16: error: non-void function 'f' should return a value"},
        {"void f(void) { return 3; }", "t.c:1:16: error: void function 'f' should not return a value"},
        {"void f(int x) { x(); }", "t.c:1:17: error: called object type 'int' is not a function"},
        {"void f(void) { struct q z; }", "t.c:1:25: error: variable has incomplete type 'struct q'"},
        {"int a[3] = {1, 2, 3, 4};", "t.c:1:22: error: excess elements in array initializer"},
        {"int a = {1, 2};", "t.c:1:13: error: excess elements in scalar initializer"},
        {"int n; float x[n];", "t.c:1:16: error: the size of an array at file scope must be a constant"},
        {"float x[-1];", "t.c:1:9: error: array with a negative size"},
        {"int f(void); int x = f();", "t.c:1:22: error: initializer element is not a compile-time constant"},
        {"_Static_assert(1 == 2, \"no\");", "t.c:1:1: error: static assertion failed: no"},
        {"void f(int a) { if (a = 3) ; }",
         "t.c:1:23: warning: using the result of an assignment as a condition without parentheses"},
        {"int x = 5 / 0;", "t.c:1:11: warning: division by zero is undefined"},
    };
    CHECK_MESSAGES(rows);
}

TEST(control_flow) {
    static const char *const rows[][2] = {
        {"void f(int x) { switch (x) { case 1: case 1: ; } }", "t.c:1:38: error: duplicate case value '1'"},
        {"void f(int x) { switch (x) { default: default: ; } }",
         "t.c:1:39: error: multiple default labels in one switch"},
        {"void f(float x) { switch (x) { } }",
         "t.c:1:27: error: statement requires expression of integer type ('float' invalid)"},
        {"void f(int x) { switch (x) { case x: ; } }",
         "t.c:1:35: error: the value of a case must be a constant that the compiler knows"},
        {"void f(void) { break; }", "t.c:1:16: error: 'break' statement not in loop or switch"},
        {"void f(void) { continue; }", "t.c:1:16: error: 'continue' statement not in loop"},
        {"void f(void) { case 1: ; }", "t.c:1:16: error: 'case' statement not in switch statement"},
    };
    CHECK_MESSAGES(rows);
}

TEST(what_is_outside_of_the_language) {
    static const char *const rows[][2] = {
        {"void f(void) { goto end; end: ; }", "t.c:1:16: error: goto is not supported: use a loop"},
        {"void f(void) { end: ; }", "t.c:1:16: error: labels are not supported"},
        {"void f(float (*g)(float)) { }", "t.c:1:15: error: function pointers are not supported"},
        {"int g(void); void f(void) { g; }", "t.c:1:29: error: function pointers are not supported: call 'g' directly"},
        {"void f(int n, ...) { }", "t.c:1:6: error: a function with '...' is not supported"},
        {"union u { int a; char b; };", "t.c:1:23: error: members of a union are int, unsigned or float, 'b' has"},
        {"struct u { int a; }; union u x;", "t.c:1:28: error: use of 'u' with tag type that does not match"},
        {"struct s { int a : 3; };", "t.c:1:18: error: bit-fields are not supported"},
        {"void f(n) int n; { }", "t.c:1:8: error: parameters without a type are not supported"},
        {"long double x;", "t.c:1:1: error: long double is not supported: use float"},
        {"float _Complex x;", "t.c:1:1: error: complex numbers need <complex.h>"},
        {"_Atomic int x;", "t.c:1:1: error: _Atomic is not supported: use a reduction clause"},
        {"void f(void) { _Thread_local int x; }", "t.c:1:34: error: 'x' is _Thread_local and neither static nor"},
        {"int f(int x) { return x ?: 1; }", "t.c:1:26: error: '?:' without its middle operand is not C"},
        {"int f(int x) { return ({ return x; x; }); }", "t.c:1:26: error: cannot return from an expression"},
        {"int f(int x) { while (x) x = ({ if (x) break; 1; }); return x; }",
         "t.c:1:40: error: 'break' statement not in loop"},
        {"int x = ({ 1; });", "t.c:1:10: error: expected expression"},
        {"void f(int x) { switch (x) { case 0: { case 1: ; } } }",
         "t.c:1:40: error: a label inside a nested statement is not supported"},
        {"int g(void); void f(void) { float x[g()]; }",
         "t.c:1:37: error: a call or assignment inside the size of an array"},
    };
    CHECK_MESSAGES(rows);
    parse("void f(void) { goto end; end: ; }");
    CHECK_EQ_INT(WHORL_UNSUPPORTED, cx.status);
}
