import { expect, it } from 'vitest';
import { createRemoval } from './removal.ts';

it('batches the ids that are added during an earlier removal', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const calls: (readonly string[])[] = [];
  const removal = createRemoval((ids) => {
    calls.push(ids);
    return gates[calls.length - 1]?.promise ?? Promise.resolve();
  });
  for (const id of ['a', 'b', 'c']) removal.add(id);
  expect(calls).toEqual([['a']]);
  const done = removal.done();
  for (const gate of gates) gate.resolve();
  await done;
  expect(calls).toEqual([['a'], ['b', 'c']]);
  removal.add('d');
  await removal.done();
  expect(calls).toEqual([['a'], ['b', 'c'], ['d']]);
});

it('rejects with the error of a failed removal, and removes nothing afterwards', async () => {
  const calls: (readonly string[])[] = [];
  const removal = createRemoval(async (ids) => {
    calls.push(ids);
    throw new Error('no answer');
  });
  removal.add('a');
  removal.add('b');
  await expect(removal.done()).rejects.toThrow('no answer');
  removal.add('c');
  await expect(removal.done()).rejects.toThrow('no answer');
  expect(calls).toEqual([['a']]);
});
