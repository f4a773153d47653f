import { compareCodePoints } from '@steward/kernel';
import fc from 'fast-check';
import { Query } from 'mingo';
import { update as applyWithMingo } from 'mingo/updater';
import { expect } from 'vitest';
import type { BulkOperation, Collection } from '../port/collection.ts';
import { Conflict } from '../port/errors.ts';
import type { ContainsSearch, Filter, Projection, Sort } from '../port/filter.ts';
import type { Update } from '../port/update.ts';
import { type Part, type Thing, thing } from './thing.ts';

type Fields = Record<string, unknown>;
type ThingFilter = Filter<Thing> & { readonly $contains?: ContainsSearch<Thing> };

/**
 * A reference implementation of a collection: documents in a map, filters and updates by mingo, and straightforward code
 * for what mingo lacks (search, order, unique indexes).
 */
class Model {
  readonly documents = new Map<string, Thing>();

  matching({ $contains, ...filter }: ThingFilter): Thing[] {
    const query = new Query<Thing>(filter as Fields);
    return [...this.documents.values()].filter(
      (document) =>
        query.test(document) &&
        ($contains?.paths ?? ['']).some(
          (path) => !$contains || (document as unknown as Fields)[path]?.toString().includes($contains.term),
        ),
    );
  }

  sorted(filter: ThingFilter, sort: Sort<Thing>): Thing[] {
    return this.matching(filter).toSorted((a, b) => {
      for (const [path, direction] of Object.entries(sort)) {
        const order = compareValues(valueAt(a, path), valueAt(b, path)) * direction;
        if (order !== 0) return order;
      }
      return 0;
    });
  }

  /** Stores a document, unless a unique index forbids it. */
  put(document: Thing, options: { isNew: boolean }): boolean {
    if (options.isNew && this.documents.has(document._id)) return false;
    const keys = (other: Thing) => new Set(other.parts?.map(({ key }) => key));
    for (const other of this.documents.values()) {
      if (other._id === document._id) continue;
      if (document.code !== undefined && other.code === document.code) return false;
      if (!keys(other).isDisjointFrom(keys(document))) return false;
    }
    this.documents.set(document._id, document);
    return true;
  }

  updated(
    document: Thing,
    { $setOnInsert, $addToSet, ...update }: Update<Thing>,
    options: { isNew: boolean },
  ): Thing {
    const copy = structuredClone(document) as Thing & { tags?: string[] };
    applyWithMingo(copy as unknown as Fields, update as Fields);
    // Not done by mingo, which also removes duplicates that the array already had.
    const added = $addToSet?.tags;
    if (added !== undefined) copy.tags ??= [];
    for (const tag of typeof added === 'string' ? [added] : (added?.$each ?? [])) {
      if (!copy.tags?.includes(tag)) copy.tags?.push(tag);
    }
    if (options.isNew) Object.assign(copy, $setOnInsert);
    return copy;
  }
}

function valueAt(document: Thing, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], document);
}

function compareValues(a: unknown = null, b: unknown = null): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return typeof a === 'string' ? compareCodePoints(a, String(b)) : Number(a) - Number(b);
}

/** Every write, as a command for both sides. The filters of single writes name an id, so that both choose the same document. */
type Command =
  | { readonly do: 'insert'; readonly documents: readonly Thing[]; readonly ordered: boolean }
  | {
      readonly do: 'update';
      readonly filter: ThingFilter;
      readonly update: Update<Thing>;
      readonly upsert: boolean;
    }
  | {
      readonly do: 'update first';
      readonly filter: ThingFilter;
      readonly sort: Sort<Thing>;
      readonly update: Update<Thing>;
    }
  | { readonly do: 'update all'; readonly filter: ThingFilter; readonly update: Update<Thing> }
  | { readonly do: 'delete'; readonly filter: ThingFilter }
  | { readonly do: 'delete all'; readonly filter: ThingFilter }
  | { readonly do: 'bulk'; readonly commands: readonly Command[] }
  | {
      readonly do: 'read';
      readonly filter: ThingFilter;
      readonly sort: Sort<Thing>;
      readonly skip: number;
      readonly limit: number;
      readonly projection: Projection<Thing>;
    };

/** No characters from U+E000 to U+FFFF: mingo compares UTF-16 units, and so puts them after larger code points. */
const CHARACTERS = [
  'a',
  'A',
  'b',
  'ab',
  'abc',
  '%',
  '_',
  '\\',
  '.',
  '*',
  '(',
  "'",
  '"',
  '[',
  '{',
  '|',
  ' ',
  'ß',
  'é',
  '💥',
  '本',
];
const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 4 }).map((parts) => parts.join(''));
const word = fc.constantFrom('x', 'y', 'z', 'é', '💥');
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const small = fc.integer({ min: -2, max: 3 });
const orNull = <V>(arbitrary: fc.Arbitrary<V>) => fc.option(arbitrary, { freq: 4 });

const part: fc.Arbitrary<Part> = fc.record(
  { key: fc.constantFrom('k1', 'k2', 'k3', 'k4'), kind: word, size: small },
  { requiredKeys: ['key'] },
);

const fields = fc.record(
  {
    group: word,
    name: orNull(text),
    rank: orNull(fc.oneof(small, fc.constantFrom(0.1 + 0.2, 1e15 + 0.5))),
    count: small,
    flag: orNull(fc.boolean()),
    note: orNull(word),
    code: fc.constantFrom('c1', 'c2', 'c3', 'c4'),
    folded: orNull(text),
    alias: orNull(text),
    seen: fc.record(
      { at: orNull(small), from: fc.record({ ip: orNull(word) }, { requiredKeys: [] }) },
      { requiredKeys: [] },
    ),
    tags: fc.array(word, { maxLength: 3 }),
    labels: fc.array(orNull(word), { maxLength: 3 }),
    parts: fc.array(part, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const document: fc.Arbitrary<Thing> = fc.tuple(id, fields).map(([_id, rest]) => thing(_id, rest));

const conditionOf = <V>(
  value: fc.Arbitrary<V>,
  nullable: boolean,
  ordered: boolean,
): fc.Arbitrary<unknown> => {
  const operand: fc.Arbitrary<V | null> = nullable ? orNull(value) : value;
  const several = fc.array(operand, { maxLength: 3 });
  return fc.oneof(
    operand,
    several.map(($in) => ({ $in })),
    several.map(($nin) => ({ $nin })),
    operand.map(($ne) => ({ $ne })),
    fc.boolean().map(($exists) => ({ $exists })),
    ...(ordered
      ? [
          fc.record({ $gt: value, $lte: value }, { requiredKeys: ['$gt'] }),
          fc.record({ $gte: value, $lt: value }, { requiredKeys: ['$lt'] }),
        ]
      : []),
  );
};

const elementMatch = fc
  .record(
    { kind: conditionOf(word, false, true), size: conditionOf(small, false, true) },
    { requiredKeys: ['kind'] },
  )
  .map(($elemMatch) => ({ $elemMatch }));

const conditions: Record<string, fc.Arbitrary<unknown>> = {
  _id: conditionOf(id, false, true),
  group: conditionOf(word, true, true),
  name: conditionOf(text, true, true),
  rank: conditionOf(small, true, true),
  flag: conditionOf(fc.boolean(), true, false),
  note: conditionOf(word, true, true),
  code: conditionOf(fc.constantFrom('c1', 'c2'), true, false),
  'seen.at': conditionOf(small, true, true),
  'seen.from.ip': conditionOf(word, true, true),
  tags: fc.oneof(
    conditionOf(word, true, true),
    fc.record({ $gt: word, $lt: word }).map(($elemMatch) => ({ $elemMatch })),
  ),
  labels: conditionOf(word, true, true),
  'parts.key': conditionOf(fc.constantFrom('k1', 'k2'), false, true),
  'parts.kind': conditionOf(word, false, true),
  'parts.size': conditionOf(small, false, true),
  parts: elementMatch,
};
const condition = fc
  .constantFrom(...Object.keys(conditions))
  .chain((path) => (conditions[path] as fc.Arbitrary<unknown>).map((tested) => ({ [path]: tested })));
const flat = fc.array(condition, { maxLength: 3 }).map((all) => Object.assign({}, ...all));
const contains = fc
  .record({ paths: fc.constantFrom(['folded'], ['alias'], ['folded', 'alias']), term: text })
  .map(($contains) => ({ $contains }));
const combined = fc
  .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(flat, { minLength: 1, maxLength: 3 }))
  .map(([operator, filters]) => ({ [operator]: filters }));
const filter: fc.Arbitrary<ThingFilter> = fc
  .tuple(flat, fc.option(combined, { nil: {}, freq: 3 }), fc.option(contains, { nil: {}, freq: 4 }))
  .map((parts) => Object.assign({}, ...parts));

/** Filters that the tally and the counts of shared values can count. */
const groupFilter: fc.Arbitrary<ThingFilter> = fc
  .tuple(
    fc.option(
      fc.array(word, { minLength: 1, maxLength: 4 }).map(($in) => ({ group: { $in } })),
      { nil: {} },
    ),
    fc.option(
      text.map((term) => ({ $contains: { paths: ['alias'] as const, term } })),
      { nil: {} },
    ),
  )
  .map(([group, alias]) => ({ ...group, ...alias }));

/** Filters that match one document at most. */
const oneFilter: fc.Arbitrary<ThingFilter> = fc.tuple(id, flat).map(([_id, more]) => ({ ...more, _id }));

const set = fc.record(
  {
    group: word,
    name: orNull(text),
    flag: orNull(fc.boolean()),
    note: orNull(word),
    folded: orNull(text),
    'seen.at': orNull(small),
    'seen.from.ip': orNull(word),
    labels: fc.array(orNull(word), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const unset = fc.record(
  { rank: fc.constant(true), code: fc.constant(true), alias: fc.constant(true), parts: fc.constant(true) },
  { requiredKeys: [] },
);
const each = <V>(element: fc.Arbitrary<V>) => fc.array(element, { maxLength: 2 }).map(($each) => ({ $each }));
const arrays = fc.oneof(
  fc.record({ $push: fc.record({ tags: fc.oneof(word, each(word)) }) }),
  fc.record({ $addToSet: fc.record({ tags: fc.oneof(word, each(word)) }) }),
  fc.record({
    $pull: fc.record({
      tags: fc.oneof(
        word,
        fc.array(word).map(($in) => ({ $in })),
      ),
    }),
  }),
  fc.constant({}),
);
/** Updates that cannot violate a unique index. */
const harmless: fc.Arbitrary<Update<Thing>> = fc
  .tuple(set, fc.option(unset, { nil: {} }), fc.record({ count: small }), arrays)
  .map(([$set, $unset, $inc, more]) => ({ $set, $unset, $inc, ...more }) as Update<Thing>);
const risky: fc.Arbitrary<Update<Thing>> = fc.oneof(
  harmless,
  fc.record({ $set: fc.record({ code: fc.constantFrom('c1', 'c2', 'c3') }) }),
  fc.record({ $push: fc.record({ parts: fc.oneof(part, each(part)) }) }),
  fc.record({ $pull: fc.record({ parts: fc.record({ key: fc.constantFrom('k1', 'k2') }) }) }),
) as fc.Arbitrary<Update<Thing>>;

const sort: fc.Arbitrary<Sort<Thing>> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('group', 'name', 'rank', 'flag', 'note', 'seen.at', 'code'), {
      maxLength: 2,
    }),
    fc.array(fc.constantFrom(1, -1), { minLength: 3, maxLength: 3 }),
  )
  .map(([paths, directions]) =>
    Object.fromEntries([...paths, '_id'].map((path, i) => [path, directions[i]])),
  );

/** Fields that indexes have, mostly; without any for all fields. */
const projection: fc.Arbitrary<Projection<Thing>> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('group', 'name', 'rank', 'flag', 'count', 'code', 'tags', 'note'), {
      maxLength: 3,
    }),
    fc.option(fc.constantFrom(0, 1)),
  )
  .map(([named, id]) => {
    const fields = Object.fromEntries(named.map((field) => [field, 1]));
    return id === null || (id === 0 && named.length === 0) ? fields : { _id: id, ...fields };
  });

const single: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constant('insert' as const),
    documents: fc.array(document, { maxLength: 4 }),
    ordered: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('update' as const),
    filter: oneFilter,
    update: risky,
    upsert: fc.constant(false),
  }),
  fc.record({
    do: fc.constant('update' as const),
    filter: id.map((_id) => ({ _id, note: 'x' })),
    update: risky.map((update) => ({ ...update, $setOnInsert: { version: 1 } })),
    upsert: fc.constant(true),
  }),
  fc.record({ do: fc.constant('delete' as const), filter: oneFilter }),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: single, weight: 4 },
  fc.record({ do: fc.constant('update first' as const), filter, sort, update: harmless }),
  fc.record({ do: fc.constant('update all' as const), filter, update: harmless }),
  fc.record({ do: fc.constant('delete all' as const), filter }),
  fc.record({ do: fc.constant('bulk' as const), commands: fc.array(single, { maxLength: 4 }) }),
  {
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      filter: fc.oneof({ arbitrary: filter, weight: 5 }, groupFilter),
      sort,
      skip: fc.integer({ min: 0, max: 3 }),
      limit: fc.integer({ min: 0, max: 4 }),
      projection,
    }),
    weight: 6,
  },
);

/** Runs random sequences of commands on a collection and on the model, and compares their results and documents. */
export async function checkAgainstModel(collection: Collection<Thing>, sequences: number): Promise<void> {
  const property = fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 25 }), async (commands) => {
    await collection.deleteMany({});
    const model = new Model();
    for (const one of commands) await runCommand(collection, model, one);
    const left = await collection.find({}, { sort: { _id: 1 } }).toArray();
    expect(left).toEqual(model.sorted({}, { _id: 1 }));
    expect(await collection.tally()).toEqual(tallyOf(model));
  });
  await fc.assert(property, { numRuns: sequences });
}

function tallyOf(model: Model): Map<string, number> {
  const tally = new Map<string, number>();
  for (const { group } of model.documents.values()) {
    if (group !== undefined) tally.set(group, (tally.get(group) ?? 0) + 1);
  }
  return tally;
}

/** The outcome of a write: its result, or a conflict. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Conflict) return { conflict: true, insertedCount: error.insertedCount };
    throw error;
  }
}

async function runCommand(collection: Collection<Thing>, model: Model, one: Command): Promise<void> {
  switch (one.do) {
    case 'read': {
      const { filter, sort, skip, limit, projection } = one;
      const expected = model.sorted(filter, sort);
      const page = expected.slice(skip, limit === 0 ? undefined : skip + limit);
      const [first] = expected;
      expect(await collection.find(filter, { sort, skip, limit }).toArray()).toEqual(page);
      expect(await collection.find(filter, { sort, skip, limit, projection }).toArray()).toEqual(
        page.map((document) => projected(document, projection)),
      );
      expect(await collection.findOne(filter, { sort })).toEqual(first ?? null);
      expect(await collection.findOne(filter, { sort, projection })).toEqual(
        first ? projected(first, projection) : null,
      );
      expect(await collection.countDocuments(filter)).toBe(expected.length);
      return;
    }
    case 'insert': {
      const actual = await outcomeOf(collection.insertMany(one.documents, { ordered: one.ordered }));
      const { insertedCount, conflict } = insertInto(model, one.documents, one.ordered);
      expect(actual).toMatchObject(conflict ? { conflict, insertedCount } : { insertedCount });
      return;
    }
    case 'update': {
      const actual = await outcomeOf(collection.updateOne(one.filter, one.update, { upsert: one.upsert }));
      expect(actual).toMatchObject(updateIn(model, one));
      return;
    }
    case 'update first': {
      const [first] = model.sorted(one.filter, one.sort);
      const options = { sort: one.sort, returnDocument: 'after' } as const;
      const actual = await collection.findOneAndUpdate(one.filter, one.update, options);
      if (first) model.put(model.updated(first, one.update, { isNew: false }), { isNew: false });
      expect(actual).toEqual(first ? model.documents.get(first._id) : null);
      return;
    }
    case 'update all': {
      const matched = model.matching(one.filter);
      expect(await collection.updateMany(one.filter, one.update)).toMatchObject({
        matchedCount: matched.length,
      });
      for (const each of matched)
        model.put(model.updated(each, one.update, { isNew: false }), { isNew: false });
      return;
    }
    case 'delete':
    case 'delete all': {
      const matched = model.matching(one.filter);
      const work = one.do === 'delete' ? collection.deleteOne(one.filter) : collection.deleteMany(one.filter);
      expect(await work).toMatchObject({ deletedCount: matched.length });
      for (const { _id } of matched) model.documents.delete(_id);
      return;
    }
    case 'bulk': {
      const operations = one.commands.flatMap(toOperations);
      const actual = await outcomeOf(collection.bulkWrite(operations, { ordered: false }));
      expect(actual).toMatchObject(bulkIn(model, one.commands));
      return;
    }
  }
}

function projected(document: Thing, projection: Projection<Thing>): unknown {
  const { _id = 1, ...fields } = projection;
  const named = Object.keys(fields);
  if (named.length === 0 && !('_id' in projection)) return document;
  const kept = _id === 1 ? ['_id', ...named] : named;
  return Object.fromEntries(Object.entries(document).filter(([field]) => kept.includes(field)));
}

function insertInto(model: Model, documents: readonly Thing[], ordered: boolean) {
  let insertedCount = 0;
  let conflict = false;
  for (const document of documents) {
    if (model.put(document, { isNew: true })) insertedCount++;
    else conflict = true;
    if (conflict && ordered) break;
  }
  return { insertedCount, conflict };
}

function updateIn(model: Model, { filter, update, upsert }: Extract<Command, { do: 'update' }>) {
  const [found] = model.matching(filter);
  if (found) {
    const changed = model.updated(found, update, { isNew: false });
    if (!model.put(changed, { isNew: false })) return { conflict: true };
    return {
      matchedCount: 1,
      modifiedCount: JSON.stringify(changed) === JSON.stringify(found) ? 0 : 1,
      upsertedCount: 0,
    };
  }
  if (!upsert) return { matchedCount: 0, modifiedCount: 0, upsertedCount: 0 };
  const inserted = model.updated(filter as unknown as Thing, update, { isNew: true });
  return model.put(inserted, { isNew: true })
    ? { matchedCount: 0, modifiedCount: 0, upsertedCount: 1 }
    : { conflict: true };
}

function toOperations(one: Command): BulkOperation<Thing>[] {
  switch (one.do) {
    case 'insert':
      return one.documents.map((document) => ({ insertOne: { document } }));
    case 'update':
      return [{ updateOne: { filter: one.filter, update: one.update, upsert: one.upsert } }];
    case 'delete':
      return [{ deleteOne: { filter: one.filter } }];
    default:
      throw new TypeError(`Not part of a bulk: ${one.do}`);
  }
}

function bulkIn(model: Model, commands: readonly Command[]) {
  let insertedCount = 0;
  let deletedCount = 0;
  let conflict = false;
  for (const one of commands) {
    if (one.do === 'insert') {
      const inserted = insertInto(model, one.documents, false);
      insertedCount += inserted.insertedCount;
      conflict ||= inserted.conflict;
    } else if (one.do === 'update') conflict = 'conflict' in updateIn(model, one) || conflict;
    else if (one.do === 'delete') {
      for (const { _id } of model.matching(one.filter)) {
        model.documents.delete(_id);
        deletedCount++;
      }
    }
  }
  return conflict ? { conflict, insertedCount } : { insertedCount, deletedCount };
}
