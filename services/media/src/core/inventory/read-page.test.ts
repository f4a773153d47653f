import { compareCodePoints } from '@steward/kernel';
import { deleteAggregates, insertAggregates } from '@steward/service';
import { stores } from '@steward/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { machineOn } from '../../fixtures/machine-on.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { findableOf, type Media, uriOf } from '../model/media.ts';
import {
  type Order,
  type Position,
  positionOf,
  readPage,
  readParts,
  type SortField,
  totalsOf,
} from './read-page.ts';
import type { Selector } from './selector.ts';

const ROOM = '!room:test';

/** Few distinct values, so that every order has ties, and every filter finds some of the media. */
function medium(n: number): Media {
  const isLocal = n % 3 !== 0;
  const fields = mediumOf(`m${n}`, {
    origin: isLocal ? 'test' : 'elsewhere',
    user_id: isLocal ? `@u${n % 2}:test` : null,
    type: ['image/png', 'Image/JPEG; q=1', 'text/plain', 'application/x-ü'][n % 4] ?? '',
    length: (n * 7) % 5,
    created_ts: (n * 5) % 8,
    last_access_ts: n % 5 < 2 ? null : (n * 3) % 4,
    quarantined_by: n % 7 === 0 ? '@admin:test' : null,
    safe_from_quarantine: n % 6 === 0,
    state: n % 11 === 0 ? 'deleting' : 'stored',
    ...(n % 13 === 0 ? {} : { shown: n % 4 === 1 }),
  });
  return { ...fields, ...findableOf(fields) };
}

const MEDIA = Array.from({ length: 60 }, (_, n) => medium(n));
const SHOWN_IN_ROOM = MEDIA.filter((_, n) => n % 2 === 0);

/** Selectors, and which media they are to find. */
const SELECTORS: readonly (readonly [Selector, (medium: Media) => boolean])[] = [
  [{}, () => true],
  [{ origin: 'elsewhere' }, ({ origin }) => origin === 'elsewhere'],
  [{ userId: '@u1:test' }, ({ user_id }) => user_id === '@u1:test'],
  [{ type: 'image/jpeg' }, ({ type }) => type === 'Image/JPEG; q=1'],
  [{ type: 'image/*' }, ({ type }) => /^image/i.test(type)],
  [{ sizeMin: 1, sizeMax: 3 }, ({ length }) => length >= 1 && length <= 3],
  [{ createdAfter: 2, createdBefore: 6 }, ({ created_ts: ts }) => ts >= 2 && ts < 6],
  [{ accessedAfter: 1, accessedBefore: 3 }, ({ last_access_ts: ts }) => ts === 1 || ts === 2],
  [{ accessedBefore: 1 }, ({ last_access_ts: ts }) => ts === 0],
  [{ neverAccessed: true }, ({ last_access_ts: ts }) => ts === null],
  [{ neverAccessed: false }, ({ last_access_ts: ts }) => ts !== null],
  [{ quarantined: true }, ({ quarantined_by: by }) => by !== null],
  [{ quarantined: false, protected: true }, (m) => m.quarantined_by === null && m.safe_from_quarantine],
  [{ quarantined: false, protected: false }, (m) => m.quarantined_by === null && !m.safe_from_quarantine],
  [{ orphaned: true }, ({ shown }) => shown === false],
  [{ orphaned: false, origin: 'test' }, ({ shown, origin }) => shown === true && origin === 'test'],
  [{ roomId: ROOM, type: 'image/*' }, (m) => SHOWN_IN_ROOM.includes(m) && /^image/i.test(m.type)],
];

const ORDERS = (['created_ts', 'length', 'last_access_ts'] as const).flatMap((field: SortField) =>
  ([1, -1] as const).map((direction): Order => ({ field, direction })),
);

function expected(matches: (medium: Media) => boolean, { field, direction }: Order): readonly string[] {
  return MEDIA.filter((each) => each.state === 'stored' && matches(each))
    .sort(
      (a, b) =>
        direction * ((a[field] ?? -1) - (b[field] ?? -1)) || direction * compareCodePoints(a._id, b._id),
    )
    .map(({ _id }) => _id);
}

describe.each(stores)('the inventory $title', ({ missing, open }) => {
  it.skipIf(missing)(
    'finds and sums exactly what a selector says, in every order, page by page',
    async () => {
      const { store, drop } = await open();
      onTestFinished(drop);
      const rooms = { shownIn: async () => [...SHOWN_IN_ROOM.map(uriOf), 'no uri', 'mxc://test/unknown'] };
      const deps = await machineOn(store, { rooms });
      await insertAggregates(deps.media, MEDIA);
      for (const [selector, matches] of SELECTORS) {
        for (const order of ORDERS) {
          const found: string[] = [];
          let after: Position | undefined;
          do {
            const page = await readPage(deps, selector, order, after, 17);
            found.push(...page.map(({ _id }) => _id));
            const last = page.at(-1);
            after = last && page.length === 17 ? positionOf(last, order) : undefined;
          } while (after);
          expect({ selector, order, found }).toEqual({ selector, order, found: expected(matches, order) });
          const inParts: string[] = [];
          for await (const part of readParts(deps, selector, order, undefined, 17))
            inParts.push(...part.map(({ _id }) => _id));
          expect({ selector, order, found: inParts }).toEqual({ selector, order, found });
        }
        const all = MEDIA.filter((each) => each.state === 'stored' && matches(each));
        const bytes = all.reduce((sum, { length }) => sum + length, 0);
        expect(await totalsOf(deps, selector)).toEqual({ count: all.length, bytes });
      }
    },
  );

  it.skipIf(missing)('looks up once what a room shows, and reads each part at its turn', async () => {
    const { store, drop } = await open();
    onTestFinished(drop);
    let lookUps = 0;
    const shownIn = async () => {
      lookUps++;
      return MEDIA.map(uriOf);
    };
    const deps = await machineOn(store, { rooms: { shownIn } });
    await insertAggregates(deps.media, MEDIA);
    const order: Order = { field: 'created_ts', direction: 1 };
    const [first = '', second = '', ...others] = expected(() => true, order);
    const found: string[] = [];
    for await (const part of readParts(deps, { roomId: ROOM }, order, undefined, 1)) {
      found.push(...part.map(({ _id }) => _id));
      await deleteAggregates(deps.media, { _id: second });
    }
    expect(found).toEqual([first, ...others]);
    expect(lookUps).toBe(1);
  });

  it.skipIf(missing)(
    'looks for few media of a range by another field neither along the order nor twice',
    async () => {
      const { store, drop } = await open();
      onTestFinished(drop);
      const deps = await machineOn(store);
      await insertAggregates(deps.media, MEDIA);
      const isSorted: boolean[] = [];
      const find: typeof deps.media.find = (filter, options) => {
        isSorted.push(options?.sort !== undefined);
        return deps.media.find(filter, options);
      };
      const watched = { ...deps, media: Object.assign(Object.create(deps.media), { find }) };
      const queriesOf = async (selector: Selector, field: SortField = 'last_access_ts') => {
        isSorted.length = 0;
        await readPage(watched, selector, { field, direction: 1 }, undefined, 100);
        return isSorted.slice();
      };
      expect(await queriesOf({})).toEqual([true, true]);
      for (const selector of [{ createdAfter: 6 }, { createdBefore: 2 }, { sizeMin: 4 }, { sizeMax: 0 }]) {
        expect(await queriesOf(selector)).toEqual([false]);
        expect(await queriesOf(selector, 'created_ts')).toEqual([true]);
      }
      for (const selector of [{ neverAccessed: true }, { neverAccessed: false }, { accessedAfter: 3 }])
        expect(await queriesOf(selector)).toEqual([true]);
    },
  );
});
