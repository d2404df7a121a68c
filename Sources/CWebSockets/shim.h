#pragma once
#include <libwebsockets.h>

// LWS_PRE is an expression macro.
enum { HOLDFAST_LWS_PRE = LWS_PRE };

// SSL_OP_BIT is a function-like macro. What a TLS record held is wiped once it was read.
enum { HOLDFAST_CLEANSE_PLAINTEXT = SSL_OP_CLEANSE_PLAINTEXT };
