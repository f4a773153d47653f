import { expect, it } from 'vitest';
import { parseFilter } from '../plan/parse-filter.ts';
import { testScalars } from './test-scalars.ts';

const document = {
  version: 3,
  flag: true,
  name: 'n',
  none: null,
  tags: [3],
  at: { ip: 'x' },
  rank: 0.5,
  big: 2 ** 60,
};

it.each([
  [{ version: 3 }, true],
  [{ version: 4 }, false],
  [{ version: '3' }, false],
  [{ version: { $in: [1, 3] }, flag: true }, true],
  [{ version: 3, flag: false }, false],
  [{ name: 'n', none: null, missing: null }, true],
  [{ none: 1 }, false],
  [{ missing: 1 }, false],
  [{ tags: 3 }, undefined],
  [{ at: null }, undefined],
  [{ 'at.ip': 'x' }, undefined],
  [{ rank: 0.5 }, undefined],
  [{ big: 2 ** 60 }, undefined],
  [{ version: { $gt: 1 } }, undefined],
  [{ version: { $ne: 1 } }, undefined],
])('tests %j', (filter, expected) => {
  expect(testScalars(document, parseFilter(filter))).toBe(expected);
});
