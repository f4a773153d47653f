import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  advance,
  type Known,
  readStored,
  type StoredCursor,
  tokenOf,
  writeEphemeral,
  writeRooms,
} from './cursor.ts';

const ROOMS = 40;

function stored(arrivals: readonly number[]): StoredCursor {
  const rooms = arrivals.map((arrival, index): [string, Known] => [
    `!${index}:test`,
    index % 7 === 6
      ? { membership: 'leave', arrival, stay: 5 }
      : index % 7 === 5
        ? { membership: 'invite', arrival }
        : { membership: 'join', arrival, ...(index % 7 === 1 ? { receipts: 3, typing: 5 } : {}) },
  ]);
  return {
    _id: '@a:test 7',
    user_id: '@a:test',
    session: 's',
    number: 7,
    created_ts: 1,
    milestone: true,
    account_data: 3,
    rooms: writeRooms(new Map(rooms)),
    ...writeEphemeral(new Map(rooms)),
  };
}

const arrivals = fc.array(fc.nat(2 ** 40), { minLength: ROOMS, maxLength: ROOMS });

it('a token contains the progress of a client, unless it does not fit', () => {
  fc.assert(
    fc.property(
      arrivals,
      fc.array(
        fc.record({
          index: fc.nat(ROOMS - 1),
          by: fc.nat(1000),
          receipts: fc.nat(2 ** 20),
          typing: fc.option(fc.integer({ min: 1, max: 2 ** 30 }), { nil: undefined }),
        }),
        { maxLength: 30 },
      ),
      fc.nat(50),
      fc.option(fc.nat(2 ** 40), { nil: undefined }),
      (from, moves, position, keys) => {
        const base = readStored(stored(from));
        const rooms = new Map(base.rooms);
        for (const { index, by, receipts, typing } of moves) {
          const known = rooms.get(`!${index}:test`);
          if (known?.membership === 'join') {
            const { typing: _, ...kept } = known;
            rooms.set(`!${index}:test`, {
              ...kept,
              arrival: known.arrival + by,
              ...((known.receipts ?? 0) + receipts > 0 ? { receipts: (known.receipts ?? 0) + receipts } : {}),
              ...(typing === undefined ? {} : { typing }),
            });
          }
        }
        const cursor = { ...base, rooms, accountData: 3 + position, keys };
        const token = tokenOf(cursor);
        if (token === undefined) {
          expect(moves.length).toBeGreaterThan(5);
          return;
        }
        expect(token.length).toBeLessThanOrEqual(200);
        expect(advance(base, token)).toEqual(cursor);
      },
    ),
  );
});

it('a cursor with other rooms or memberships than the stored one has no token', () => {
  const base = readStored(stored([1, 2, 3]));
  expect(tokenOf(base)).toBe('s7');
  const fewer = new Map([...base.rooms].slice(1));
  const others: ReadonlyMap<string, Known>[] = [
    fewer,
    new Map([...base.rooms, ['!new:test', { membership: 'join', arrival: 1 }]]),
    new Map([...fewer, ['!new:test', { membership: 'join', arrival: 1 }]]),
    new Map([...base.rooms, ['!0:test', { membership: 'leave', arrival: 1 }]]),
  ];
  for (const rooms of others) expect(tokenOf({ ...base, rooms })).toBeUndefined();
});

it.each([
  's7',
  's7_',
  's7_0',
  's7_x_0',
  's7_1_99.5',
  's7_1_-1.5',
  's7_1_5.zz',
  's7_zzzzzzzzzzz',
  's7_é',
  's7_1_0.0',
])('a tail that is invalid or goes back is ignored: %s', (token) => {
  const base = readStored(stored([10, 10, 10, 10, 10, 10, 10]));
  expect(advance(base, token)).toEqual(base);
});
