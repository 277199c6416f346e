#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
#undef str
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
#undef f
#undef h
#undef g
#undef x
#undef z
#undef w
#undef m
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
 == 0) str(: @\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char pp[] = join(x, y);
#define t2(x,y,z) x ## y ## z
int j[] = { t2(1,2,3), t2(,4,5), t2(6,,7), t2(8,9,),
 t2(10,,), t2(,11,), t2(,,12), t2(,,) };
#undef debug
#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test):\
 printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
#define NIL(xxx) xxx
G_0(42)
#define ff(a) a*gg
#define gg(a) ff(a)
ff(2)(9)
#define AA BB
#define BB AA
AA BB
#define EMPTY
#define LPAREN (
#define RPAREN )
#define F(x, y) x + y
#define ELLIP_FUNC(...) __VA_ARGS__
ELLIP_FUNC(F, LPAREN, 'a', 'b', RPAREN);
#define foo() bar
foo
()
foo EMPTY ()
foo /* c
*/ ( /* */ )
#define e1(fmt, ...) pr(fmt, ## __VA_ARGS__)
#define e2(fmt, args...) pr(fmt, ## args)
#define e3(...) pr(0, ## __VA_ARGS__)
e1(1) e1(1,) e1(1,2) e1(1,2,3) e2(1) e2(1,2,3) e3() e3(1)
#define NOARG() z ## z
NOARG() NOARG(  )
#define OBJ(x) x
#define OBJ2 OBJ
OBJ2 (1) OBJ2(OBJ2)(3) OBJ(OBJ)(4) OBJ(OBJ(OBJ))(5)
a %: %:%: <: :> <% %>
#define S(x) #x
S( a  b /* */ c	d ) S("a\n" '\'' '"' L"x" u8"y") S( ) S(a
b
  c) S(<:) S(- - -) S(@) S(\n)
#define C(a,b) a##b
C(<,<=) C(1,.5e) C(.,5) C(L,"a") C(a,1) C(&,&) C(-,>) C(1e,3) C(%:,%:) C(x,C(y,z))
#define CAT3(a,b,c) C(a,C(b,c))
CAT3(1,2,3)
1.e+5 0x1p-3f .5 1..2 0xe+1 a.b a...b
__LINE__ S(__LINE__) OBJ(S(__LINE__))
#if 1 ? 2 : (1/0)
yes1
#endif
#if 0 || -1 > 0u && 'a' == 97 && defined(AA) && !defined ZZ
#else
#endif
#if (-1)/2 == 0 && -7 % 3 == -1 && -8 >> 1 == -4 && (0xffffffffffffffff > 0) && ~0u == 0xffffffffffffffffu && 1 << 62 > 0
yes2
#elif BAD(
#else
no
#endif
#if 0
it's " /* not
a */ #else
#elif 1 /* x
*/
yes3
#ifdef AA /* */
yes4
# ifndef AA
no
# elif 0
no
# else
yes5
# endif
#else
nono
#endif
#endif
#define FUNNY defined AA
#if FUNNY
yes6
#endif
#if __has_include(<stdio.h>) && !__has_include("nope.h") && defined __has_include
yes7
#endif
#define LATER(x) NOW
#undef NOW
LATER(
#define NOW now
q)
t(
#ifdef AA
in
#else
out
#endif
)
a\
b /\
* comment *\
/ c // line \
still
"str\
ing" 'a' L'b' u'c' u8"x" U"y"
#define REC(x) x REC
REC(1)(2)(3)
#define DEFER(x) x EMPTY
#define EV(x) x
DEFER(OBJ)(1) EV(DEFER(OBJ)(1))
#line 100
__LINE__
#line 200 "foo.c"
__LINE__ __FILE__
# 
# /* */
#pragma STDC FP_CONTRACT OFF
#pragma omp parallel for num_threads(x)
_Pragma("omp barrier") after
t(_Pragma("omp barrier") q)
end
