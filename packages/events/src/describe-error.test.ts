import { expect, it } from 'vitest';
import { describeError } from './describe-error.ts';

it('describes any thrown value in at most 1,000 characters', () => {
  expect(describeError(new TypeError('no such room'))).toBe('TypeError: no such room');
  expect(describeError(undefined)).toBe('undefined');
  expect(describeError(new Error('x'.repeat(5_000)))).toHaveLength(1_000);
});
