#pragma once
// A TPM 2.0, through tpm2-tss, which is loaded when a TPM is asked for: linked, it would cost every start. The types are the headers',
// the functions are looked up by name. The connection is made by its own library, not by the one that looks for connections by
// name (tctildr): that loads whatever it is told to.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>

enum {
  HOLDFAST_TPM_SECRET = 32,
  HOLDFAST_TPM_NAME = 34,
  HOLDFAST_TPM_PUBLIC = 256,
  HOLDFAST_TPM_PRIVATE = 512,
};
// Beside the library's own codes, of a layer that it does not use.
#define HOLDFAST_TPM_OTHER_PARENT 0x00FF0001u
#define HOLDFAST_TPM_UNEXPECTED 0x00FF0002u
#define HOLDFAST_TPM_NO_MEMORY 0x00FF0003u

// A secret as the TPM gave it out: only the TPM that has the parent opens it.
struct holdfast_tpm_sealed {
  uint8_t parent[HOLDFAST_TPM_NAME];
  uint16_t public_length, private_length;
  uint8_t public_part[HOLDFAST_TPM_PUBLIC], private_part[HOLDFAST_TPM_PRIVATE];
};

typedef TSS2_RC (*holdfast_tpm_connect)(TSS2_TCTI_CONTEXT *, size_t *, const char *);

struct holdfast_tpm {
  holdfast_tpm_connect connect;
  __typeof__(&Esys_Initialize) Esys_Initialize;
  __typeof__(&Esys_Finalize) Esys_Finalize;
  __typeof__(&Esys_CreatePrimary) Esys_CreatePrimary;
  __typeof__(&Esys_StartAuthSession) Esys_StartAuthSession;
  __typeof__(&Esys_TRSess_SetAttributes) Esys_TRSess_SetAttributes;
  __typeof__(&Esys_TR_GetName) Esys_TR_GetName;
  __typeof__(&Esys_Create) Esys_Create;
  __typeof__(&Esys_Load) Esys_Load;
  __typeof__(&Esys_Unseal) Esys_Unseal;
  __typeof__(&Esys_FlushContext) Esys_FlushContext;
  __typeof__(&Esys_Free) Esys_Free;
  __typeof__(&Tss2_MU_TPM2B_PUBLIC_Marshal) Tss2_MU_TPM2B_PUBLIC_Marshal;
  __typeof__(&Tss2_MU_TPM2B_PUBLIC_Unmarshal) Tss2_MU_TPM2B_PUBLIC_Unmarshal;
  __typeof__(&Tss2_MU_TPM2B_PRIVATE_Marshal) Tss2_MU_TPM2B_PRIVATE_Marshal;
  __typeof__(&Tss2_MU_TPM2B_PRIVATE_Unmarshal) Tss2_MU_TPM2B_PRIVATE_Unmarshal;
};

// 1 when every function was found. The libraries stay loaded for the rest of the process.
static inline int holdfast_tpm_load(struct holdfast_tpm *tpm, const char *connection, const char *connect) {
  void *esys = dlopen("libtss2-esys.so.0", RTLD_NOW | RTLD_LOCAL);
  void *mu = dlopen("libtss2-mu.so.0", RTLD_NOW | RTLD_LOCAL);
  void *tcti = dlopen(connection, RTLD_NOW | RTLD_LOCAL);
  if (!esys || !mu || !tcti) return 0;
#define HOLDFAST_FIND(library, name) (*(void **)&tpm->name = dlsym(library, #name))
  return (*(void **)&tpm->connect = dlsym(tcti, connect)) && HOLDFAST_FIND(esys, Esys_Initialize) &&
         HOLDFAST_FIND(esys, Esys_Finalize) && HOLDFAST_FIND(esys, Esys_CreatePrimary) &&
         HOLDFAST_FIND(esys, Esys_StartAuthSession) && HOLDFAST_FIND(esys, Esys_TRSess_SetAttributes) &&
         HOLDFAST_FIND(esys, Esys_TR_GetName) && HOLDFAST_FIND(esys, Esys_Create) && HOLDFAST_FIND(esys, Esys_Load) &&
         HOLDFAST_FIND(esys, Esys_Unseal) && HOLDFAST_FIND(esys, Esys_FlushContext) && HOLDFAST_FIND(esys, Esys_Free) &&
         HOLDFAST_FIND(mu, Tss2_MU_TPM2B_PUBLIC_Marshal) && HOLDFAST_FIND(mu, Tss2_MU_TPM2B_PUBLIC_Unmarshal) &&
         HOLDFAST_FIND(mu, Tss2_MU_TPM2B_PRIVATE_Marshal) && HOLDFAST_FIND(mu, Tss2_MU_TPM2B_PRIVATE_Unmarshal);
#undef HOLDFAST_FIND
}

// One exchange with the TPM: the connection, and handles of what it loaded into the TPM.
struct holdfast_tpm_exchange {
  ESYS_CONTEXT *context;
  TSS2_TCTI_CONTEXT *connection;
  ESYS_TR parent, session, object;
};

// Flushes the objects that were made, and closes. A TPM without a resource manager holds only three objects.
static inline void holdfast_tpm_end(const struct holdfast_tpm *tpm, struct holdfast_tpm_exchange *exchange) {
  if (exchange->context) {
    if (exchange->object != ESYS_TR_NONE) tpm->Esys_FlushContext(exchange->context, exchange->object);
    if (exchange->session != ESYS_TR_NONE) tpm->Esys_FlushContext(exchange->context, exchange->session);
    if (exchange->parent != ESYS_TR_NONE) tpm->Esys_FlushContext(exchange->context, exchange->parent);
    tpm->Esys_Finalize(&exchange->context);
  }
  if (exchange->connection) {
    Tss2_Tcti_Finalize(exchange->connection);
    free(exchange->connection);
  }
}

// The storage key of the owner's hierarchy: the TPM makes the same one from its seed every time (the template of the TCG for a
// P-256 storage key). Its name tells one TPM from another, and from itself after it was cleared.
static inline TSS2_RC holdfast_tpm_parent(
    const struct holdfast_tpm *tpm, struct holdfast_tpm_exchange *exchange, uint8_t name[HOLDFAST_TPM_NAME]) {
  TPM2B_SENSITIVE_CREATE sensitive = {0};
  TPM2B_DATA data = {0};
  TPML_PCR_SELECTION registers = {0};
  TPM2B_PUBLIC template = {
      .publicArea = {
          .type = TPM2_ALG_ECC,
          .nameAlg = TPM2_ALG_SHA256,
          .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN |
                              TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT,
          .parameters.eccDetail = {
              .symmetric = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB},
              .scheme = {.scheme = TPM2_ALG_NULL},
              .curveID = TPM2_ECC_NIST_P256,
              .kdf = {.scheme = TPM2_ALG_NULL},
          },
          .unique.ecc = {.x = {.size = 32}, .y = {.size = 32}},
      }};
  TSS2_RC code = tpm->Esys_CreatePrimary(
      exchange->context, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &template, &data, &registers,
      &exchange->parent, NULL, NULL, NULL, NULL);
  if (code) return code;
  TPM2B_NAME *found = NULL;
  code = tpm->Esys_TR_GetName(exchange->context, exchange->parent, &found);
  if (code) return code;
  if (found->size == HOLDFAST_TPM_NAME) {
    memcpy(name, found->name, HOLDFAST_TPM_NAME);
  } else {
    code = HOLDFAST_TPM_UNEXPECTED;
  }
  tpm->Esys_Free(found);
  return code;
}

// Connects and makes the parent.
static inline TSS2_RC holdfast_tpm_begin(
    const struct holdfast_tpm *tpm, const char *configuration, struct holdfast_tpm_exchange *exchange,
    uint8_t name[HOLDFAST_TPM_NAME]) {
  size_t size = 0;
  TSS2_RC code = tpm->connect(NULL, &size, configuration);
  if (code) return code;
  TSS2_TCTI_CONTEXT *connection = calloc(1, size);
  if (!connection) return HOLDFAST_TPM_NO_MEMORY;
  code = tpm->connect(connection, &size, configuration);
  if (code) {
    free(connection);
    return code;
  }
  exchange->connection = connection;
  code = tpm->Esys_Initialize(&exchange->context, connection, NULL);
  return code ? code : holdfast_tpm_parent(tpm, exchange, name);
}

// A session whose key is agreed with the parent: everything in it is encrypted, and nobody between here and the TPM can read it.
static inline TSS2_RC holdfast_tpm_session(const struct holdfast_tpm *tpm, struct holdfast_tpm_exchange *exchange) {
  TPMT_SYM_DEF cipher = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB};
  return tpm->Esys_StartAuthSession(
      exchange->context, exchange->parent, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, NULL, TPM2_SE_HMAC, &cipher,
      TPM2_ALG_SHA256, &exchange->session);
}

// Which way the next command's first parameter is encrypted: TPMA_SESSION_DECRYPT to the TPM, TPMA_SESSION_ENCRYPT from it.
static inline TSS2_RC holdfast_tpm_encrypt(
    const struct holdfast_tpm *tpm, struct holdfast_tpm_exchange *exchange, TPMA_SESSION way) {
  return tpm->Esys_TRSess_SetAttributes(exchange->context, exchange->session, way | TPMA_SESSION_CONTINUESESSION, 0xFF);
}

static inline TSS2_RC holdfast_tpm_create(
    const struct holdfast_tpm *tpm, struct holdfast_tpm_exchange *exchange, const uint8_t *secret,
    struct holdfast_tpm_sealed *sealed) {
  TPM2B_SENSITIVE_CREATE sensitive = {.sensitive = {.data = {.size = HOLDFAST_TPM_SECRET}}};
  memcpy(sensitive.sensitive.data.buffer, secret, HOLDFAST_TPM_SECRET);
  TPM2B_DATA data = {0};
  TPML_PCR_SELECTION registers = {0};
  TPM2B_PUBLIC template = {
      .publicArea = {
          .type = TPM2_ALG_KEYEDHASH,
          .nameAlg = TPM2_ALG_SHA256,
          .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA,
          .parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL,
      }};
  TPM2B_PRIVATE *private_part = NULL;
  TPM2B_PUBLIC *public_part = NULL;
  TSS2_RC code = tpm->Esys_Create(
      exchange->context, exchange->parent, exchange->session, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &template, &data, &registers,
      &private_part, &public_part, NULL, NULL, NULL);
  explicit_bzero(&sensitive, sizeof sensitive);
  if (code) return code;
  size_t public_length = 0, private_length = 0;
  code = tpm->Tss2_MU_TPM2B_PUBLIC_Marshal(public_part, sealed->public_part, HOLDFAST_TPM_PUBLIC, &public_length);
  if (!code) code = tpm->Tss2_MU_TPM2B_PRIVATE_Marshal(private_part, sealed->private_part, HOLDFAST_TPM_PRIVATE, &private_length);
  sealed->public_length = (uint16_t)public_length;
  sealed->private_length = (uint16_t)private_length;
  tpm->Esys_Free(private_part);
  tpm->Esys_Free(public_part);
  return code;
}

static inline TSS2_RC holdfast_tpm_load_object(
    const struct holdfast_tpm *tpm, struct holdfast_tpm_exchange *exchange, const struct holdfast_tpm_sealed *sealed) {
  TPM2B_PUBLIC public_part = {0};
  TPM2B_PRIVATE private_part = {0};
  size_t public_end = 0, private_end = 0;
  if (sealed->public_length > HOLDFAST_TPM_PUBLIC || sealed->private_length > HOLDFAST_TPM_PRIVATE) return HOLDFAST_TPM_UNEXPECTED;
  TSS2_RC code =
      tpm->Tss2_MU_TPM2B_PUBLIC_Unmarshal(sealed->public_part, sealed->public_length, &public_end, &public_part);
  if (!code)
    code = tpm->Tss2_MU_TPM2B_PRIVATE_Unmarshal(sealed->private_part, sealed->private_length, &private_end, &private_part);
  if (code) return code;
  if (public_end != sealed->public_length || private_end != sealed->private_length) return HOLDFAST_TPM_UNEXPECTED;
  return tpm->Esys_Load(
      exchange->context, exchange->parent, exchange->session, ESYS_TR_NONE, ESYS_TR_NONE, &private_part, &public_part,
      &exchange->object);
}

static inline TSS2_RC holdfast_tpm_take(const struct holdfast_tpm *tpm, struct holdfast_tpm_exchange *exchange, uint8_t *secret) {
  TPM2B_SENSITIVE_DATA *data = NULL;
  TSS2_RC code = tpm->Esys_Unseal(exchange->context, exchange->object, exchange->session, ESYS_TR_NONE, ESYS_TR_NONE, &data);
  if (code) return code;
  if (data->size == HOLDFAST_TPM_SECRET) {
    memcpy(secret, data->buffer, HOLDFAST_TPM_SECRET);
  } else {
    code = HOLDFAST_TPM_UNEXPECTED;
  }
  explicit_bzero(data, sizeof *data);
  tpm->Esys_Free(data);
  return code;
}

// Here and not in Swift: structures within unions, and pointers of the library's own allocator.
/// Seals a secret of 32 bytes. 0, or the code of the step that failed.
static inline uint32_t holdfast_tpm_seal(
    const struct holdfast_tpm *tpm, const char *configuration, const uint8_t *secret, struct holdfast_tpm_sealed *sealed) {
  struct holdfast_tpm_exchange exchange = {0, 0, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE};
  TSS2_RC code = holdfast_tpm_begin(tpm, configuration, &exchange, sealed->parent);
  if (!code) code = holdfast_tpm_session(tpm, &exchange);
  if (!code) code = holdfast_tpm_encrypt(tpm, &exchange, TPMA_SESSION_DECRYPT);
  if (!code) code = holdfast_tpm_create(tpm, &exchange, secret, sealed);
  holdfast_tpm_end(tpm, &exchange);
  return code;
}

/// Opens what was sealed, into 32 bytes. 0, or the code of the step that failed.
static inline uint32_t holdfast_tpm_unseal(
    const struct holdfast_tpm *tpm, const char *configuration, const struct holdfast_tpm_sealed *sealed, uint8_t *secret) {
  struct holdfast_tpm_exchange exchange = {0, 0, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE};
  uint8_t parent[HOLDFAST_TPM_NAME] = {0};
  TSS2_RC code = holdfast_tpm_begin(tpm, configuration, &exchange, parent);
  // Before the session, whose key is agreed with the parent: nobody between here and the TPM can put his own in its place.
  if (!code && memcmp(parent, sealed->parent, HOLDFAST_TPM_NAME) != 0) code = HOLDFAST_TPM_OTHER_PARENT;
  if (!code) code = holdfast_tpm_session(tpm, &exchange);
  if (!code) code = holdfast_tpm_encrypt(tpm, &exchange, TPMA_SESSION_DECRYPT);
  if (!code) code = holdfast_tpm_load_object(tpm, &exchange, sealed);
  if (!code) code = holdfast_tpm_encrypt(tpm, &exchange, TPMA_SESSION_ENCRYPT);
  if (!code) code = holdfast_tpm_take(tpm, &exchange, secret);
  holdfast_tpm_end(tpm, &exchange);
  return code;
}
