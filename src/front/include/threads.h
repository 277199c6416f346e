// The word alone: threads of the system are none of a kernel's.
#pragma once

#define thread_local _Thread_local
