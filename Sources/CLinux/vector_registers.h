#pragma once

// What was copied last may still stand in the registers it was copied through, and a waiting thread keeps them: a core has them, too.

#if defined(__x86_64__)
static inline void holdfast_clear_vector_registers(void) {
  __builtin_cpu_init();
  // Those that only AVX-512 has; the compiler keeps nothing there, since this program is not built for it.
  if (__builtin_cpu_supports("avx512f")) {
    __asm__ volatile(
        "vpxorq %%zmm16, %%zmm16, %%zmm16\n vpxorq %%zmm17, %%zmm17, %%zmm17\n vpxorq %%zmm18, %%zmm18, %%zmm18\n"
        "vpxorq %%zmm19, %%zmm19, %%zmm19\n vpxorq %%zmm20, %%zmm20, %%zmm20\n vpxorq %%zmm21, %%zmm21, %%zmm21\n"
        "vpxorq %%zmm22, %%zmm22, %%zmm22\n vpxorq %%zmm23, %%zmm23, %%zmm23\n vpxorq %%zmm24, %%zmm24, %%zmm24\n"
        "vpxorq %%zmm25, %%zmm25, %%zmm25\n vpxorq %%zmm26, %%zmm26, %%zmm26\n vpxorq %%zmm27, %%zmm27, %%zmm27\n"
        "vpxorq %%zmm28, %%zmm28, %%zmm28\n vpxorq %%zmm29, %%zmm29, %%zmm29\n vpxorq %%zmm30, %%zmm30, %%zmm30\n"
        "vpxorq %%zmm31, %%zmm31, %%zmm31\n" ::: "memory");
  }
#define HOLDFAST_VECTORS                                                                                                             \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
  if (__builtin_cpu_supports("avx")) {
    __asm__ volatile("vzeroall" ::: HOLDFAST_VECTORS, "memory");
  } else {
    __asm__ volatile(
        "pxor %%xmm0, %%xmm0\n pxor %%xmm1, %%xmm1\n pxor %%xmm2, %%xmm2\n pxor %%xmm3, %%xmm3\n pxor %%xmm4, %%xmm4\n"
        "pxor %%xmm5, %%xmm5\n pxor %%xmm6, %%xmm6\n pxor %%xmm7, %%xmm7\n pxor %%xmm8, %%xmm8\n pxor %%xmm9, %%xmm9\n"
        "pxor %%xmm10, %%xmm10\n pxor %%xmm11, %%xmm11\n pxor %%xmm12, %%xmm12\n pxor %%xmm13, %%xmm13\n"
        "pxor %%xmm14, %%xmm14\n pxor %%xmm15, %%xmm15\n" ::: HOLDFAST_VECTORS, "memory");
  }
#undef HOLDFAST_VECTORS
}
#else
// Elsewhere nothing is done yet.
static inline void holdfast_clear_vector_registers(void) {}
#endif
