import { toRefusal } from '@steward/errors';
import { expect, it } from 'vitest';
import { parsePositions } from './position.ts';

const ONE = `001795760000000-000000-${'a'.repeat(22)}`;
const OTHER = `001795760000001-000012-A_${'-'.repeat(20)}`;

it('reads positions, which commas separate', () => {
  expect(parsePositions(ONE)).toEqual([ONE]);
  expect(parsePositions(` ${ONE},\t${OTHER} `)).toEqual([ONE, OTHER]);
  expect(parsePositions(Array(20).fill(ONE).join())).toHaveLength(20);
});

it.each([
  '',
  ',',
  '7',
  `${ONE},`,
  `${ONE}a`,
  `${ONE} ${OTHER}`,
  `${ONE};${OTHER}`,
  `evt_${ONE}`,
  Array(21).fill(ONE).join(),
])('refuses %j', (sent) => {
  let refused: unknown;
  try {
    parsePositions(sent);
  } catch (error) {
    refused = error;
  }
  expect(toRefusal(refused)).toMatchObject({ status: 400, errcode: 'M_INVALID_PARAM' });
});
