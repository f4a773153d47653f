import { expect, it, vi } from 'vitest';
import { once } from './once.ts';

it('counts once', () => {
  const count = vi.fn<(key: string) => void>();
  const counted = once(count);
  counted('a');
  counted('b');
  expect(count.mock.calls).toEqual([['a']]);
});

it('counts again after a refusal, which counted nothing', () => {
  const count = vi.fn<() => void>();
  count.mockImplementationOnce(() => {
    throw new Error('too many');
  });
  const counted = once(count);
  expect(counted).toThrow('too many');
  counted();
  counted();
  expect(count).toHaveBeenCalledTimes(2);
});
