import fc from 'fast-check';

/** An arbitrary seed; another one generates other examples. */
const SEED = 20_000;

// Generated examples are the same in every run, so that a new failure has its cause in the change under test.
fc.configureGlobal({ seed: Number(process.env.STEWARD_TEST_SEED ?? SEED) });
