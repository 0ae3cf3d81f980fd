//! Byte classes, text encodings and SIMD windows.
