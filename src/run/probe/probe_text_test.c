// The probes' kernels: that each is there, and how their parts are put together.
#include <string.h>

#include "check.h"
#include "run/probe/probe.h"

TEST(every_probe_is_there) {
    static const char *const names[] = {"speed.wgsl", "subgroup.wgsl", "grid.wgsl",
                                        "lanes.wgsl", "math.wgsl",     "registers.wgsl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_HAS_STR("@compute @workgroup_size(", run_probe_file(names[i]));
    CHECK_EQ_STR("", run_probe_file("nothing.wgsl"));
}

TEST(parts) {
    char text[4096], small[10];
    CHECK(run_probe_part(text, sizeof text, "lanes.wgsl", "", 64) == strlen(text));
    CHECK_HAS_STR("@workgroup_size(64) fn main", text);
    CHECK_HAS_STR("group.x) * 64u + li;", text);
    CHECK(!strchr(text, '$'));
    run_probe_part(text, sizeof text, "registers.wgsl", "", 0);
    CHECK(strstr(text, "var a = vec4<f32>(1.0);\n") && !strstr(text, "//: ") && !strstr(text, "let w"));
    run_probe_part(text, sizeof text, "registers.wgsl", "keep", 37);
    CHECK_EQ_STR("    let w37 = data[o + 37u];\n", text);
    run_probe_part(text, sizeof text, "registers.wgsl", "use", 37);
    CHECK_EQ_STR("        a.y = a.y * 0.5 + w37;\n", text);
    run_probe_part(text, sizeof text, "registers.wgsl", "end", 0);
    CHECK_HAS_STR("atomicAdd(&control[5], 1u); }\n}\n", text);
    CHECK_EQ_INT(0, (int)run_probe_part(text, sizeof text, "registers.wgsl", "none", 0));
    run_probe_part(small, sizeof small, "registers.wgsl", "keep", 37);
    CHECK_EQ_STR("    let w", small);
}
