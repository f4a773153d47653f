import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Collection, GroupOptions } from '../port/collection.ts';
import { Conflict } from '../port/errors.ts';
import type { Filter, Projection, Sort } from '../port/filter.ts';
import type { Store } from '../port/store.ts';
import type { Update } from '../port/update.ts';
import { checkAgainstModel } from './check-against-model.ts';
import { type Companion, companions, type Thing, thing, things } from './thing.ts';

/** An engine that is opened for the suite. */
export interface OpenedStore {
  /** Empty, or with a collection `contract.things` that the suite may empty. The suite closes it. */
  readonly store: Store;
  /** Opens the same data again after `store` was closed; absent for an engine that keeps none. */
  readonly reopen?: () => Promise<Store>;
}

/** The extent of the suite. */
export interface ContractOptions {
  /** The number of random command sequences that are compared with the model. */
  readonly sequences?: number;
}

/** Enough for every pair of commands; takes some seconds on an embedded engine. */
const SEQUENCES = 150;
/** The limit for the random sequences on a slow engine. */
const MODEL_TIMEOUT_MS = 120_000;

const byId = (found: readonly Thing[]) => found.toSorted((a, b) => (a._id < b._id ? -1 : 1));

/** The contract of the port, as a test suite for an engine. */
export function storeContract(
  name: string,
  open: () => Promise<OpenedStore>,
  options: ContractOptions = {},
): void {
  describe(`store contract: ${name}`, () => {
    let opened: OpenedStore;
    let collection: Collection<Thing>;
    beforeAll(async () => {
      opened = await open();
      collection = await opened.store.collection(things);
    });
    beforeEach(async () => {
      await collection.deleteMany({});
    });
    afterAll(async () => {
      await opened.store.close();
    });

    const put = (...documents: readonly Thing[]) => collection.insertMany(documents);
    const ids = async (filter: Filter<Thing>, sort: Sort<Thing> = { _id: 1 }) =>
      (await collection.find(filter, { sort }).toArray()).map(({ _id }) => _id);
    const after = async (start: Thing, update: Update<Thing>) => {
      await collection.deleteMany({});
      await put(start);
      await collection.updateOne({ _id: start._id }, update);
      return collection.findOne({ _id: start._id });
    };

    it('names some document of a collection by its id, if there is one', async () => {
      const { store } = opened;
      expect(await store.someId('contract.nothing')).toBeUndefined();
      expect(await store.someId(things.name)).toBeUndefined();
      await put(thing('a'));
      expect(await store.someId(things.name)).toBe('a');
    });

    describe('documents', () => {
      it('come back as they were stored', async () => {
        const stored = thing('@ä💥:x', {
          name: '\u0000"\\\n\u2028',
          rank: -1.5e-7,
          count: Number.MAX_SAFE_INTEGER,
          flag: null,
          seen: { at: 0, from: { ip: null } },
          tags: [],
          labels: ['a', null],
          parts: [{ key: 'k', kind: 'x', size: 2 ** 40 }],
        });
        await collection.insertOne(stored);
        expect(await collection.findOne({ _id: stored._id })).toEqual(stored);
      });

      it('do not hold what is undefined', async () => {
        const sparse = {
          ...thing('a'),
          seen: { at: 1, from: undefined },
          note: undefined,
        } as unknown as Thing;
        await collection.insertOne(sparse);
        expect(Object.keys((await collection.findOne({ _id: 'a' })) ?? {}).sort()).toEqual([
          '_id',
          'seen',
          'version',
        ]);
        await collection.updateOne({ _id: 'a' }, { $set: { note: undefined, name: 'n' } });
        expect(await collection.findOne({ _id: 'a' })).toEqual(thing('a', { seen: { at: 1 }, name: 'n' }));
      });

      it('are not the objects that were given or returned', async () => {
        const given = { ...thing('a'), tags: ['x'] };
        await collection.insertOne(given);
        given.tags.push('y');
        const changed = await collection.findOneAndUpdate(
          { _id: 'a' },
          { $set: { labels: given.tags } },
          { returnDocument: 'after' },
        );
        given.tags.push('z');
        expect(changed).toEqual(thing('a', { tags: ['x'], labels: ['x', 'y'] }));
      });

      it('come with the projected fields only, and always with the id', async () => {
        await put(thing('a', { name: 'n', rank: 1 }));
        expect(await collection.findOne({ _id: 'a' }, { projection: { name: 1, note: 1 } })).toEqual({
          _id: 'a',
          name: 'n',
        });
      });

      it('come without the id when a projection of other fields leaves it out', async () => {
        await put(thing('a', { name: 'n', rank: 1 }), thing('b', { group: 'g', name: 'm' }));
        const without = { projection: { _id: 0, name: 1 } } as const;
        expect(await collection.findOne({ _id: 'a' }, without)).toEqual({ name: 'n' });
        expect(await collection.find({ group: 'g' }, without).toArray()).toEqual([{ name: 'm' }]);
        await expect((async () => collection.findOne({}, { projection: { _id: 0 } }))()).rejects.toThrow(
          TypeError,
        );
      });

      it('come with the projected fields in lists, too, whatever the fields hold', async () => {
        const fields: Partial<Thing> = {
          name: '\u0000"\\\n💥',
          rank: -1.5e-7,
          count: Number.MAX_SAFE_INTEGER,
          flag: null,
          seen: { at: null, from: { ip: 'x' } },
          tags: ['a', 'b'],
        };
        await put(thing('b"\u0000ä', { ...fields, note: 'not wanted' }), thing('a'));
        const projection = {
          _id: 1,
          name: 1,
          rank: 1,
          count: 1,
          flag: 1,
          seen: 1,
          tags: 1,
          code: 1,
        } as const;
        const found = (wanted: Projection<Thing>) =>
          collection.find({}, { sort: { _id: 1 }, projection: wanted }).toArray();
        expect(await found(projection)).toEqual([{ _id: 'a' }, { _id: 'b"\u0000ä', ...fields }]);
        expect(await found({ _id: 1 })).toEqual([{ _id: 'a' }, { _id: 'b"\u0000ä' }]);
      });
    });

    describe('filters', () => {
      it('match null and missing fields with null', async () => {
        await put(thing('null', { name: null }), thing('missing'), thing('value', { name: 'x' }));
        expect(await ids({ name: null })).toEqual(['missing', 'null']);
        expect(await ids({ name: { $ne: null } })).toEqual(['value']);
        expect(await ids({ name: { $in: [null, 'x'] } })).toEqual(['missing', 'null', 'value']);
        expect(await ids({ name: { $nin: [null] } })).toEqual(['value']);
        expect(await ids({ name: { $ne: 'x' } })).toEqual(['missing', 'null']);
        expect(await ids({ name: { $exists: true } })).toEqual(['null', 'value']);
        expect(await ids({ name: { $exists: false } })).toEqual(['missing']);
        expect(await ids({ note: { $exists: false } })).toHaveLength(3);
        expect(await ids({ name: { $in: [] } })).toEqual([]);
        expect(await ids({ name: { $nin: [] } })).toHaveLength(3);
      });

      it('compare by size within a type, and never match null', async () => {
        await put(
          thing('1', { rank: 1 }),
          thing('2', { rank: 2 }),
          thing('3', { rank: 3 }),
          thing('n', { rank: null }),
        );
        await put(thing('m'));
        expect(await ids({ rank: { $gt: 1 } })).toEqual(['2', '3']);
        expect(await ids({ rank: { $gte: 2, $lt: 3 } })).toEqual(['2']);
        expect(await ids({ rank: { $lte: 1 } })).toEqual(['1']);
        expect(await ids({ rank: { $lt: 99 }, flag: null })).toEqual(['1', '2', '3']);
      });

      it('distinguish true and false', async () => {
        await put(thing('t', { flag: true }), thing('f', { flag: false }), thing('n', { flag: null }));
        expect(await ids({ flag: true })).toEqual(['t']);
        expect(await ids({ flag: { $ne: true } })).toEqual(['f', 'n']);
        expect(await ids({ flag: { $in: [false, null] } })).toEqual(['f', 'n']);
      });

      it('follow dotted paths into objects', async () => {
        await put(thing('a', { seen: { at: 5, from: { ip: '::1' } } }), thing('b', { seen: {} }), thing('c'));
        expect(await ids({ 'seen.at': 5 })).toEqual(['a']);
        expect(await ids({ 'seen.from.ip': '::1' })).toEqual(['a']);
        expect(await ids({ 'seen.from.ip': null })).toEqual(['b', 'c']);
        expect(await ids({ 'seen.from.ip': { $exists: true } })).toEqual(['a']);
        expect(await ids({ seen: { $exists: true } })).toEqual(['a', 'b']);
      });

      it('match an array by any of its elements', async () => {
        await put(
          thing('a', { tags: ['x', 'y'], labels: ['x', null] }),
          thing('b', { tags: ['y'], labels: [] }),
        );
        await put(thing('c'));
        expect(await ids({ tags: 'x' })).toEqual(['a']);
        expect(await ids({ tags: { $in: ['x', 'y'] } })).toEqual(['a', 'b']);
        expect(await ids({ tags: { $ne: 'x' } })).toEqual(['b', 'c']);
        expect(await ids({ tags: { $nin: ['x', 'y'] } })).toEqual(['c']);
        expect(await ids({ tags: { $gt: 'x' } })).toEqual(['a', 'b']);
        expect(await ids({ tags: 'y', $and: [{ tags: 'x' }] })).toEqual(['a']);
        expect(await ids({ labels: 'x' })).toEqual(['a']);
        expect(await ids({ labels: null })).toEqual(['a', 'c']);
        expect(await ids({ tags: { $exists: false } })).toEqual(['c']);
      });

      it('match the objects in an array, by one element or by several', async () => {
        const parts = [
          { key: 'k1', kind: 'x', size: 1 },
          { key: 'k2', kind: 'y', size: 9 },
        ];
        await put(
          thing('a', { parts }),
          thing('b', { parts: [{ key: 'k3', kind: 'x', size: 9 }] }),
          thing('c'),
        );
        expect(await ids({ 'parts.key': 'k2' })).toEqual(['a']);
        expect(await ids({ 'parts.kind': 'x', 'parts.size': 9 })).toEqual(['a', 'b']);
        expect(await ids({ parts: { $elemMatch: { kind: 'x', size: 9 } } })).toEqual(['b']);
        expect(await ids({ parts: { $elemMatch: { kind: { $in: ['x', 'y'] }, size: { $gt: 1 } } } })).toEqual(
          ['a', 'b'],
        );
        expect(await ids({ 'parts.key': { $nin: ['k1'] } })).toEqual(['b', 'c']);
        expect(await ids({ 'parts.key': { $exists: true } })).toEqual(['a', 'b']);
        expect(await ids({ tags: { $elemMatch: { $gt: 'a', $lt: 'c' } } })).toEqual([]);
      });

      it('combine by and, or, nor', async () => {
        await put(
          thing('a', { rank: 1, name: 'x' }),
          thing('b', { rank: 2, name: 'x' }),
          thing('c', { rank: 3 }),
        );
        expect(await ids({ $or: [{ rank: 1 }, { rank: 3 }] })).toEqual(['a', 'c']);
        expect(await ids({ name: 'x', $or: [{ rank: 2 }, { rank: 3 }] })).toEqual(['b']);
        expect(await ids({ $nor: [{ rank: 1 }, { name: null }] })).toEqual(['b']);
        expect(await ids({ $and: [{ rank: { $gt: 1 } }, { $or: [{ name: null }, { rank: 9 }] }] })).toEqual([
          'c',
        ]);
        expect(await ids({})).toEqual(['a', 'b', 'c']);
      });

      it('refuse a condition that is undefined instead of widening', async () => {
        await put(thing('a'));
        const filter = { name: undefined } as Filter<Thing>;
        await expect(async () => collection.deleteMany(filter)).rejects.toThrow(TypeError);
        await expect(async () =>
          collection.findOne({ name: { $gt: undefined as unknown as string } }),
        ).rejects.toThrow(TypeError);
        expect(await ids({})).toEqual(['a']);
      });
    });

    describe('search', () => {
      const search = (term: string, paths: readonly ('folded' | 'alias')[] = ['folded', 'alias']) =>
        ids({ $contains: { paths, term } });

      it('finds a term anywhere in any of the fields', async () => {
        await put(
          thing('a', { folded: 'alice', alias: 'wonder' }),
          thing('b', { folded: 'bob', alias: null }),
          thing('c'),
        );
        expect(await search('lic')).toEqual(['a']);
        expect(await search('wonder')).toEqual(['a']);
        expect(await search('wonder', ['folded'])).toEqual([]);
        expect(await search('o')).toEqual(['a', 'b']);
        expect(await search('bobs')).toEqual([]);
        expect(await search('')).toEqual(['a', 'b']);
      });

      it('takes every character literally', async () => {
        const texts = [
          '100% sure',
          'a_b_c',
          'back\\slash',
          'f(x)=.*[y]^$',
          "it's",
          'say "hi"',
          'ünï çødé',
          '日本語の名',
          '💥💥💥',
        ];
        await put(...texts.map((folded, i) => thing(`${i}`, { folded })));
        for (const [i, text] of texts.entries()) {
          expect(await search(text), text).toEqual([`${i}`]);
          for (const character of new Set(text)) {
            const expected = texts.flatMap((other, at) => (other.includes(character) ? [`${at}`] : []));
            expect(await search(character), character).toEqual(expected);
          }
        }
        expect(await search('a%c')).toEqual([]);
        expect(await search('...')).toEqual([]);
      });

      it('follows changes, and combines with other conditions', async () => {
        await put(thing('a', { folded: 'first name', group: 'g' }), thing('b', { folded: 'first' }));
        await collection.updateOne({ _id: 'a' }, { $set: { folded: 'second name' } });
        expect(await search('first')).toEqual(['b']);
        expect(await search('second')).toEqual(['a']);
        const joined: Filter<Thing> = { $contains: { paths: ['folded'], term: 'name' }, group: 'g' };
        expect(await ids(joined)).toEqual(['a']);
        expect(await collection.countDocuments(joined)).toBe(1);
        await collection.updateOne({ _id: 'a' }, { $unset: { folded: true } });
        await collection.deleteOne({ _id: 'b' });
        expect(await search('s')).toEqual([]);
      });
    });

    describe('order', () => {
      it('is by code point, with null and missing first', async () => {
        const names = ['b', 'B', 'a', 'ä', '\uffee', '💥', '', 'ab'];
        await put(...names.map((text, i) => thing(`${i}`, { name: text, group: 'g' })));
        await put(thing('n', { name: null, group: 'g' }), thing('m', { group: 'g' }));
        const ascending = ['m', 'n', '6', '1', '2', '7', '0', '3', '4', '5'];
        expect(await ids({ group: 'g' }, { name: 1, _id: 1 })).toEqual(ascending);
        expect(await ids({}, { name: 1, _id: 1 })).toEqual(ascending);
        expect(await ids({ group: 'g' }, { name: -1, _id: -1 })).toEqual(ascending.toReversed());
        expect(await ids({ group: 'g' }, { name: -1, _id: 1 })).toEqual([
          ...ascending.slice(2).toReversed(),
          'm',
          'n',
        ]);
      });

      it('is by several keys, each with its direction, over several ranges of an index', async () => {
        await put(
          ...Array.from({ length: 24 }, (_, i) =>
            thing(String(i).padStart(2, '0'), {
              group: `g${i % 3}`,
              name: i % 4 ? `n${i % 5}` : null,
              rank: i % 2,
            }),
          ),
        );
        const all = await collection.find({ group: { $in: ['g0', 'g2'] } }).toArray();
        const expected = all
          .toSorted((a, b) => compare(b.name ?? '', a.name ?? '') || compare(a._id, b._id))
          .map(({ _id }) => _id);
        const filter: Filter<Thing> = { group: { $in: ['g0', 'g2', 'none'] } };
        expect(await ids(filter, { name: -1, _id: 1 })).toEqual(expected);
        for (const skip of [0, 3, 15, 16, 99]) {
          const page = await collection
            .find(filter, { sort: { name: -1, _id: 1 }, skip, limit: 4 })
            .toArray();
          expect(page.map(({ _id }) => _id)).toEqual(expected.slice(skip, skip + 4));
        }
      });

      it('puts false before true, and sorts numbers by size', async () => {
        await put(
          thing('a', { flag: true, rank: 10 }),
          thing('b', { flag: false, rank: 9 }),
          thing('c', { rank: -1 }),
        );
        expect(await ids({}, { flag: 1 })).toEqual(['c', 'b', 'a']);
        expect(await ids({}, { rank: -1 })).toEqual(['a', 'b', 'c']);
        expect(await ids({ flag: { $in: [true, false] } }, { rank: 1 })).toEqual(['b', 'a']);
      });

      it('pages by key', async () => {
        await put(
          ...Array.from({ length: 10 }, (_, i) =>
            thing(`${i}`, { group: 'g', name: `n${Math.floor(i / 3)}` }),
          ),
        );
        const next = await ids(
          { group: 'g', $or: [{ name: { $lt: 'n1' } }, { name: 'n1', _id: { $gt: '4' } }] },
          { name: -1, _id: 1 },
        );
        expect(next).toEqual(['5', '0', '1', '2']);
      });
    });

    describe('reading', () => {
      it('limits, skips and iterates', async () => {
        await put(...Array.from({ length: 300 }, (_, i) => thing(String(i).padStart(3, '0'))));
        const cursor = collection.find({}, { sort: { _id: 1 }, skip: 10, limit: 280 });
        const seen: string[] = [];
        for await (const { _id } of cursor) seen.push(_id);
        expect(seen).toHaveLength(280);
        expect([seen[0], seen.at(-1)]).toEqual(['010', '289']);
        expect(await collection.find({}, { limit: 0 }).toArray()).toHaveLength(300);
        for await (const { _id } of collection.find({}, { sort: { _id: 1 } })) {
          expect(_id).toBe('000');
          break;
        }
      });

      it('counts', async () => {
        await put(
          thing('a', { group: 'g', tags: ['x', 'y'] }),
          thing('b', { group: 'g', rank: 1 }),
          thing('c'),
        );
        expect(await collection.countDocuments({})).toBe(3);
        expect(await collection.countDocuments({ group: 'g' })).toBe(2);
        expect(await collection.countDocuments({ group: { $in: ['g', 'h'] } })).toBe(2);
        expect(await collection.countDocuments({ group: { $in: ['g', null] } })).toBe(3);
        expect(await collection.countDocuments({ tags: { $in: ['x', 'y'] } })).toBe(1);
        expect(await collection.countDocuments({ note: null, rank: 1 })).toBe(1);
        expect(await collection.countDocuments({ _id: 'z' })).toBe(0);
      });

      it('tallies exactly', async () => {
        await put(
          thing('a', { group: 'g' }),
          thing('b', { group: 'g' }),
          thing('c', { group: 'h' }),
          thing('d'),
        );
        expect(await collection.tally()).toEqual(
          new Map([
            ['g', 2],
            ['h', 1],
          ]),
        );
        await collection.updateOne({ _id: 'a' }, { $set: { group: 'h' } });
        await collection.updateOne({ _id: 'd' }, { $set: { group: 'h' } });
        await collection.updateOne({ _id: 'b' }, { $unset: { group: true } });
        expect(await collection.tally()).toEqual(new Map([['h', 3]]));
        await collection.deleteMany({ group: 'h' });
        expect(await collection.tally()).toEqual(new Map());
      });
    });

    describe('groups', () => {
      const grouped = (filter: Filter<Thing>, options: Partial<GroupOptions<Thing>> = {}) =>
        collection.groups(filter, { by: 'group', sum: 'count', order: 'value', direction: 1, ...options });
      beforeEach(() =>
        put(
          thing('a', { group: 'g', count: 1, name: 'x', rank: 1 }),
          thing('b', { group: 'g', count: 2, name: 'y', rank: 2 }),
          thing('c', { group: 'h', count: 3, name: 'x', rank: 3 }),
          thing('d', { group: 'i', name: 'x', rank: 4 }),
          thing('e', { count: 50, name: 'x', rank: 5 }),
        ),
      );
      const g = { value: 'g', count: 2, sum: 3 };
      const h = { value: 'h', count: 1, sum: 3 };
      const i = { value: 'i', count: 1, sum: 0 };

      it('count and sum, and leave out documents without a value', async () => {
        expect(await grouped({})).toEqual({ groups: [g, h, i], total: 3 });
        expect(await grouped({ name: 'x', rank: { $lte: 3 } })).toEqual({
          groups: [{ ...g, count: 1, sum: 1 }, h],
          total: 2,
        });
        expect(await grouped({ group: { $in: ['h', 'i'] }, name: 'x' })).toEqual({
          groups: [h, i],
          total: 2,
        });
        expect(await grouped({ group: { $in: [] } })).toEqual({ groups: [], total: 0 });
        expect(await grouped({ rank: { $in: [null, 3] } })).toEqual({ groups: [h], total: 1 });
      });

      it('have totals, of all documents that match', async () => {
        const totals = (filter: Filter<Thing>) => collection.totals(filter, 'count');
        expect(await totals({})).toEqual({ count: 5, sum: 56 });
        // The second time they may be kept, and then follow the writes.
        for (const _ of [1, 2]) expect(await totals({ group: 'g' })).toEqual({ count: 2, sum: 3 });
        await collection.updateOne({ _id: 'a' }, { $set: { count: 7 } });
        await collection.deleteOne({ _id: 'b' });
        expect(await totals({ group: 'g' })).toEqual({ count: 1, sum: 7 });
        expect(await totals({ group: 'i', name: 'x' })).toEqual({ count: 1, sum: 0 });
        expect(await totals({ group: { $in: [] } })).toEqual({ count: 0, sum: 0 });
      });

      it('come in order, page by page, with the total of all', async () => {
        expect(await grouped({}, { direction: -1, limit: 2 })).toEqual({ groups: [i, h], total: 3 });
        expect(await grouped({}, { order: 'sum', direction: -1 })).toEqual({ groups: [g, h, i], total: 3 });
        expect(await grouped({}, { order: 'count' })).toEqual({ groups: [h, i, g], total: 3 });
        expect(await grouped({}, { skip: 1, limit: 1 })).toEqual({ groups: [h], total: 3 });
        expect(await grouped({}, { skip: 3, limit: 1 })).toEqual({ groups: [], total: 3 });
      });
    });

    describe('unique indexes', () => {
      it('name the violated index', async () => {
        await put(thing('a', { code: 'c', parts: [{ key: 'k' }] }));
        const conflictOf = (work: Promise<unknown>) =>
          work.then(
            () => undefined,
            (error: Conflict) => error,
          );
        const onId = await conflictOf(collection.insertOne(thing('a')));
        expect(onId).toBeInstanceOf(Conflict);
        expect(onId?.index).toBe('_id');
        expect((await conflictOf(collection.insertOne(thing('b', { code: 'c' }))))?.index).toBe('code');
        expect((await conflictOf(collection.insertOne(thing('b', { parts: [{ key: 'k' }] }))))?.index).toBe(
          'part',
        );
        await put(thing('b'));
        const update = collection.updateOne({ _id: 'b' }, { $set: { name: 'n', code: 'c' } });
        expect((await conflictOf(update))?.index).toBe('code');
        expect(await collection.findOne({ _id: 'b' })).toEqual(thing('b'));
        const push = collection.updateOne({ _id: 'b' }, { $push: { parts: { key: 'k' } } });
        expect((await conflictOf(push))?.index).toBe('part');
        expect(await ids({ 'parts.key': 'k' })).toEqual(['a']);
      });

      it('ignore documents without the field, and repeated elements within one document', async () => {
        await put(
          thing('a'),
          thing('b'),
          thing('c', { parts: [] }),
          thing('d', { parts: [{ key: 'k' }, { key: 'k' }] }),
        );
        expect(await ids({ 'parts.key': 'k' })).toEqual(['d']);
      });

      it('free a value when its document is deleted or changed', async () => {
        await put(thing('a', { code: 'c' }), thing('b', { code: 'd' }));
        await collection.updateOne({ _id: 'a' }, { $set: { code: 'e' } });
        await collection.deleteOne({ _id: 'b' });
        await put(thing('c', { code: 'c' }), thing('d', { code: 'd' }));
        expect(await ids({})).toEqual(['a', 'c', 'd']);
      });
    });

    describe('updates', () => {
      it('set and unset along dotted paths', async () => {
        expect(await after(thing('a'), { $set: { 'seen.from.ip': 'x', name: null } })).toEqual(
          thing('a', { seen: { from: { ip: 'x' } }, name: null }),
        );
        expect(
          await after(thing('a', { seen: { at: 1, from: { ip: 'x' } }, name: 'n' }), {
            $unset: { 'seen.from.ip': true, name: true, note: true },
          }),
        ).toEqual(thing('a', { seen: { at: 1, from: {} } }));
        expect(await after(thing('a'), { $unset: { 'seen.from.ip': true } })).toEqual(thing('a'));
      });

      it('add, and keep the minimum or the maximum', async () => {
        expect(await after(thing('a', { rank: 2 }), { $inc: { rank: -3, count: 2 } })).toEqual(
          thing('a', { rank: -1, count: 2 }),
        );
        expect(
          await after(thing('a', { rank: 2, count: 2 }), { $min: { rank: 1, count: 3, 'seen.at': 7 } }),
        ).toEqual(thing('a', { rank: 1, count: 2, seen: { at: 7 } }));
        expect(
          await after(thing('a', { rank: null, name: '\uffee' }), { $max: { rank: -5, name: '💥' } }),
        ).toEqual(thing('a', { rank: -5, name: '💥' }));
        expect(await after(thing('a', { rank: null }), { $min: { rank: -5 } })).toEqual(
          thing('a', { rank: null }),
        );
      });

      it('append to arrays, with and without duplicates', async () => {
        expect(
          await after(thing('a', { tags: ['x'] }), { $push: { tags: { $each: ['x', 'y'] }, labels: 'z' } }),
        ).toEqual(thing('a', { tags: ['x', 'x', 'y'], labels: ['z'] }));
        expect(
          await after(thing('a', { tags: ['x'], parts: [{ key: 'k', size: 1 }] }), {
            $addToSet: {
              tags: { $each: ['x', 'y', 'y'] },
              parts: { $each: [{ key: 'k', size: 1 }, { key: 'k' }] },
            },
          }),
        ).toEqual(thing('a', { tags: ['x', 'y'], parts: [{ key: 'k', size: 1 }, { key: 'k' }] }));
      });

      it('remove from arrays', async () => {
        const start = thing('a', {
          tags: ['x', 'y', 'x', 'z'],
          parts: [
            { key: 'k', size: 1 },
            { key: 'l', size: 2 },
            { key: 'm', kind: 'x', size: 3 },
          ],
        });
        expect((await after(start, { $pull: { tags: 'x' } }))?.tags).toEqual(['y', 'z']);
        expect((await after(start, { $pull: { tags: { $in: ['x', 'y', 'q'] } } }))?.tags).toEqual(['z']);
        expect((await after(start, { $pull: { parts: { key: { $in: ['k', 'm'] } } } }))?.parts).toEqual([
          { key: 'l', size: 2 },
        ]);
        expect(
          (await after(start, { $pull: { parts: { size: { $gte: 2 }, kind: 'x' } } }))?.parts,
        ).toHaveLength(2);
        expect(await after(thing('a'), { $pull: { tags: 'x' } })).toEqual(thing('a'));
      });

      it('refuse operands that do not fit, and then change nothing', async () => {
        const start = thing('a', { rank: null, name: 'n', tags: ['x'] });
        await put(start);
        const refused: Update<Thing>[] = [
          { $inc: { rank: 1 } },
          { $set: { name: 'm', 'tags.x': 1 } } as Update<Thing>,
          { $push: { name: 'x' } } as Update<Thing>,
          { $set: { seen: {}, 'seen.at': 1 } },
          { $set: { rank: 1 }, $inc: { rank: 1 } },
          { $set: { _id: 'b' } } as Update<Thing>,
        ];
        for (const update of refused)
          await expect(collection.updateOne({ _id: 'a' }, update)).rejects.toThrow();
        expect(await collection.findOne({ _id: 'a' })).toEqual(start);
      });

      it('report what they matched and what they changed', async () => {
        await put(thing('a', { rank: 1 }), thing('b', { rank: 1 }), thing('c', { rank: 2 }));
        expect(await collection.updateOne({ _id: 'z' }, { $set: { rank: 5 } })).toMatchObject({
          matchedCount: 0,
          modifiedCount: 0,
          upsertedCount: 0,
        });
        expect(await collection.updateMany({}, { $set: { rank: 2 } })).toMatchObject({
          matchedCount: 3,
          modifiedCount: 2,
        });
        expect(await collection.updateOne({ _id: 'a' }, { $max: { rank: 1 } })).toMatchObject({
          matchedCount: 1,
          modifiedCount: 0,
        });
        expect(await collection.updateOne({ rank: 2 }, { $inc: { count: 1 } })).toMatchObject({
          modifiedCount: 1,
        });
        expect(await ids({ count: 1 })).toHaveLength(1);
      });

      it('insert with upsert', async () => {
        const upsert = { upsert: true };
        expect(
          await collection.updateOne(
            { _id: 'a', group: 'g', rank: { $gt: 5 } },
            { $set: { name: 'n' }, $inc: { count: 2 }, $setOnInsert: { version: 7 } },
            upsert,
          ),
        ).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1 });
        expect(await collection.findOne({ _id: 'a' })).toEqual({
          _id: 'a',
          group: 'g',
          name: 'n',
          count: 2,
          version: 7,
        });
        await collection.updateOne(
          { _id: 'a' },
          { $inc: { count: 1 }, $setOnInsert: { version: 9 } },
          upsert,
        );
        expect(await collection.findOne({ _id: 'a' })).toMatchObject({ count: 3, version: 7 });
        await collection.updateOne({ 'seen.at': 4 }, { $setOnInsert: { _id: 'b', version: 1 } }, upsert);
        expect(await collection.findOne({ _id: 'b' })).toEqual(thing('b', { seen: { at: 4 } }));
        await expect(
          collection.updateOne({ _id: 'a', version: 1 }, { $set: { name: 'x' } }, upsert),
        ).rejects.toThrow(Conflict);
      });

      it('return the document before or after the update', async () => {
        await put(thing('a', { rank: 1 }), thing('b', { rank: 2 }));
        const bump: Update<Thing> = { $inc: { rank: 10 } };
        expect(await collection.findOneAndUpdate({ _id: 'a' }, bump)).toEqual(thing('a', { rank: 1 }));
        expect(
          await collection.findOneAndUpdate({}, bump, { returnDocument: 'after', sort: { rank: -1 } }),
        ).toEqual(thing('a', { rank: 21 }));
        expect(await collection.findOneAndUpdate({ _id: 'z' }, bump)).toBeNull();
        expect(await collection.findOneAndUpdate({ _id: 'z' }, bump, { upsert: true })).toBeNull();
        expect(
          await collection.findOneAndUpdate({ _id: 'y' }, bump, { upsert: true, returnDocument: 'after' }),
        ).toEqual({ _id: 'y', rank: 10 });
      });

      it('are seen by repeated reads by id', async () => {
        await put(thing('a', { count: 0 }), thing('b', { count: 0 }));
        const again = await opened.store.collection(things);
        const count = async () => (await collection.findOne({ _id: 'a' }))?.count;
        expect(await count()).toBe(0);
        await again.updateOne({ _id: 'a' }, { $set: { count: 1 } });
        expect(await count()).toBe(1);
        await collection.updateMany({ count: { $gte: 0 } }, { $inc: { count: 1 } });
        expect(await count()).toBe(2);
        await collection.bulkWrite([
          { updateOne: { filter: { _id: 'a' }, update: { $inc: { count: 1 } } } },
          { deleteOne: { filter: { _id: 'b' } } },
        ]);
        expect(await count()).toBe(3);
        expect(await collection.findOne({ _id: 'b' })).toBeNull();
        await put(thing('b'));
        expect(await collection.findOne({ _id: 'b' })).toEqual(thing('b'));
        await collection.findOneAndUpdate({ count: 3 }, { $set: { count: 4 } });
        expect(await count()).toBe(4);
        const changed = await collection.findOne({ _id: 'a' });
        // An engine that gives the same object to several readers refuses the change.
        expect(Object.isFrozen(changed) || Reflect.set(changed ?? {}, 'count', 9)).toBe(true);
        expect(await count()).toBe(4);
        await again.deleteMany({ count: 4 });
        expect(await count()).toBeUndefined();
      });

      it('raise the revision, where the process is the sole writer', async () => {
        const again = await opened.store.collection(things);
        const raises = async (write: () => Promise<unknown>) => {
          const before = collection.revision();
          await write();
          const after = again.revision();
          return before !== undefined && after !== undefined ? after > before : undefined;
        };
        const yes = opened.store.capabilities.soleWriter || undefined;
        expect(await raises(() => put(thing('a', { rank: 1, group: 'g' }), thing('b')))).toBe(yes);
        expect(await raises(() => again.updateOne({ _id: 'a' }, { $inc: { rank: 1 } }))).toBe(yes);
        expect(await raises(() => again.updateMany({}, { $set: { group: 'h' } }))).toBe(yes);
        expect(await raises(() => again.deleteOne({ _id: 'a' }))).toBe(yes);
        expect(await raises(() => again.deleteMany({ group: 'h' }))).toBe(yes);
        expect(await raises(() => again.deleteMany({ group: 'h' }))).toBe(yes && false);
        expect(await raises(() => collection.find({}).toArray())).toBe(yes && false);
      });

      it('are seen by repeated reads of an index', async () => {
        const again = await opened.store.collection(things);
        const ofGroup = { group: 'g' };
        const sort = { name: 1, _id: 1 } as const;
        const read = async () => [
          (await collection.find(ofGroup, { sort, projection: { _id: 0, name: 1 } }).toArray()).map(
            ({ name }) => name,
          ),
          (await collection.find(ofGroup, { sort, limit: 2 }).toArray()).map(({ _id }) => _id),
          await collection.countDocuments(ofGroup),
          await collection.countDocuments({ ...ofGroup, name: { $gt: 'm' } }),
        ];
        const check = async (write: () => Promise<unknown>, expected: readonly unknown[]) => {
          await write();
          for (let reads = 0; reads < 3; reads++) expect(await read()).toEqual(expected);
        };
        const [a, b] = [thing('a', { group: 'g', name: 'n' }), thing('b', { group: 'g', name: 'o' })];
        await check(() => put(a, b), [['n', 'o'], ['a', 'b'], 2, 2]);
        await check(
          () => again.updateOne({ _id: 'b' }, { $set: { name: 'b' } }),
          [['b', 'n'], ['b', 'a'], 2, 1],
        );
        await check(
          () => again.updateOne({ _id: 'b' }, { $set: { name: null } }),
          [[null, 'n'], ['b', 'a'], 2, 1],
        );
        await check(
          () => again.updateOne({ _id: 'b' }, { $unset: { name: true } }),
          [[undefined, 'n'], ['b', 'a'], 2, 1],
        );
        await check(() => again.deleteOne({ _id: 'a' }), [[undefined], ['b'], 1, 0]);
        await check(() => again.updateMany({}, { $set: { group: 'h' } }), [[], [], 0, 0]);
      });

      it('are seen by repeated reads of some ids', async () => {
        const many = Array.from({ length: 300 }, (_, i) => `d${String(i).padStart(3, '0')}`);
        const again = await opened.store.collection(things);
        const asked = ['b', 'é', 'a', 'none', 'b', ...many.toReversed()];
        const found = (projection?: Projection<Thing>) =>
          collection.find({ _id: { $in: asked } }, projection ? { projection } : {});
        const check = async (expected: readonly Thing[]) => {
          for (let reads = 0; reads < 3; reads++) {
            expect(byId(await found().toArray())).toEqual(expected);
            const counts = expected.map(({ _id, count }) => (count === undefined ? { _id } : { _id, count }));
            expect(byId(await Array.fromAsync(found({ count: 1 })))).toEqual(counts);
          }
        };
        const rest = many.map((id) => thing(id));
        await put(...rest, thing('c'), thing('é'), thing('a', { count: 1 }));
        await check([thing('a', { count: 1 }), ...rest, thing('é')]);
        await again.updateOne({ _id: 'a' }, { $set: { count: 2 } });
        await put(thing('b'));
        await check([thing('a', { count: 2 }), thing('b'), ...rest, thing('é')]);
        await again.deleteMany({ _id: { $in: [...many, 'a'] } });
        await check([thing('b'), thing('é')]);
      });

      it('are seen by repeated lists', async () => {
        await put(thing('a', { group: 'g', count: 0 }), thing('b', { group: 'g', count: 0 }));
        const again = await opened.store.collection(things);
        const counts = async () => {
          const found = await collection.find({ group: 'g' }, { sort: { name: 1, _id: 1 } }).toArray();
          return found.map(({ count }) => count);
        };
        for (let reads = 0; reads < 3; reads++) expect(await counts()).toEqual([0, 0]);
        await again.updateOne({ _id: 'b' }, { $set: { count: 1 } });
        expect(await counts()).toEqual([0, 1]);
        await collection.updateMany({ group: 'g' }, { $inc: { count: 1 } });
        for (let reads = 0; reads < 3; reads++) expect(await counts()).toEqual([1, 2]);
        await again.deleteOne({ _id: 'a' });
        await put(thing('c', { group: 'g', count: 7 }));
        for (let reads = 0; reads < 3; reads++) expect(await counts()).toEqual([2, 7]);
        await collection.deleteMany({ count: 2 });
        expect(await counts()).toEqual([7]);
      });

      it('insert documents along, all or none, where the engine can', async ({ skip }) => {
        const others = await opened.store.collection(companions);
        await others.deleteMany({});
        if (!opened.store.capabilities.insertsAlongCommit) {
          expect(() => others.insertion([{ _id: '1' }])).toThrow(TypeError);
          return skip('changes one document at a time');
        }
        const along = (...documents: Companion[]) => [others.insertion(documents)];
        await put(thing('a', { count: 0 }));
        const count: Update<Thing> = { $inc: { count: 1 } };
        const names = async () =>
          (await others.find({}, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id);

        await collection.findOneAndUpdate({ _id: 'z' }, count, { along: along({ _id: '1' }) });
        expect(await names()).toEqual([]);
        const changed = await collection.findOneAndUpdate({ _id: 'a' }, count, {
          along: along({ _id: '1' }, { _id: '2' }),
          returnDocument: 'after',
        });
        expect(changed).toEqual(thing('a', { count: 1 }));
        expect(await names()).toEqual(['1', '2']);

        const taken = collection.findOneAndUpdate({ _id: 'a' }, count, {
          along: along({ _id: '3' }, { _id: '2' }),
        });
        const beside = collection.updateOne({ _id: 'a' }, { $set: { name: 'beside' } });
        await expect(taken).rejects.toThrow(Conflict);
        await beside;
        expect(await collection.findOne({ _id: 'a' })).toEqual(thing('a', { count: 1, name: 'beside' }));
        expect(await names()).toEqual(['1', '2']);

        const each = collection.bulkWrite(
          [
            { insertOne: { document: thing('b'), along: along({ _id: '3' }) } },
            { updateOne: { filter: { _id: 'a' }, update: count, along: along({ _id: '4' }) } },
            { updateOne: { filter: { _id: 'z' }, update: count, along: along({ _id: '5' }) } },
            { updateOne: { filter: { _id: 'a' }, update: count, along: along({ _id: '6' }, { _id: '1' }) } },
            { insertOne: { document: thing('a'), along: along({ _id: '7' }) } },
          ],
          { ordered: false },
        );
        await expect(each).rejects.toThrow(Conflict);
        expect(await collection.findOne({ _id: 'a' })).toEqual(thing('a', { count: 2, name: 'beside' }));
        expect(await names()).toEqual(['1', '2', '3', '4']);
      });

      it('update documents along, all or none, where the engine can', async ({ skip }) => {
        const others = await opened.store.collection(companions);
        await others.deleteMany({});
        const counting = (_id: string, count = 1) => ({
          filter: { _id },
          update: { $inc: { count } },
          upsert: true,
        });
        if (!opened.store.capabilities.insertsAlongCommit) {
          expect(() => others.alteration([counting('1')])).toThrow(TypeError);
          return skip('changes one document at a time');
        }
        expect(() => collection.alteration([{ filter: { rank: 1 }, update: { $inc: { rank: 1 } } }])).toThrow(
          TypeError,
        );
        const stored = async () => (await others.find({}, { sort: { _id: 1 } }).toArray()) as unknown;
        await others.insertOne({ _id: '1', count: 1 });
        await put(thing('a', { count: 0 }));
        const change = (along: Parameters<typeof collection.findOneAndUpdate>[2]) =>
          collection.findOneAndUpdate({ _id: 'a' }, { $inc: { count: 1 } }, along);

        await collection.findOneAndUpdate({ _id: 'z' }, {}, { along: [others.alteration([counting('1')])] });
        expect(await stored()).toEqual([{ _id: '1', count: 1 }]);
        await change({ along: [others.alteration([counting('1'), counting('2'), counting('1')])] });
        const after = [
          { _id: '1', count: 3 },
          { _id: '2', count: 1 },
        ];
        expect(await stored()).toEqual(after);

        const marked = {
          filter: { _id: '1', count: 3 },
          update: { $set: { mark: 'x' }, $inc: { count: 1 } },
        };
        const missed = { filter: { _id: '1', count: 9 }, update: { $set: { mark: 'y' } } };
        const altered = others.alteration([counting('3'), marked, missed, counting('2')]);
        await expect(change({ along: [altered, others.insertion([{ _id: '1' }])] })).rejects.toThrow(
          Conflict,
        );
        expect(await stored()).toEqual(after);
        expect(await collection.findOne({ _id: 'a' })).toEqual(thing('a', { count: 1 }));
        await change({ along: [others.alteration([marked])] });
        expect(await stored()).toEqual([{ _id: '1', count: 4, mark: 'x' }, after[1]]);
      });

      it('are atomic for one document, with concurrent updates', async () => {
        await put(thing('a', { count: 0, tags: [] }));
        await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            collection.updateOne({ _id: 'a' }, { $inc: { count: 1 }, $push: { tags: `t${i}` } }),
          ),
        );
        const found = await collection.findOne({ _id: 'a' });
        expect(found?.count).toBe(20);
        expect(new Set(found?.tags).size).toBe(20);
        const claims = await Promise.all(
          Array.from({ length: 5 }, () =>
            collection
              .updateOne({ _id: 'a', version: 1 }, { $inc: { version: 1 } })
              .then((r) => r.matchedCount),
          ),
        );
        expect(claims.toSorted()).toEqual([0, 0, 0, 0, 1]);
      });
    });

    describe('writes of several', () => {
      it('stop at the first conflict, or continue and report it at the end', async () => {
        await put(thing('b'));
        const batch = [thing('a'), thing('b'), thing('c')];
        await expect(collection.insertMany(batch)).rejects.toMatchObject({ index: '_id', insertedCount: 1 });
        expect(await ids({})).toEqual(['a', 'b']);
        await expect(collection.insertMany(batch, { ordered: false })).rejects.toMatchObject({
          name: 'Conflict',
          insertedCount: 1,
        });
        expect(await ids({})).toEqual(['a', 'b', 'c']);
        expect(await collection.insertMany([thing('d'), thing('e')])).toMatchObject({ insertedCount: 2 });
      });

      it('run mixed operations in order', async () => {
        await put(thing('a', { rank: 1 }), thing('b', { rank: 1 }), thing('c', { rank: 1 }));
        expect(
          await collection.bulkWrite([
            { insertOne: { document: thing('d', { rank: 1 }) } },
            { updateOne: { filter: { _id: 'd' }, update: { $inc: { rank: 1 } } } },
            { updateOne: { filter: { _id: 'e' }, update: { $set: { version: 1 } }, upsert: true } },
            { deleteOne: { filter: { _id: 'a' } } },
            { updateMany: { filter: { rank: 1 }, update: { $set: { rank: 2 } } } },
            { deleteMany: { filter: { rank: 2 } } },
          ]),
        ).toMatchObject({
          insertedCount: 1,
          matchedCount: 3,
          modifiedCount: 3,
          deletedCount: 4,
          upsertedCount: 1,
        });
        expect(await ids({})).toEqual(['e']);
      });

      it('of a bulk write stop at a conflict or continue', async () => {
        await put(thing('a'));
        const operations = [
          { insertOne: { document: thing('b') } },
          { insertOne: { document: thing('a') } },
          { updateOne: { filter: { _id: 'a' }, update: { $set: { rank: 5 } } } },
        ];
        await expect(collection.bulkWrite(operations)).rejects.toMatchObject({
          index: '_id',
          insertedCount: 1,
        });
        expect(await collection.findOne({ _id: 'a' })).toEqual(thing('a'));
        await expect(collection.bulkWrite(operations, { ordered: false })).rejects.toThrow(Conflict);
        expect(await collection.findOne({ _id: 'a' })).toEqual(thing('a', { rank: 5 }));
      });

      it('delete one or many', async () => {
        await put(...Array.from({ length: 500 }, (_, i) => thing(`${i}`, { group: i % 2 ? 'odd' : 'even' })));
        expect(await collection.deleteOne({ group: 'odd' })).toMatchObject({ deletedCount: 1 });
        expect(await collection.deleteMany({ group: 'odd' })).toMatchObject({ deletedCount: 249 });
        expect(await collection.deleteOne({ group: 'odd' })).toMatchObject({ deletedCount: 0 });
        expect(await collection.countDocuments({})).toBe(250);
      });
    });

    it(
      'behaves as a model in memory does',
      () => checkAgainstModel(collection, options.sequences ?? SEQUENCES),
      MODEL_TIMEOUT_MS,
    );

    it('is healthy, and keeps what was written', async () => {
      await expect.poll(() => opened.store.healthy()).toBe(true);
      if (!opened.reopen) return;
      await put(thing('kept', { tags: ['x'], folded: 'needle', group: 'g' }));
      await opened.store.close();
      expect(await opened.store.healthy()).toBe(false);
      opened = { ...opened, store: await opened.reopen() };
      collection = await opened.store.collection(things);
      expect(await ids({ tags: 'x', $contains: { paths: ['folded'], term: 'needle' } })).toEqual(['kept']);
      expect(await collection.tally()).toEqual(new Map([['g', 1]]));
    });
  });
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
