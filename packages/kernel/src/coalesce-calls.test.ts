import { expect, it } from 'vitest';
import { coalesceCalls } from './coalesce-calls.ts';

/** Calls in groups, and the groups that have begun with the functions that end them. */
function prepared() {
  const begun: (PromiseWithResolvers<string> & { readonly items: readonly string[] })[] = [];
  const call = coalesceCalls((items: readonly string[]) => {
    const group = { items, ...Promise.withResolvers<string>() };
    begun.push(group);
    return group.promise;
  }, 2);
  return { call, begun, groups: () => begun.map(({ items }) => items.join()) };
}

it('processes the calls that are made while a group runs together after it, a limited number at a time', async () => {
  const { call, begun, groups } = prepared();
  const first = call('a');
  await Promise.resolve();
  const others = ['b', 'c', 'd'].map(call);
  await Promise.resolve();
  expect(groups()).toEqual(['a']);
  begun[0]?.resolve('1');
  expect(await first).toBe('1');
  await expect.poll(groups).toEqual(['a', 'b,c']);
  begun[1]?.resolve('2');
  await expect.poll(groups).toEqual(['a', 'b,c', 'd']);
  begun[2]?.resolve('3');
  expect(await Promise.all(others)).toEqual(['2', '2', '3']);
});

it('throws the error of a group in its calls, and runs the next group', async () => {
  const { call, begun } = prepared();
  const first = call('a');
  await Promise.resolve();
  const second = call('b');
  begun[0]?.reject(new Error('no answer'));
  await expect(first).rejects.toThrow('no answer');
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve('2');
  expect(await second).toBe('2');
});
