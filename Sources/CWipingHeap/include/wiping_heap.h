#pragma once

// Nothing to call: the program that links this gets free() and realloc() that wipe. See wiping_heap.c.
