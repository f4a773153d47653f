import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

// The tests start many servers: each uses what Node compiled for the one before.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compile');

/** How the directory begins that has all temporary files of a run. */
const TEMPORARY = 'steward-tests-';

// Tests that fail, and workers that are ended, leave files: all are removed with the run. Each project loads this file again.
if (!basename(tmpdir()).startsWith(TEMPORARY)) {
  const directory = mkdtempSync(join(tmpdir(), TEMPORARY));
  // Open to other users, as whom some tests run processes.
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
}

/** What starts server processes, kills them, or drives them for long; and what installs all packages. */
const SLOW = [
  'chaos/**/*.test.ts',
  'conformance/fuzz/*.test.ts',
  'deploy/helm/chart.test.ts',
  'deploy/image.test.ts',
  'scripts/setup.test.ts',
  'services/all-in-one/src/**/*.test.ts',
  'services/topology/src/**/*.test.ts',
  // Crashes at every call of the store that each operation makes.
  'services/user/src/crash-points.test.ts',
];

/** How a test says that it runs on an engine, or on every kind of store. */
const ON_ENGINES = /\b(?:requireEngine|stores)\b[^;]*from '@steward\/(?:testing|store\/testing)'/;

/** The store, the bus and the tasks, and what else runs on every engine, wherever it lies. */
const CONTRACT = [
  'packages/{store,events,tasks}/src/**/*.test.ts',
  ...globSync('{packages,services}/*/src/**/*.test.ts', { cwd: ROOT }).filter((path) =>
    ON_ENGINES.test(readFileSync(join(ROOT, path), 'utf8')),
  ),
];

/** Chapters that hold for every set-up; those that one set-up proves are in a folder named after it. */
const CHAPTERS = 'conformance/*.test.ts';
const ONE_PROCESS_CHAPTERS = 'conformance/one-process/*.test.ts';
const PROCESSES_CHAPTERS = 'conformance/processes/*.test.ts';

type Project = TestProjectInlineConfiguration & { readonly test: { readonly name: string } };

/** In the order in which they run: short files last, so that no processor waits for another at the end. */
const PROJECTS: readonly Project[] = [
  { extends: true, test: { name: 'slow', include: SLOW } },
  {
    extends: true,
    test: {
      name: 'conformance:processes',
      include: [CHAPTERS, PROCESSES_CHAPTERS],
      provide: { setup: 'processes' },
    },
  },
  {
    extends: true,
    test: { name: 'conformance:whole', include: [CHAPTERS], provide: { setup: 'whole' } },
  },
  {
    extends: true,
    test: { name: 'conformance:one', include: [CHAPTERS, ONE_PROCESS_CHAPTERS], provide: { setup: 'one' } },
  },
  { extends: true, test: { name: 'contract', include: CONTRACT, exclude: SLOW } },
  {
    extends: true,
    test: {
      name: 'unit',
      include: ['**/*.test.ts'],
      exclude: [
        '**/node_modules/**',
        ...[CHAPTERS, ONE_PROCESS_CHAPTERS, PROCESSES_CHAPTERS, ...CONTRACT, ...SLOW],
      ],
    },
  },
];

/** How long each file took in the last complete run, in milliseconds, by its path; empty where there was none. */
const DURATIONS = lastDurations();

function lastDurations(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(process.env.STEWARD_TEST_DURATIONS ?? '', 'utf8'));
  } catch {
    return {};
  }
}

/**
 * How the calls of `conformance/chapter.ts` look that need each server. Files that need the same one run in succession, because
 * starting the processes of a server is expensive; those that match nothing, which need the usual one, are the last.
 */
const SERVERS = [/^ownChapter\(/m, /\bopenServer\b/, /\bstrictServer\b/, /^pairedChapter\(/m];

/** Begins with the longest files of each project and server: as `.ci/run` has measured them, else the largest. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projectRank = ({ project }: TestSpecification) =>
      PROJECTS.findIndex(({ test }) => test.name === project.name);
    const serverRank = ({ project, moduleId }: TestSpecification) => {
      if (project.name !== 'conformance:processes' && project.name !== 'conformance:whole') return 0;
      const source = readFileSync(moduleId, 'utf8');
      const rank = SERVERS.findLastIndex((call) => call.test(source));
      return rank < 0 ? SERVERS.length : rank;
    };
    const ms = ({ moduleId }: TestSpecification) => DURATIONS[moduleId.slice(ROOT.length)] ?? 0;
    return (await super.sort(files)).toSorted(
      (one, other) =>
        projectRank(one) - projectRank(other) || serverRank(one) - serverRank(other) || ms(other) - ms(one),
    );
  }
}

export default defineConfig({
  test: {
    projects: [...PROJECTS],
    exclude: ['**/node_modules/**'],
    // Tests that wait for processes and engines leave the processor to others.
    maxWorkers: '100%',
    // A worker loads modules once, not for each file: no test replaces one.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['scripts/build-for-tests.mjs', 'packages/store/src/testing/test-databases.ts'],
    setupFiles: ['packages/testing/src/fixed-seed.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Servers that several files of a worker share end with it.
    teardownTimeout: 60_000,
    // A busy machine takes long for what tests wait for.
    expect: { poll: { timeout: 30_000 } },
  },
});
