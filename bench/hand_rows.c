// Kernels written by hand (bench/hand/*.wgsl), measured as everything else is: the same inputs, the same comparison of
// outputs, the same clock. They show how far a compiler's kernel is from what a person would write for one program on
// one device; so they alone may know a program. A kernel binds the program's arrays in order, then, if its workgroups
// meet at barriers, two words of control; above it stand the sizes that it needs, as constants, and what it shares with
// another kernel.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cli/npy.h"
#include "base/base.h"
#include "rows.h"
#include "run/device/device.h"

enum { MAX_BINDINGS = 8, CONTROL_BYTES = 16 };

static const struct hand_kernel {
    const char *workload; // how its name begins
    const char *peer;
    const char *shared, *file; // the kernel's text: what it shares with others, or NULL, then its own
    const char
        *per; // the scalar that counts what invocations are made for; NULL: `groups` workgroups that meet at barriers
    uint32_t lanes;    // invocations of one of them; 0: a subgroup
    uint32_t local;    // invocations of a workgroup, if the device has as many
    uint32_t groups;   // 0: as `per` and `lanes` give; on a software GPU one
    uint32_t subgroup; // the least size of a subgroup
    bool meets;
} kernels[] = {
    {"acrobot_", "hand-lanes", "acrobot.wgsl", "acrobot_lanes.wgsl", "pop", 4, 64, 0, 4, false},
    {"acrobot_", "hand-one", "acrobot.wgsl", "acrobot_one.wgsl", "pop", 1, 32, 0, 0, false},
    {"ssm", "hand", NULL, "ssm_lanes.wgsl", "channels", 16, 64, 0, 16, false},
    {"heat_", "hand", "meet.wgsl", "heat.wgsl", NULL, 1, 1024, 64, 0, true},
    {"matvec_chain", "hand", "meet.wgsl", "matvec_chain.wgsl", "n", 0, 256, 0, 1, true},
};

struct hand {
    struct rows_job *job;
    const struct hand_kernel *kernel;
    struct whorl_device *device;
    struct run_gpu *g;
    WGPUBuffer buffers[MAX_BINDINGS], control, answer;
    uint32_t param[MAX_BINDINGS]; // of each buffer
    uint32_t count, groups, local, lanes;
    WGPUBindGroupLayout layout;
    WGPUPipelineLayout pipeline_layout;
    WGPUComputePipeline pipeline;
    WGPUBindGroup group;
};

// ---- sizes ----

static double scalar(const struct rows_job *job, const char *name) {
    for (size_t k = 0; k < job->scalar_count; k++)
        if (strcmp(job->scalars[k].name, name) == 0) return job->scalars[k].value;
    return 0;
}

static enum whorl_status choose_sizes(struct hand *h, struct whorl_error *err) {
    const struct hand_kernel *k = h->kernel;
    const struct whorl_device_info *info = whorl_device_get_info(h->device);
    if (info->subgroup_size < k->subgroup)
        return base_set_error(err, WHORL_UNSUPPORTED, "bench", "needs subgroups of %u, the device has %u", k->subgroup,
                              info->subgroup_size);
    h->local = k->local < info->max_invocations ? k->local : info->max_invocations;
    h->lanes = k->lanes ? k->lanes : info->subgroup_size;
    double wanted = k->per ? ceil(scalar(h->job, k->per) * h->lanes / h->local) : k->groups;
    h->groups = k->meets && info->is_software ? 1 : (uint32_t)wanted;
    if (k->per && k->meets && wanted > h->groups)
        return base_set_error(err, WHORL_UNSUPPORTED, "bench", "%g workgroups cannot meet on a software GPU", wanted);
    return WHORL_OK;
}

// "const steps = 500u;" of every whole number, what was chosen here, and the files.
static char *full_text(const struct hand *h, struct whorl_error *err) {
    const char *names[] = {h->kernel->shared, h->kernel->file};
    char *files[] = {NULL, NULL}, *text = NULL;
    size_t size, cap = 4096, used = 0;
    enum whorl_status status = WHORL_OK;
    for (int f = 0; f < 2 && status == WHORL_OK; f++) {
        char path[256];
        if (!names[f]) continue;
        snprintf(path, sizeof path, "bench/hand/%s", names[f]);
        status = base_read_file(path, 0, &files[f], &size, err);
        cap += status == WHORL_OK ? size : 0;
    }
    if (status == WHORL_OK) text = malloc(cap);
    if (status == WHORL_OK && !text) base_set_error(err, WHORL_MEMORY, "bench", "out of memory");
    for (size_t k = 0; text && k < h->job->scalar_count; k++) {
        double value = h->job->scalars[k].value;
        if (value >= 0 && value == floor(value))
            used += (size_t)snprintf(text + used, cap - used, "const %s = %.0fu;\n", h->job->scalars[k].name, value);
    }
    if (text)
        snprintf(text + used, cap - used, "const groups = %uu;\nconst local = %uu;\nconst lanes = %uu;\n%s\n%s",
                 h->groups, h->local, h->lanes, files[0] ? files[0] : "", files[1]);
    for (int f = 0; f < 2; f++)
        base_heap_free(files[f]);
    return text;
}

// ---- buffers and the kernel ----

static bool is_output(const struct hand *h, uint32_t p) { return whorl_program_param(h->job->program, p)->is_output; }

static enum whorl_status write_start(struct hand *h, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (uint32_t b = 0; b < h->count && status == WHORL_OK; b++) {
        uint32_t p = h->param[b];
        // In pieces that a library takes in one write.
        for (size_t at = 0, piece = (size_t)32 << 20; at < h->job->size_bytes[p] && status == WHORL_OK; at += piece) {
            size_t left = h->job->size_bytes[p] - at;
            status =
                run_gpu_write(h->g, h->buffers[b], at, (char *)h->job->start[p] + at, left < piece ? left : piece, err);
        }
    }
    return status;
}

static enum whorl_status make_buffers(struct hand *h, struct whorl_error *err) {
    WGPUBufferUsage usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc;
    enum whorl_status status = run_gpu_buffer(h->g, "control", CONTROL_BYTES, usage, &h->control, err);
    size_t largest = CONTROL_BYTES;
    for (uint32_t p = 0; p < h->job->param_count && status == WHORL_OK; p++) {
        const struct whorl_param *param = whorl_program_param(h->job->program, p);
        if (!param->is_array) continue;
        if (h->count == MAX_BINDINGS - 1 || h->job->size_bytes[p] % 4)
            return base_set_error(err, WHORL_LIMIT, "bench", "no binding for %s", param->name);
        h->param[h->count] = p;
        status = run_gpu_buffer(h->g, param->name, h->job->size_bytes[p], usage, &h->buffers[h->count++], err);
        if (param->is_output && h->job->size_bytes[p] > largest) largest = h->job->size_bytes[p];
    }
    if (status == WHORL_OK)
        status =
            run_gpu_buffer(h->g, "answer", largest, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, &h->answer, err);
    return status == WHORL_OK ? write_start(h, err) : status;
}

static void bind(struct hand *h) {
    WGPUBindGroupLayoutEntry slots[MAX_BINDINGS] = {0};
    WGPUBindGroupEntry entries[MAX_BINDINGS] = {0};
    uint32_t n = h->count + h->kernel->meets;
    for (uint32_t b = 0; b < n; b++) {
        bool is_control = b == h->count, written = is_control || is_output(h, h->param[b]);
        slots[b].binding = entries[b].binding = b;
        slots[b].visibility = WGPUShaderStage_Compute;
        slots[b].buffer.type = written ? WGPUBufferBindingType_Storage : WGPUBufferBindingType_ReadOnlyStorage;
        entries[b].buffer = is_control ? h->control : h->buffers[b];
        entries[b].size = is_control ? CONTROL_BYTES : h->job->size_bytes[h->param[b]];
    }
    WGPUBindGroupLayoutDescriptor layout = {.entryCount = n, .entries = slots};
    h->layout = h->g->lib.DeviceCreateBindGroupLayout(h->g->device, &layout);
    WGPUPipelineLayoutDescriptor pipeline = {.bindGroupLayoutCount = 1, .bindGroupLayouts = &h->layout};
    h->pipeline_layout = h->g->lib.DeviceCreatePipelineLayout(h->g->device, &pipeline);
    WGPUBindGroupDescriptor group = {.layout = h->layout, .entryCount = n, .entries = entries};
    h->group = h->g->lib.DeviceCreateBindGroup(h->g->device, &group);
}

static enum whorl_status make_kernel(struct hand *h, struct whorl_error *err) {
    char *text = full_text(h, err);
    if (!text) return err->status;
    run_gpu_push_scopes(h->g);
    bind(h);
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL}, .code = {text, strlen(text)}};
    WGPUShaderModuleDescriptor module_descriptor = {.nextInChain = &source.chain};
    WGPUShaderModule module = h->g->lib.DeviceCreateShaderModule(h->g->device, &module_descriptor);
    WGPUComputePipelineDescriptor descriptor = {.layout = h->pipeline_layout,
                                                .compute = {.module = module, .entryPoint = {"main", 4}}};
    h->pipeline = h->g->lib.DeviceCreateComputePipeline(h->g->device, &descriptor);
    if (module) h->g->lib.ShaderModuleRelease(module);
    free(text);
    return run_gpu_pop_scopes(h->g, h->kernel->file, err);
}

// ---- calls ----

static void submit(struct hand *h, WGPUCommandEncoder encoder) {
    WGPUCommandBuffer commands = h->g->lib.CommandEncoderFinish(encoder, NULL);
    h->g->lib.CommandEncoderRelease(encoder);
    run_gpu_submit(h->g, commands);
}

static enum whorl_status copy_and_map(struct hand *h, WGPUCommandEncoder encoder, WGPUBuffer from, size_t size_bytes,
                                      const void **out, struct whorl_error *err) {
    h->g->lib.CommandEncoderCopyBufferToBuffer(encoder, from, 0, h->answer, 0, size_bytes);
    submit(h, encoder);
    return run_gpu_map(h->g, h->answer, size_bytes, 20, out, err);
}

// Of rows_contestant: so many dispatches, waited for once.
static enum whorl_status run_calls(void *user, uint32_t calls, uint32_t per_submit, struct whorl_stats *stats,
                                   struct whorl_error *err) {
    struct hand *h = user;
    const struct run_library *lib = &h->g->lib;
    const void *mapped;
    uint32_t control[2];
    WGPUCommandEncoder encoder = lib->DeviceCreateCommandEncoder(h->g->device, NULL);
    memset(stats, 0, sizeof *stats);
    stats->dispatches = calls;
    stats->submits = stats->slices = 1;
    for (uint32_t i = 0; i < calls; i++) {
        if (per_submit && i && i % per_submit == 0) {
            submit(h, encoder);
            encoder = lib->DeviceCreateCommandEncoder(h->g->device, NULL);
            stats->submits++;
        }
        if (h->kernel->meets || i == 0) lib->CommandEncoderClearBuffer(encoder, h->control, 0, CONTROL_BYTES);
        WGPUComputePassEncoder pass = lib->CommandEncoderBeginComputePass(encoder, NULL);
        lib->ComputePassEncoderSetPipeline(pass, h->pipeline);
        lib->ComputePassEncoderSetBindGroup(pass, 0, h->group, 0, NULL);
        lib->ComputePassEncoderDispatchWorkgroups(pass, h->groups, 1, 1);
        lib->ComputePassEncoderEnd(pass);
        lib->ComputePassEncoderRelease(pass);
    }
    enum whorl_status status = copy_and_map(h, encoder, h->control, CONTROL_BYTES, &mapped, err);
    if (status != WHORL_OK) return status;
    memcpy(control, mapped, sizeof control);
    lib->BufferUnmap(h->answer);
    return control[1] ? base_set_error(err, WHORL_DEVICE, "bench", "%u workgroups gave up waiting", control[1])
                      : WHORL_OK;
}

static enum whorl_status read_output(struct hand *h, uint32_t b, void *out, struct whorl_error *err) {
    size_t size = h->job->size_bytes[h->param[b]];
    const void *mapped;
    WGPUCommandEncoder encoder = h->g->lib.DeviceCreateCommandEncoder(h->g->device, NULL);
    enum whorl_status status = copy_and_map(h, encoder, h->buffers[b], size, &mapped, err);
    if (status != WHORL_OK) return status;
    memcpy(out, mapped, size);
    h->g->lib.BufferUnmap(h->answer);
    return WHORL_OK;
}

// The first run's outputs are kept as files; after the timed calls the bits must be the same.
static enum whorl_status take_outputs(struct hand *h, void **first, bool again, struct whorl_error *err) {
    enum whorl_status status = WHORL_OK;
    for (uint32_t b = 0; b < h->count && status == WHORL_OK; b++) {
        uint32_t p = h->param[b];
        const struct whorl_param *param = whorl_program_param(h->job->program, p);
        char path[1024];
        if (!param->is_output) continue;
        void *now = malloc(h->job->size_bytes[p] + 1);
        if (!now) return base_set_error(err, WHORL_MEMORY, "bench", "out of memory");
        status = read_output(h, b, now, err);
        if (again) {
            if (status == WHORL_OK && memcmp(now, first[b], h->job->size_bytes[p]) != 0)
                status = base_set_error(err, WHORL_DEVICE, "bench", "%s differs between two runs", param->name);
            free(now);
            continue;
        }
        first[b] = now;
        snprintf(path, sizeof path, "%s/%s/%s.%s.npy", h->job->options->folder, h->job->options->workload,
                 h->kernel->peer, param->name);
        if (status == WHORL_OK) status = npy_write(path, param->dtype, param->ndims, param->dims, now, err);
    }
    return status;
}

// Of rows_contestant. What is written waits for the next submit: this one's.
static enum whorl_status restore(void *user, struct whorl_error *err) {
    struct hand *h = user;
    const void *mapped;
    enum whorl_status status = write_start(h, err);
    if (status != WHORL_OK) return status;
    WGPUCommandEncoder encoder = h->g->lib.DeviceCreateCommandEncoder(h->g->device, NULL);
    status = copy_and_map(h, encoder, h->control, CONTROL_BYTES, &mapped, err);
    if (status == WHORL_OK) h->g->lib.BufferUnmap(h->answer);
    return status;
}

static enum whorl_status measure(struct hand *h, struct rows_row *row, struct whorl_error *err) {
    struct rows_contestant what = {.user = h, .run = run_calls, .brief = h->job->options->brief};
    void *first[MAX_BINDINGS] = {0};
    for (size_t p = 0; p < h->job->param_count; p++)
        if (h->job->goes_on[p]) what.restore = restore;
    struct whorl_stats stats;
    double start = rows_now_ms();
    enum whorl_status status = choose_sizes(h, err);
    if (status == WHORL_OK) status = make_buffers(h, err);
    if (status == WHORL_OK) status = make_kernel(h, err);
    if (status == WHORL_OK) status = run_calls(h, 1, 0, &stats, err);
    row->ready_ms = rows_now_ms() - start;
    if (status == WHORL_OK) status = take_outputs(h, first, false, err);
    if (status == WHORL_OK) status = rows_time(&what, &row->times, err);
    if (status == WHORL_OK && !what.restore) status = write_start(h, err); // zeros where outputs are
    if (status == WHORL_OK && !what.restore) status = run_calls(h, 1, 0, &stats, err);
    if (status == WHORL_OK) status = take_outputs(h, first, true, err);
    for (uint32_t b = 0; b < h->count; b++)
        free(first[b]);
    return status;
}

static void release(struct hand *h) {
    const struct run_library *lib = &h->g->lib;
    if (h->group) lib->BindGroupRelease(h->group);
    if (h->pipeline) lib->ComputePipelineRelease(h->pipeline);
    if (h->pipeline_layout) lib->PipelineLayoutRelease(h->pipeline_layout);
    if (h->layout) lib->BindGroupLayoutRelease(h->layout);
    for (uint32_t b = 0; b < h->count; b++)
        if (h->buffers[b]) run_gpu_drop_buffer(h->g, &h->buffers[b]);
    if (h->control) run_gpu_drop_buffer(h->g, &h->control);
    if (h->answer) run_gpu_drop_buffer(h->g, &h->answer);
}

bool rows_run_hand(struct rows_job *job, whorl_device *device) {
    bool all = true;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (strncmp(job->options->workload, kernels[i].workload, strlen(kernels[i].workload)) != 0) continue;
        struct hand h = {.job = job, .kernel = &kernels[i], .device = device, .g = device->gpu};
        struct rows_row row = {.job = job, .peer = kernels[i].peer};
        struct whorl_error err = {0};
        row.status = measure(&h, &row, &err);
        row.error = err.message;
        row.workgroup_size = h.local;
        rows_print(&row, whorl_device_get_info(device));
        all &= row.status == WHORL_OK;
        release(&h);
    }
    return all;
}
