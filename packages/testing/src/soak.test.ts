import { describe, expect, it } from 'vitest';
import { dueCalls, dueRuns, isDue } from './soak.ts';

const NAMES = Array.from({ length: 100 }, (_, n) => `test ${n}`);
const GUARDS = ['deploy/', 'docs/drill.md'];

const due = (commit: string, changed: readonly string[] = []) =>
  NAMES.filter((name) => isDue(name, GUARDS, { run: { all: false, commit, changed } }));

describe('A soak test', () => {
  it('runs for one commit in about four, the same ones each time', () => {
    expect(due('a').length).toBeGreaterThan(10);
    expect(due('a').length).toBeLessThan(40);
    expect(due('a')).toEqual(due('a'));
  });

  it('runs for some commit', () => {
    const commits = Array.from({ length: 100 }, (_, n) => `commit ${n}`);
    expect(new Set(commits.flatMap((commit) => due(commit)))).toEqual(new Set(NAMES));
  });

  it('runs if a path that it guards has changed', () => {
    expect(due('a', ['README.md', 'deploy/compose/compose.yaml'])).toEqual(NAMES);
    expect(due('a', ['docs/drill.md'])).toEqual(NAMES);
    expect(due('a', ['services/deploy/x.ts'])).toEqual(due('a'));
  });

  it('has a quarter of its cases in other runs than its own', () => {
    const [own] = due('a');
    const other = NAMES.find((name) => !due('a').includes(name));
    const runs = (name = '') => dueRuns(10, name, GUARDS, { all: false, commit: 'a', changed: [] });
    expect([runs(own), runs(other)]).toEqual([10, 3]);
  });

  it('crashes at a quarter of the calls in other runs than its own, at all of them in some run', () => {
    const calls = (commit: string) =>
      dueCalls(25, 'test', GUARDS, { spread: 3, run: { all: false, commit, changed: [] } });
    const all = [3, 6, 9, 12, 15, 18, 21, 24];
    const runs = NAMES.map(calls);
    expect(new Set(runs.map(({ length }) => length))).toEqual(new Set([2, all.length]));
    expect(runs).toContainEqual([6, 18]);
    expect([...new Set(runs.filter(({ length }) => length === 2).flat())].sort((a, b) => a - b)).toEqual([
      6, 9, 12, 18, 21, 24,
    ]);
  });

  it('runs each night', () => {
    expect(isDue('test 0', GUARDS, { run: { all: true, commit: '', changed: [] } })).toBe(true);
  });
});
