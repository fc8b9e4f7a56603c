// Sine, cosine and tangent rounded correctly, in place of the C library's.
//
// Preloaded into the Python that records test data, it lets the generators run
// PyTorch twice: with the C library's functions and, after round_correctly(1),
// with these. What differs is what a Go program cannot reproduce without the C
// library's own rounding errors.
//
//	gcc -O2 -shared -fPIC -o rounding.so rounding.c -lm
//	LD_PRELOAD=./rounding.so python3 record.py
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

static int correct;

void round_correctly(int on) { correct = on; }

static void *library(const char *name) {
	void *f = dlsym(RTLD_NEXT, name);
	if (!f)
		abort();
	return f;
}

// The 113 bits of a _Float128 decide the rounding to 53 for all but about one
// argument of 2^59.
#define DEFINE(name)                                            \
	double name(double x) {                                     \
		static double (*f)(double);                             \
		if (correct)                                            \
			return (double)name##f128((_Float128)x);            \
		if (!f)                                                 \
			f = (double (*)(double))library(#name);             \
		return f(x);                                            \
	}

DEFINE(sin)
DEFINE(cos)
DEFINE(tan)

void sincos(double x, double *s, double *c) {
	static void (*f)(double, double *, double *);
	if (correct) {
		*s = sin(x);
		*c = cos(x);
		return;
	}
	if (!f)
		f = (void (*)(double, double *, double *))library("sincos");
	f(x, s, c);
}
