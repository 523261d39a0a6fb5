/* Stands in for Windows' icuuc.dll, which Wine 10 lacks: the functions that Qt6Core asks it for. It offers no converter:
   Qt then knows the encodings that it brings itself (UTF-8, UTF-16, UTF-32, Latin-1, the system's). */
#include <stddef.h>
#include <stdint.h>

#define OFFER __declspec(dllexport)
enum { FILE_ACCESS_ERROR = 4, UNSUPPORTED_ERROR = 16 };

static void refuse(int *error) {
    if (error != NULL && *error <= 0)
        *error = UNSUPPORTED_ERROR;
}

OFFER void *ucnv_open(const char *name, int *error) {
    (void)name;
    if (error != NULL && *error <= 0)
        *error = FILE_ACCESS_ERROR;
    return NULL;
}

OFFER void ucnv_close(void *converter) { (void)converter; }
OFFER void ucnv_reset(void *converter) { (void)converter; }
OFFER int8_t ucnv_getMaxCharSize(const void *converter) { (void)converter; return 4; }
OFFER int32_t ucnv_countAvailable(void) { return 0; }
OFFER const char *ucnv_getAvailableName(int32_t number) { (void)number; return NULL; }
OFFER const char *ucnv_getName(const void *converter, int *error) { (void)converter; refuse(error); return NULL; }
OFFER const char *ucnv_getStandardName(const char *name, const char *standard, int *error) {
    (void)name; (void)standard; refuse(error); return NULL;
}
OFFER int32_t ucnv_toUCountPending(const void *converter, int *error) { (void)converter; refuse(error); return 0; }
OFFER int32_t ucnv_fromUCountPending(const void *converter, int *error) { (void)converter; refuse(error); return 0; }
OFFER void ucnv_getToUCallBack(const void *converter, void **action, const void **context) {
    (void)converter; *action = NULL; *context = NULL;
}
OFFER void ucnv_getFromUCallBack(const void *converter, void **action, const void **context) {
    (void)converter; *action = NULL; *context = NULL;
}
OFFER void ucnv_setToUCallBack(void *converter, void *action, const void *context, void **old, const void **before, int *error) {
    (void)converter; (void)action; (void)context; (void)old; (void)before; refuse(error);
}
OFFER void ucnv_setFromUCallBack(void *converter, void *action, const void *context, void **old, const void **before, int *error) {
    (void)converter; (void)action; (void)context; (void)old; (void)before; refuse(error);
}
OFFER void ucnv_cbToUWriteUChars(void *given, const void *source, int32_t length, int32_t offset, int *error) {
    (void)given; (void)source; (void)length; (void)offset; refuse(error);
}
OFFER void ucnv_cbFromUWriteUChars(void *given, const void **source, const void *limit, int32_t offset, int *error) {
    (void)given; (void)source; (void)limit; (void)offset; refuse(error);
}
OFFER void ucnv_toUnicode(void *converter, void **target, const void *end, const char **source, const char *limit,
                          int32_t *offsets, int8_t flush, int *error) {
    (void)converter; (void)target; (void)end; (void)source; (void)limit; (void)offsets; (void)flush; refuse(error);
}
OFFER void ucnv_fromUnicode(void *converter, char **target, const char *end, const void **source, const void *limit,
                            int32_t *offsets, int8_t flush, int *error) {
    (void)converter; (void)target; (void)end; (void)source; (void)limit; (void)offsets; (void)flush; refuse(error);
}
OFFER void UCNV_FROM_U_CALLBACK_SUBSTITUTE(void) {}
OFFER void UCNV_TO_U_CALLBACK_SUBSTITUTE(void) {}
