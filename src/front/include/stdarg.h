// The type alone: functions with '...' are refused where the entry reaches them.
#pragma once

typedef char *va_list;
