import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** One test of those that take turns in so many runs for a commit. */
const PARTS = 4;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What decides which of the tests that take turns run. */
export interface SoakRun {
  /** Whether all run, as each night. */
  readonly all: boolean;
  /** The commit that is tested. Its part of the tests runs. */
  readonly commit: string;
  /** The paths that changed since the last commit whose tests passed, from the root of the repository. */
  readonly changed: readonly string[];
}

/**
 * Whether a test runs that takes turns: one that takes long, or one case of very many. `npm run nightly` runs all of them. All
 * other runs of the tests run one part in four, which depends on the hash of the commit, and those whose `guards` have changed since the
 * commit `STEWARD_TESTED_COMMIT`, or since the last commit without it. Outside of a repository, all run.
 *
 * @param name unique among the tests that take turns
 * @param guards The beginnings of the paths for whose changes the test exists, from the root of the repository.
 * @param options `turns` makes it one part in so many
 */
export function isDue(
  name: string,
  guards: readonly string[],
  { run = currentRun(), turns = PARTS }: { readonly run?: SoakRun; readonly turns?: number | undefined } = {},
): boolean {
  if (run.all || run.changed.some((path) => guards.some((guard) => path.startsWith(guard)))) return true;
  return turnOf(name, run, turns) === 0;
}

/**
 * The number of cases of a property that run: all in its turn, the first quarter of them in other runs.
 *
 * @param name unique among the tests that take turns
 * @param guards as for `isDue`
 */
export function dueRuns(
  all: number,
  name: string,
  guards: readonly string[],
  run: SoakRun = currentRun(),
): number {
  return isDue(name, guards, { run }) ? all : Math.ceil(all / PARTS);
}

/**
 * The calls of the store, counted from 1, at which a test lets a process crash: each `spread`th in its turn, one in four of those in
 * other runs, which begin at another one for another commit.
 *
 * @param name unique among the tests that take turns
 * @param guards as for `isDue`
 */
export function dueCalls(
  last: number,
  name: string,
  guards: readonly string[],
  { spread = 1, run = currentRun() }: { readonly spread?: number; readonly run?: SoakRun } = {},
): readonly number[] {
  const all = Array.from({ length: Math.floor(last / spread) }, (_, index) => (index + 1) * spread);
  return isDue(name, guards, { run })
    ? all
    : all.filter((_, index) => index % PARTS === turnOf(name, run, PARTS));
}

/** Which part of the runs a test belongs to, from 0 on, for a commit. */
function turnOf(name: string, { commit }: SoakRun, turns: number): number {
  return createHash('sha256').update(`${commit} ${name}`).digest().readUInt32BE() % turns;
}

let current: SoakRun | undefined;

function currentRun(): SoakRun {
  current ??= readRun(process.env);
  return current;
}

function readRun(env: Readonly<Record<string, string | undefined>>): SoakRun {
  const everything = { all: true, commit: '', changed: [] };
  if (env.STEWARD_SOAK === 'all') return everything;
  try {
    const tested = env.STEWARD_TESTED_COMMIT || 'HEAD';
    const changed = git('diff', '--name-only', tested).split('\n');
    return { all: false, commit: git('rev-parse', 'HEAD').trim(), changed };
  } catch {
    return everything;
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
