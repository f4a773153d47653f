import { expect, it } from 'vitest';
import { createExternalIdTurns } from './external-id-turns.ts';

it('runs work with the same external id one after the other, also after a failure, and returns what each returned', async () => {
  const turns = createExternalIdTurns();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const ends = await Promise.allSettled([
    turns.take(['y', 'x'], work('a')),
    turns.take(['x'], work('b')),
    turns.take(['x', 'z'], work('c')),
  ]);
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'failed'))).toEqual([
    'a',
    'failed',
    'c',
  ]);
});

it('does not let other external ids wait, or requests without one', async () => {
  const turns = createExternalIdTurns();
  const { promise: other, resolve } = Promise.withResolvers<string>();
  const waiting = turns.take(['x'], () => other);
  expect(await turns.take(['y'], async () => 'y')).toBe('y');
  expect(await turns.take([], async () => 'none')).toBe('none');
  resolve('x');
  expect(await waiting).toBe('x');
});
