/* Stands in for the complex functions of Windows' C runtime, which Wine 10 has by name only and numpy calls. Microsoft's
   complex numbers are structures of two, which C99's are not when they are passed to a function. */
#include <complex.h>

typedef struct { float part[2]; } Single;
typedef struct { double part[2]; } Double;

#define OFFER __declspec(dllexport)

static float _Complex of_single(Single given) {
    float _Complex number;
    __real__ number = given.part[0];
    __imag__ number = given.part[1];
    return number;
}

static Single to_single(float _Complex number) {
    Single given = {{__real__ number, __imag__ number}};
    return given;
}

static double _Complex of_double(Double given) {
    double _Complex number;
    __real__ number = given.part[0];
    __imag__ number = given.part[1];
    return number;
}

static Double to_double(double _Complex number) {
    Double given = {{__real__ number, __imag__ number}};
    return given;
}

/* A long double is a double to Microsoft. */
#define TO_COMPLEX(name)                                                            \
    OFFER Single our_##name##f(Single given) { return to_single(name##f(of_single(given))); } \
    OFFER Double our_##name(Double given) { return to_double(name(of_double(given))); }       \
    OFFER Double our_##name##l(Double given) { return to_double(name(of_double(given))); }
#define TO_REAL(name)                                                               \
    OFFER float our_##name##f(Single given) { return name##f(of_single(given)); }   \
    OFFER double our_##name(Double given) { return name(of_double(given)); }        \
    OFFER double our_##name##l(Double given) { return name(of_double(given)); }

TO_COMPLEX(ccos)
TO_COMPLEX(ccosh)
TO_COMPLEX(cexp)
TO_COMPLEX(csin)
TO_COMPLEX(csinh)
TO_COMPLEX(ctan)
TO_COMPLEX(ctanh)
TO_REAL(cabs)
TO_REAL(carg)
TO_REAL(creal)
TO_REAL(cimag)

OFFER Single our_cpowf(Single base, Single power) { return to_single(cpowf(of_single(base), of_single(power))); }
OFFER Double our_cpow(Double base, Double power) { return to_double(cpow(of_double(base), of_double(power))); }
OFFER Double our_cpowl(Double base, Double power) { return to_double(cpow(of_double(base), of_double(power))); }
