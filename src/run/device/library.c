// Finds the WebGPU library and loads it.
//
// A Vulkan driver is chosen by environment variables that the loader reads when an instance is made. Where this machine
// has no GPU, paths.conf names a software driver and these variables are set for it, once a process and never over the
// user's own.
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/device/gpu.h"
#include "run/device/paths.h"

static const char how_to_get_one[] = "`make setup` fetches one; or set WHORL_WEBGPU to the path of wgpu-native's or "
                                     "Dawn's shared library; or use --device cpu";

// A GPU shows up as a device file; without one no hardware driver can work, whatever drivers are installed.
static bool has_gpu_node(void) {
    static const char *const files[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/kfd", "/dev/mali0", "/dev/kgsl-3d0"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (access(files[i], F_OK) == 0) return true;
    DIR *dir = opendir("/dev/dri");
    bool found = false;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        found |= strncmp(entry->d_name, "renderD", 7) == 0;
    if (dir) closedir(dir);
    return found;
}

static void set_vulkan_driver(const char *icd) {
    setenv("VK_DRIVER_FILES", icd, 0);
    setenv("VK_ICD_FILENAMES", icd, 0); // the name that loaders before 1.3.207 know
}

static void choose_vulkan_driver(const struct run_paths *paths) {
    if (paths->vulkan_loader[0])
        (void)dlopen(paths->vulkan_loader, RTLD_NOW | RTLD_GLOBAL); // its soname is what the WebGPU library asks for
    if (!paths->vulkan_icd[0] || getenv("VK_DRIVER_FILES") || getenv("VK_ICD_FILENAMES")) return;
    if (paths->software[0] && has_gpu_node()) return;
    set_vulkan_driver(paths->vulkan_icd);
}

static pthread_mutex_t environment_lock = PTHREAD_MUTEX_INITIALIZER;

bool run_library_use_software(void) {
    struct run_paths paths;
    run_paths_find(&paths);
    pthread_mutex_lock(&environment_lock);
    bool free_to = paths.vulkan_icd[0] && !getenv("VK_DRIVER_FILES") && !getenv("VK_ICD_FILENAMES");
    if (free_to) set_vulkan_driver(paths.vulkan_icd);
    pthread_mutex_unlock(&environment_lock);
    return free_to;
}

enum whorl_status run_library_open(const char *path, struct run_library *out, struct whorl_error *err) {
    memset(out, 0, sizeof *out);
    struct run_paths paths;
    run_paths_find(&paths);
    const char *from_user = path && *path ? path : getenv("WHORL_WEBGPU");
    const char *candidates[] = {from_user, paths.webgpu, "libwgpu_native.so", "libwgpu_native-release.so"};
    size_t count = from_user && *from_user ? 1 : sizeof candidates / sizeof *candidates;

    pthread_mutex_lock(&environment_lock);
    choose_vulkan_driver(&paths);
    void *handle = NULL;
    char why[512] = "";
    for (size_t i = 0; i < count && !handle; i++) {
        if (!candidates[i] || !*candidates[i]) continue;
        handle = run_gpu_fault() ? NULL : dlopen(candidates[i], RTLD_NOW | RTLD_LOCAL);
        const char *reason = handle ? NULL : dlerror();
        if (handle)
            snprintf(out->path, sizeof out->path, "%s", candidates[i]);
        else if (!why[0])
            snprintf(why, sizeof why, "%s", reason ? reason : "it cannot be loaded");
    }
    pthread_mutex_unlock(&environment_lock);
    if (!handle && from_user && *from_user)
        return base_set_error(err, WHORL_DEVICE, "device", "cannot load the WebGPU library %s: %s\n%s", from_user, why,
                              how_to_get_one);
    if (!handle) return base_set_error(err, WHORL_DEVICE, "device", "no WebGPU library found\n%s", how_to_get_one);
    return run_conv_load(out, handle, err);
}
