import { describe, expect, it } from 'vitest';
import { isDue } from './soak.ts';

const NAMES = Array.from({ length: 100 }, (_, n) => `test ${n}`);
const GUARDS = ['deploy/', 'docs/drill.md'];

const due = (commit: string, changed: readonly string[] = []) =>
  NAMES.filter((name) => isDue(name, GUARDS, { all: false, commit, changed }));

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

  it('runs each night', () => {
    expect(isDue('test 0', GUARDS, { all: true, commit: '', changed: [] })).toBe(true);
  });
});
