#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| zonewalk_fuzz::in_a_large_stack(bytes, zonewalk_fuzz::store::run));
