import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_OWED, type Owed } from './aggregate.ts';
import { commit } from './commit.ts';
import { type Thing, thing, things } from './contract/thing.ts';
import type { Collection } from './port/collection.ts';
import { Conflict } from './port/errors.ts';
import type { Store } from './port/store.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { settleOwed } from './settle-owed.ts';
import { openSqliteStore } from './sqlite/open.ts';
import { sweepOwed } from './sweep-owed.ts';

let store: Store;
let collection: Collection<Thing>;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  collection = await store.collection(things);
  await collection.insertOne(thing('a', { name: 'n', tags: ['x'] }));
});
afterEach(() => store.close());

const owed = (id: string): Owed => ({ id, kind: 'test' });
const load = async (_id = 'a') => {
  const found = await collection.findOne({ _id });
  if (!found) throw new Error(`${_id} is gone`);
  return found;
};

describe('commit', () => {
  it('changes the document, raises its version and notes what is owed', async () => {
    const first = await commit(collection, await load(), { set: { name: 'm' }, push: { tags: 'y' } }, [
      owed('1'),
    ]);
    expect(first).toEqual(thing('a', { version: 2, name: 'm', tags: ['x', 'y'], pending: [owed('1')] }));
    const second = await commit(
      collection,
      first,
      { unset: { name: true }, inc: { count: 2 }, pull: { tags: 'x' }, addToSet: { labels: 'l' } },
      [owed('2')],
    );
    expect(second).toEqual(
      thing('a', { version: 3, tags: ['y'], labels: ['l'], count: 2, pending: [owed('1'), owed('2')] }),
    );
    expect(await load()).toEqual(second);
  });

  it('refuses a version that has moved on, and a document that is gone', async () => {
    const stale = await load();
    await commit(collection, stale, { set: { name: 'first' } });
    await expect(commit(collection, stale, { set: { name: 'second' } })).rejects.toMatchObject({
      index: 'version',
    });
    await expect(commit(collection, thing('z'), {})).rejects.toThrow(Conflict);
    expect((await load()).name).toBe('first');
  });

  it('refuses to owe too much', async () => {
    const many = Array.from({ length: MAX_OWED }, (_, i) => owed(String(i)));
    const large = { ...owed('1'), text: 'x'.repeat(600) };
    await expect(commit(collection, await load(), {}, [large])).rejects.toThrow(/bytes/);
    const full = await commit(collection, await load(), {}, many);
    await expect(commit(collection, full, {}, [owed('more')])).rejects.toThrow(RangeError);
  });
});

describe('retryOnConflict', () => {
  const setUp = () => {
    let now = 0;
    const waits: number[] = [];
    return {
      waits,
      options: {
        deadlineMs: 1_000,
        clock: { now: () => now },
        random: { bytes: () => Buffer.alloc(0), below: (bound: number) => bound - 1 },
        wait: async (ms: number) => {
          waits.push(ms);
          now += ms;
        },
      },
    };
  };

  it('decides again until it wins, waiting longer each time', async () => {
    const { waits, options } = setUp();
    let lost = 3;
    const outcome = await retryOnConflict(async () => {
      if (lost-- > 0) throw new Conflict('version');
      return 'won';
    }, options);
    expect(outcome).toBe('won');
    expect(waits).toEqual([4, 8, 16]);
  });

  it('gives up at the deadline', async () => {
    const { waits, options } = setUp();
    await expect(retryOnConflict(() => Promise.reject(new Conflict('version')), options)).rejects.toThrow(
      Conflict,
    );
    expect(waits.reduce((a, b) => a + b)).toBeLessThanOrEqual(1_000);
    expect(waits.length).toBeGreaterThan(6);
  });

  it('does not try again what would end alike', async () => {
    const { waits, options } = setUp();
    await expect(retryOnConflict(() => Promise.reject(new Conflict('code')), options)).rejects.toThrow(
      'code',
    );
    await expect(retryOnConflict(() => Promise.reject(new Error('other')), options)).rejects.toThrow('other');
    expect(waits).toEqual([]);
  });

  it('lets writers of one document all get through', async () => {
    const { options } = setUp();
    const write = () =>
      retryOnConflict(async () => commit(collection, await load(), { inc: { count: 1 } }), {
        ...options,
        deadlineMs: 1e9,
        wait: () => new Promise((resolve) => setImmediate(resolve)),
      });
    await Promise.all(Array.from({ length: 10 }, write));
    expect(await load()).toMatchObject({ count: 10, version: 11 });
  });
});

describe('settling', () => {
  it('applies in order, then removes what was applied', async () => {
    const committed = await commit(collection, await load(), {}, [owed('1'), owed('2')]);
    const applied: string[] = [];
    const settled = await settleOwed(collection, committed, async ({ id }, document) => {
      applied.push(`${document._id} ${id}`);
    });
    expect(applied).toEqual(['a 1', 'a 2']);
    expect(settled).toEqual({ ...committed, pending: [] });
    expect(await load()).toEqual(settled);
    expect(await settleOwed(collection, settled, () => Promise.reject(new Error('never')))).toBe(settled);
  });

  it('keeps what could not be applied, and what was committed meanwhile', async () => {
    const committed = await commit(collection, await load(), {}, [owed('1'), owed('2'), owed('3')]);
    const failing = settleOwed(collection, committed, async ({ id }) => {
      if (id === '1') await commit(collection, committed, {}, [owed('4')]);
      if (id === '2') throw new Error('not now');
    });
    await expect(failing).rejects.toThrow('not now');
    expect((await load()).pending).toEqual([owed('2'), owed('3'), owed('4')]);
  });

  it('is harmless when several do it at once, or the document goes', async () => {
    const committed = await commit(collection, await load(), {}, [owed('1'), owed('2')]);
    const facts = new Set<string>();
    const apply = async ({ id }: Owed) => void facts.add(id);
    await Promise.all([1, 2, 3].map(() => settleOwed(collection, committed, apply)));
    expect([...facts]).toEqual(['1', '2']);
    expect((await load()).pending).toEqual([]);
    const leaving = await settleOwed(
      collection,
      committed,
      async () => void (await collection.deleteOne({ _id: 'a' })),
    );
    expect(leaving.pending).toEqual([]);
  });

  it('finds the forgotten ones, and lets none keep it from the others', async () => {
    await collection.insertMany(
      Array.from({ length: 7 }, (_, i) => thing(`t${i}`, { pending: i % 2 ? [owed(`o${i}`)] : [] })),
    );
    const applied: string[] = [];
    const apply = async ({ id }: Owed) => {
      if (id === 'o1') throw new Error('not now');
      applied.push(id);
    };
    await expect(sweepOwed(collection, apply, { batch: 2 })).rejects.toThrow(AggregateError);
    expect(applied.toSorted()).toEqual(['o3', 'o5']);
    expect(await sweepOwed(collection, async () => {}, { batch: 2 })).toBe(1);
    expect(await sweepOwed(collection, async () => {}, { batch: 2 })).toBe(0);
  });
});
