import { expect, it } from 'vitest';
import { createExternalIdMutex } from './external-id-mutex.ts';

it('runs work with the same external id one after the other, also after a failure, and returns what each returned', async () => {
  const mutex = createExternalIdMutex();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const ends = await Promise.allSettled([
    mutex.runExclusive(['y', 'x'], work('a')),
    mutex.runExclusive(['x'], work('b')),
    mutex.runExclusive(['x', 'z'], work('c')),
  ]);
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'failed'))).toEqual([
    'a',
    'failed',
    'c',
  ]);
});

it('does not let other external ids wait, or requests without one', async () => {
  const mutex = createExternalIdMutex();
  const { promise: other, resolve } = Promise.withResolvers<string>();
  const waiting = mutex.runExclusive(['x'], () => other);
  expect(await mutex.runExclusive(['y'], async () => 'y')).toBe('y');
  expect(await mutex.runExclusive([], async () => 'none')).toBe('none');
  resolve('x');
  expect(await waiting).toBe('x');
});
