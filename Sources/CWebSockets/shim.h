#pragma once
#include <libwebsockets.h>

// LWS_PRE is an expression macro.
enum { HOLDFAST_LWS_PRE = LWS_PRE };
