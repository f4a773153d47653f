import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Thing, thing, things } from '../../contract/thing.ts';
import type { Update } from '../../port/update.ts';
import { layOut } from '../layout/layout.ts';
import { openSqliteStore } from '../open.ts';
import { fieldChanges } from './field-changes.ts';

const layout = layOut(things);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.constantFrom('\ud800', '"\\ud800', 'é'),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER, -0));
/** Some of the documents lack a field, or have a number that SQL and JavaScript do not add alike. */
const fields = fc.record(
  {
    count: number,
    rank: fc.option(number),
    name: text,
    group: fc.constantFrom('a', 'b'),
    seen: fc.record({ at: number }),
    tags: fc.array(text, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const update = fc.record(
  {
    $inc: fc.record({ version: fc.constantFrom(1, -2), count: fc.integer() }, { requiredKeys: ['version'] }),
    $set: fc.record(
      {
        name: fc.option(text),
        note: text,
        flag: fc.option(fc.boolean()),
        folded: text,
        seen: fc.record({ at: fc.option(number), from: fc.record({ ip: text }) }, { requiredKeys: [] }),
        tags: fc.array(text, { maxLength: 2 }),
        labels: fc.array(fc.option(text), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    $unset: fc.record({ group: fc.constant(true), alias: fc.constant(true) }, { requiredKeys: [] }),
  },
  { requiredKeys: ['$inc'] },
) as fc.Arbitrary<Update<Thing>>;

describe('an update of many documents by one statement', () => {
  it('leaves the texts that updates one by one leave, with their fields in the same order', async () => {
    const store = await openSqliteStore({ path: ':memory:' });
    onTestFinished(() => store.close());
    const collection = await store.collection(things);
    const property = fc.asyncProperty(fc.array(fields, { maxLength: 4 }), update, async (each, one) => {
      await collection.deleteMany({});
      await collection.insertMany(each.map((more, n) => thing(`a${n}`, { ...more, note: 'many' })));
      await collection.insertMany(each.map((more, n) => thing(`b${n}`, { ...more, note: 'one' })));
      expect(fieldChanges(layout, one)).toBeDefined();
      const counts = { matchedCount: each.length, modifiedCount: each.length };
      expect(await collection.updateMany({ note: 'many' }, one)).toMatchObject(counts);
      for (const n of each.keys()) await collection.updateOne({ _id: `b${n}` }, one);
      const texts = async (note: string) => {
        const found = await collection
          .find({ _id: { $gte: note, $lt: `${note}~` } }, { sort: { _id: 1 } })
          .toArray();
        return found.map((document) =>
          JSON.stringify({ ...document, _id: '', note: document.note === 'many' ? 'one' : document.note }),
        );
      };
      expect(await texts('a')).toEqual(await texts('b'));
      // Columns and documents agree.
      for (const [field, value] of Object.entries(one.$set ?? {})) {
        if (typeof value !== 'string') continue;
        const filter = { [field]: value.toWellFormed() };
        expect(await collection.countDocuments(filter)).toBe(2 * each.length);
      }
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it.each<[string, Update<Thing>]>([
    [
      'sets fields and raises the version',
      { $set: { name: 'a' }, $unset: { rank: true }, $inc: { version: 1 } },
    ],
  ])('%s', (_, one) => {
    expect(fieldChanges(layout, one)).toMatchObject({ hasColumns: true });
  });

  it.each<[string, Update<Thing>]>([
    ['may change nothing', { $set: { name: 'a' } }],
    ['adds nothing', { $set: { name: 'a' }, $inc: { version: 0 } }],
    ['enters an object', { $set: { 'seen.at': 1 }, $inc: { version: 1 } }],
    ['appends to an array', { $push: { tags: 'a' }, $inc: { version: 1 } }],
    ['sets a unique field', { $set: { code: 'a' }, $inc: { version: 1 } }],
    ['adds a fraction', { $inc: { version: 1, count: 0.5 } }],
    ['names a field twice', { $set: { version: 1 }, $inc: { version: 1 } }],
  ])('an update of many documents by one statement is not made when it %s', (_, one) => {
    expect(fieldChanges(layout, one)).toBeUndefined();
  });
});
