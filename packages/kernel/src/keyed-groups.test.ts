import { expect, it } from 'vitest';
import { KeyedGroups } from './keyed-groups.ts';

it('groups the concurrent calls of a key, and no others', async () => {
  const groups = new KeyedGroups<number, string>(10);
  const ran: string[] = [];
  const call = (key: string, item: number) =>
    groups.call(key, item, async (items) => {
      await Promise.resolve();
      ran.push(`${key} ${items.join('+')}`);
      return items.join('+');
    });
  expect(await Promise.all([call('a', 1), call('b', 2), call('a', 3)])).toEqual(['1+3', '2', '1+3']);
  expect(await call('a', 4)).toBe('4');
  expect(ran).toEqual(['a 1+3', 'b 2', 'a 4']);
});
