import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The tests start many servers: what Node has compiled of one is there for the next.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url));

/** What the paths of those files contain that take longest, the longest first. */
const LONG = [
  'chaos/',
  'conformance/request-bodies',
  'conformance/sync',
  'conformance/synadm',
  'conformance/fuzz',
  'topology/',
  'conformance/put-user',
  'conformance/delegated-auth',
  'conformance/list-users.',
  'user/src/crash-points',
  'conformance/hostile',
  'conformance/',
  'all-in-one/',
  'image',
];

/** Begins with what takes longest, whether or not that was measured here before: late, one processor would wait for it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((part) => moduleId.includes(part));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    // Those that wait for processes and engines leave the processor to others.
    maxWorkers: '100%',
    // Modules are loaded once for each worker, not for each file: no test replaces one.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['packages/testing/src/same-chance.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Servers that several files of a worker share end with it.
    teardownTimeout: 60_000,
    // What is waited for takes as long as the machine is busy.
    expect: { poll: { timeout: 30_000 } },
  },
});
