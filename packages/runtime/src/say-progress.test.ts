import { expect, it } from 'vitest';
import { sayMigrations } from './say-progress.ts';

it('says every two seconds how far a migration is that takes longer', () => {
  const lines: string[] = [];
  let now = 0;
  const show = sayMigrations((line) => void lines.push(line), { now: () => now });
  const at = (time: number, name: string, done: number) => {
    now = time;
    show({ service: 'user', name, done });
  };
  at(5_000, 'the short one', 0);
  at(6_999, 'the short one', 300);
  at(9_000, 'the long one', 0);
  at(10_999, 'the long one', 100);
  at(11_000, 'the long one', 200);
  at(11_500, 'the long one', 300);
  at(13_000, 'the long one', 400);
  expect(lines).toEqual([
    'migrates the data of user, the long one: 200 documents so far',
    'migrates the data of user, the long one: 400 documents so far',
  ]);
});
