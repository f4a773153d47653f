import { describe, expect, it } from 'vitest';
import { type Advisory, findVulnerable } from './find-vulnerabilities.ts';

const NAME = '@scope/tea';

/** Returns which of some versions of a package an advisory with these properties concerns. */
function concerned(versions: readonly string[], affected: object, more: Partial<Advisory> = {}) {
  const installed = new Map([[NAME, versions.map((version) => ({ name: NAME, version }))]]);
  const entry = { package: { ecosystem: 'npm', name: NAME }, ...affected };
  return findVulnerable(installed, { id: 'X-1', affected: [entry], ...more }).map(({ version }) => version);
}

const range = (...events: object[]) => ({ ranges: [{ type: 'SEMVER', events }] });

describe('an advisory', () => {
  it('concerns the versions of its ranges', () => {
    const affected = range(
      { introduced: '2.0.0' },
      { fixed: '2.1.3' },
      { introduced: '0' },
      { fixed: '1.4.0' },
    );
    const versions = ['0.1.0', '1.3.9', '1.4.0', '2.0.0-rc.1', '2.0.0', '2.1.2', '2.1.3', '3.0.0'];
    expect(concerned(versions, affected)).toEqual(['0.1.0', '1.3.9', '2.0.0', '2.1.2']);
  });

  it('concerns the last affected version, and every later one if none is named', () => {
    const versions = ['1.0.0', '1.5.0', '1.5.1'];
    expect(concerned(versions, range({ introduced: '1.0.0' }, { last_affected: '1.5.0' }))).toEqual([
      '1.0.0',
      '1.5.0',
    ]);
    expect(concerned(versions, range({ introduced: '1.5.0' }))).toEqual(['1.5.0', '1.5.1']);
  });

  it('concerns the versions that it lists', () => {
    expect(concerned(['1.0.0', '1.0.1'], { versions: ['1.0.1'] })).toEqual(['1.0.1']);
  });

  it.each([
    ['of another package', { package: { ecosystem: 'npm', name: 'tea' } }, {}],
    ['of another ecosystem', { package: { ecosystem: 'PyPI', name: NAME } }, {}],
    ['that is withdrawn', {}, { withdrawn: '2026-01-01T00:00:00Z' }],
    ['with ranges of commits only', { ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] }, {}],
  ])('%s concerns none', (_, affected, more) => {
    expect(concerned(['1.0.0'], { ...range({ introduced: '0' }), ...affected }, more)).toEqual([]);
  });
});
