import { expect, it } from 'vitest';
import { noResultKeyOf, progressKeyOf } from './task-words.ts';

it.each([
  ['scheduled', null, 'count', 'result_none'],
  ['active', null, 'count', 'result_none'],
  ['active', 12, 'of', 'result_none'],
  ['complete', null, 'count_ended', 'result_never'],
  ['complete', 12, 'of', 'result_never'],
  ['failed', null, 'count_ended', 'result_never'],
  ['cancelled', null, 'count_ended', 'result_never'],
] as const)(
  'A task that is %s, of a total of %s, says its progress with %s and no result with %s',
  (...row) => {
    const [state, total, progress, result] = row;
    const task = { state, progress: { done: 12, total } };
    expect(progressKeyOf(task)).toBe(progress);
    expect(noResultKeyOf(task)).toBe(result);
  },
);

it('A task that made no progress before its end says that none was made', () => {
  expect(progressKeyOf({ state: 'cancelled', progress: null as never })).toBe('count_ended');
});
