"""The C interface: include/whorl.h in ctypes, and where the shared library is.

Nothing here knows of NumPy. python/tests/test_library.py holds every structure against the header with a C compiler.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Optional

VERSION = "0.1.0"  # include/whorl.h's: the structures below are those of this version

STATUSES = (
    "WHORL_OK", "WHORL_INVALID", "WHORL_SOURCE", "WHORL_UNSUPPORTED", "WHORL_LIMIT", "WHORL_MEMORY", "WHORL_DEVICE",
    "WHORL_TIMEOUT", "WHORL_CANCELLED", "WHORL_IO", "WHORL_INTERNAL", "WHORL_STOPPED",
)
(OK, INVALID, SOURCE, UNSUPPORTED, LIMIT, MEMORY, DEVICE, TIMEOUT, CANCELLED, IO, INTERNAL, STOPPED) = range(12)
STRATEGIES = ("auto", "single", "steps", "eager", "cpu")
# Names of NumPy's types, in the order of enum whorl_dtype.
DTYPES = ("float32", "float16", "int32", "uint32", "int16", "uint16", "int8", "uint8", "bool", "float64",
          "int64", "uint64")
BOOL = DTYPES.index("bool")
TEXT_WARNINGS, TEXT_IR, TEXT_WGSL, TEXT_C, TEXT_EXPLAIN, TEXT_PLAN, TEXT_COMMENTS = range(7)


class Structure(ctypes.Structure):
    """A struct of whorl.h. `c_name` is its name there, `header_fields` what ctypes has."""

    c_name = ""


class ErrorInfo(Structure):
    c_name = "whorl_error"
    _fields_ = [("status", c_int), ("stage", c_char * 16), ("file", c_char * 256), ("line", c_uint32),
                ("col", c_uint32), ("message", c_char * 8192)]


class Scalar(Structure):
    c_name = "whorl_scalar"
    _fields_ = [("name", c_char_p), ("value", c_double)]


class Shape(Structure):
    c_name = "whorl_shape"
    _fields_ = [("name", c_char_p), ("ndims", c_uint32), ("dims", c_uint64 * 8)]


class Target(Structure):
    c_name = "whorl_target"
    _fields_ = [("register_words", c_uint32), ("busy_invocations", c_uint32), ("subgroup_lanes", c_uint32),
                ("workgroup_bytes", c_uint32), ("storage_buffers", c_uint32), ("binding_bytes", c_uint64),
                ("coherent_memory", c_bool), ("cpu_only", c_bool), ("float_atomics", c_bool)]


class CompileOptions(Structure):
    c_name = "whorl_compile_options"
    _fields_ = [("struct_size", c_size_t), ("entry", c_char_p), ("scalars", POINTER(Scalar)),
                ("scalar_count", c_size_t), ("shapes", POINTER(Shape)), ("shape_count", c_size_t),
                ("uniform", POINTER(c_char_p)), ("uniform_count", c_size_t), ("defines", POINTER(c_char_p)),
                ("define_count", c_size_t), ("include_dirs", POINTER(c_char_p)), ("include_dir_count", c_size_t),
                ("pass_off", c_char_p), ("show_after", c_char_p), ("int64_as_int32", c_bool),
                ("double_as_float", c_bool), ("target", Target), ("workgroup_size", c_uint32), ("lanes", c_uint32),
                ("fast_math", c_bool), ("keep_order", c_bool), ("beside", c_void_p),
                ("double_as_pair", c_bool)]


class Param(Structure):
    c_name = "whorl_param"
    _fields_ = [("name", c_char_p), ("dtype", c_int), ("is_array", c_bool), ("is_output", c_bool),
                ("ndims", c_uint32), ("dims", c_uint64 * 8), ("value", c_double), ("is_uniform", c_bool),
                ("words", POINTER(c_int)), ("is_exact", c_bool), ("word_names", POINTER(c_char_p)),
                ("dim_texts", POINTER(c_char_p))]


class Builtin(Structure):
    c_name = "whorl_builtin"
    _fields_ = [("name", c_char_p), ("worst_ulp", c_double), ("wrong", c_uint32)]


class GridSize(Structure):
    c_name = "whorl_grid_size"
    _fields_ = [("groups", c_uint32), ("barrier_ns", c_double)]


class Grid(Structure):
    c_name = "whorl_grid"
    _fields_ = [("ok", c_bool), ("fences_needed", c_bool), ("groups", c_uint32), ("groups_max", c_uint32),
                ("tested", c_uint32), ("barrier_ns", c_double), ("spins_per_ms", c_double), ("messages", c_uint64),
                ("stale", c_uint64), ("plain_stale", c_uint64), ("size_count", c_uint32), ("sizes", GridSize * 4),
                ("note", c_char * 160)]


class DeviceInfo(Structure):
    c_name = "whorl_device_info"
    _fields_ = [("name", c_char * 128), ("library", c_char * 128), ("driver", c_char * 128), ("backend", c_char * 32),
                ("is_cpu", c_bool), ("is_software", c_bool), ("has_f16", c_bool), ("has_subgroups", c_bool),
                ("has_timestamps", c_bool), ("max_invocations", c_uint32), ("max_storage_buffers", c_uint32),
                ("max_groups", c_uint32), ("workgroup_bytes", c_uint32), ("max_binding_bytes", c_uint64),
                ("max_buffer_bytes", c_uint64), ("loop_cap", c_uint32), ("subgroup_size", c_uint32),
                ("target", Target), ("dispatch_us", c_double), ("submit_us", c_double), ("wait_us", c_double),
                ("read_gbps", c_double), ("copy_gbps", c_double), ("ops_per_s", c_double), ("latency_ns", c_double),
                ("grid", Grid), ("builtin_count", c_uint32), ("builtins", Builtin * 25)]


WarningCallback = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class DeviceOptions(Structure):
    c_name = "whorl_device_options"
    _fields_ = [("struct_size", c_size_t), ("select", c_char_p), ("library", c_char_p), ("cache_dir", c_char_p),
                ("cc", c_char_p), ("no_probe", c_bool), ("fresh_probe", c_bool), ("kernel_s", c_double),
                ("warning", WarningCallback), ("warning_user", c_void_p)]


class Progress(Structure):
    c_name = "whorl_progress"
    _fields_ = [("fraction", c_double), ("slice", c_uint64), ("elapsed_s", c_double), ("warning", c_char_p),
                ("dispatches", c_uint64), ("doing", c_char_p)]


ProgressCallback = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(Progress))
PrintCallback = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class RunOptions(Structure):
    c_name = "whorl_run_options"
    _fields_ = [("struct_size", c_size_t), ("strategy", c_int), ("slice_ms", c_double),
                ("slice_iterations", c_uint64), ("slice_ticks", c_uint64), ("groups", c_uint32),
                ("calls_per_submit", c_uint32), ("progress", ProgressCallback), ("user", c_void_p),
                ("scalars", POINTER(Scalar)), ("scalar_count", c_size_t), ("print", PrintCallback),
                ("print_user", c_void_p), ("max_s", c_double), ("checkpoint", c_char_p),
                ("checkpoint_every_s", c_double), ("resume", c_char_p), ("find_nan", c_bool), ("one_submit", c_bool),
                ("no_fallback", c_bool)]


class Stats(Structure):
    c_name = "whorl_stats"
    _fields_ = [("strategy", c_int), ("fell_back", c_bool), ("note", c_char * 256), ("dispatches", c_uint64),
                ("submits", c_uint64), ("slices", c_uint64), ("bytes_uploaded", c_uint64),
                ("bytes_downloaded", c_uint64), ("wall_ms", c_double), ("execute_ms", c_double),
                ("pipeline_ms", c_double), ("losses", c_uint32), ("checkpoints", c_uint32)]


class Time(Structure):
    c_name = "whorl_time"
    _fields_ = [("ns", c_double), ("low_ns", c_double), ("high_ns", c_double)]


class Phase(Structure):
    c_name = "whorl_phase"
    _fields_ = [("origin", c_char * 256), ("sequential", c_bool), ("calls", c_uint64), ("one", Time)]


class Profile(Structure):
    c_name = "whorl_profile"
    _fields_ = [("whole", Time), ("wait", Time), ("dispatches", c_uint64), ("slices", c_uint64), ("groups", c_uint32),
                ("barriers", c_uint64), ("barrier_ns", c_double), ("phase_count", c_uint32), ("phases", Phase * 64)]


class Work(Structure):
    c_name = "whorl_work"
    _fields_ = [("float_ops", c_double), ("functions", c_double), ("integer_ops", c_double), ("bytes", c_double),
                ("is_exact", c_bool)]


class Choice(Structure):
    c_name = "whorl_choice"
    _fields_ = [("strategy", c_int), ("groups", c_uint32), ("measured", c_bool), ("why", c_char * 200)]


class Candidate(Structure):
    c_name = "whorl_candidate"
    _fields_ = [("strategy", c_int), ("groups", c_uint32), ("time", Time), ("same_bits", c_bool)]


class Tuning(Structure):
    c_name = "whorl_tuning"
    _fields_ = [("count", c_uint32), ("chosen", c_uint32), ("samples", c_uint32), ("kept", c_bool),
                ("candidates", Candidate * 4), ("disagreement", c_char * 256)]


_handle, _handles, _error = c_void_p, POINTER(c_void_p), POINTER(ErrorInfo)
_arrays, _sizes = POINTER(c_void_p), POINTER(c_size_t)
# name: result, then arguments
FUNCTIONS = {
    "whorl_version": (c_char_p,),
    "whorl_status_name": (c_char_p, c_int),
    "whorl_compile": (c_int, c_char_p, c_char_p, POINTER(CompileOptions), _handles, _error),
    "whorl_inspect": (c_int, c_char_p, c_char_p, POINTER(CompileOptions), _handles, _error),
    "whorl_program_destroy": (None, _handle),
    "whorl_program_text": (c_char_p, _handle, c_int),
    "whorl_program_param_count": (c_size_t, _handle),
    "whorl_program_param": (POINTER(Param), _handle, c_size_t),
    "whorl_program_barriers": (c_uint32, _handle),
    "whorl_program_work": (c_bool, _handle, POINTER(Work)),
    "whorl_program_buffer_bytes": (c_double, _handle),
    "whorl_plan_read": (c_int, c_char_p, c_size_t, _handles, _error),
    "whorl_dtype_size": (c_size_t, c_int),
    "whorl_dtype_name": (c_char_p, c_int),
    "whorl_strategy_name": (c_char_p, c_int),
    "whorl_device_list": (c_size_t, POINTER(DeviceOptions), POINTER(DeviceInfo), c_size_t, _error),
    "whorl_device_open": (c_int, POINTER(DeviceOptions), _handles, _error),
    "whorl_device_destroy": (None, _handle),
    "whorl_device_get_info": (POINTER(DeviceInfo), _handle),
    "whorl_device_reason": (c_char_p, _handle),
    "whorl_run": (c_int, _handle, _handle, _arrays, _sizes, POINTER(RunOptions), POINTER(Stats), _error),
    "whorl_find_races": (c_int, _handle, _arrays, _sizes, POINTER(c_uint64), _error),
    "whorl_profile": (c_int, _handle, _handle, _arrays, _sizes, POINTER(RunOptions), POINTER(Profile), _error),
    "whorl_auto": (c_int, _handle, _handle, POINTER(RunOptions), POINTER(Choice), _error),
    "whorl_predict": (c_int, POINTER(DeviceInfo), _handle, POINTER(Choice), _error),
    "whorl_tune": (c_int, _handle, _handle, _arrays, _sizes, POINTER(RunOptions), POINTER(Tuning), _error),
    "whorl_session_create": (c_int, _handle, _handle, c_int, _handles, _error),
    "whorl_session_write": (c_int, _handle, c_size_t, c_void_p, c_size_t, _error),
    "whorl_session_read": (c_int, _handle, c_size_t, c_void_p, c_size_t, _error),
    "whorl_session_create_beside": (c_int, _handle, _handle, c_int, _handle, _handles, _error),
    "whorl_session_write_part": (c_int, _handle, c_size_t, c_size_t, c_void_p, c_size_t, _error),
    "whorl_session_read_part": (c_int, _handle, c_size_t, c_size_t, c_void_p, c_size_t, _error),
    "whorl_session_copy": (c_int, _handle, c_size_t, _handle, c_size_t, _error),
    "whorl_session_exchange": (c_int, _handle, c_size_t, _handle, c_size_t, _error),
    "whorl_session_run": (c_int, _handle, c_uint32, POINTER(RunOptions), POINTER(Stats), _error),
    "whorl_session_destroy": (None, _handle),
}

_here = os.path.dirname(os.path.abspath(__file__))
_bundled = os.path.join(_here, "_lib")
_built = os.path.join(os.path.dirname(os.path.dirname(_here)), "build")  # the package in a checkout


def library_path() -> str:
    """WHORL_LIBRARY, the library in the wheel, or that of the checkout's build, whichever is there first."""
    from_user = os.environ.get("WHORL_LIBRARY")
    if from_user:
        return from_user
    places = [os.path.join(_bundled, "libwhorl.so"), os.path.join(_built, "release", "libwhorl.so")]
    for place in places:
        if os.path.exists(place):
            return place
    raise ImportError("libwhorl.so is neither in the package nor built (%s): install the wheel, run `make build` in "
                      "the checkout, or set WHORL_LIBRARY" % ", ".join(places))


def webgpu_path() -> Optional[str]:
    """The WebGPU library in the wheel. None: WHORL_WEBGPU says which, or there is none and libwhorl looks for one."""
    path = os.path.join(_bundled, "libwgpu_native-release.so")
    return None if os.environ.get("WHORL_WEBGPU") or not os.path.exists(path) else path


def command_path() -> Optional[str]:
    """The program `whorl` in the wheel, or that of the checkout's build."""
    for place in (os.path.join(_bundled, "whorl"), os.path.join(_built, "whorl")):
        if os.access(place, os.X_OK) and os.path.isfile(place):
            return place
    return None


_loaded: Optional[Any] = None


def library() -> Any:
    """The loaded library, with the types of its functions set. Loaded at the first call, not at import."""
    global _loaded
    if _loaded is None:
        loaded = ctypes.CDLL(library_path())
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype = result
            function.argtypes = arguments
        found = text_of(loaded.whorl_version())
        if found != VERSION:
            raise ImportError("%s is whorl %s, and this package needs %s" % (library_path(), found, VERSION))
        _loaded = loaded
    return _loaded


def text_of(value: Optional[bytes]) -> str:
    """A C string of the library. Programs may hold any bytes."""
    return (value or b"").decode("utf-8", "replace")
