import { expect, it } from 'vitest';
import { describeError } from './describe-error.ts';

it('tells what was thrown, whatever it is, and no more than is useful', () => {
  expect(describeError(new TypeError('no such room'))).toBe('TypeError: no such room');
  expect(describeError(undefined)).toBe('undefined');
  expect(describeError(new Error('x'.repeat(5_000)))).toHaveLength(1_000);
});
