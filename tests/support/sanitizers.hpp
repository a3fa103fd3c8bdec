// Which sanitizers the tests are compiled with: GCC defines macros, Clang answers __has_feature.
#pragma once

#if !defined(__has_feature)
#define __has_feature(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define WEFT_TESTS_ADDRESSES 1
#else
#define WEFT_TESTS_ADDRESSES 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define WEFT_TESTS_THREADS 1
#else
#define WEFT_TESTS_THREADS 0
#endif
