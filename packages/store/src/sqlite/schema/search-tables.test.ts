import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import type { Collection } from '../../port/collection.ts';
import { type Doc, declareCollection } from '../../port/declaration.ts';
import { openWithLimits } from '../open.ts';
import { SERVING_LIMITS } from '../plan/limits.ts';

interface Note extends Doc {
  readonly text: string | null;
  readonly color?: string;
}

const directory = mkdtempSync(join(tmpdir(), 'steward-search-'));
afterAll(() => rmSync(directory, { recursive: true }));

const declaration = declareCollection<Note>({
  name: 'search.notes',
  shardKey: '_id',
  search: ['text'],
  indexes: [],
});

/** Opens the notes, so that every search takes the full-text index. */
async function openNotes(path: string) {
  const store = await openWithLimits(path, { ...SERVING_LIMITS, smallCollection: 0 });
  return { store, notes: await store.collection(declaration) };
}

const idOf = (n: number) => String(n).padStart(4, '0');

/** The ids of the notes that a search finds, and their number as it is counted. */
async function search(notes: Collection<Note>, term: string) {
  const filter = { $contains: { paths: ['text'], term } } as const;
  const found = await notes.find(filter, { sort: { _id: 1 } }).toArray();
  expect(await notes.countDocuments(filter)).toBe(found.length);
  return found.map(({ _id }) => Number(_id));
}

const TABLE = '"search.notes//search"';
const COUNT = 150;
const all = Array.from({ length: COUNT }, (_, n) => n);

it('finds changes before and after the full-text index has them', async () => {
  const path = join(directory, 'changes.db');
  let { store, notes } = await openNotes(path);
  await notes.insertMany(all.map((n) => ({ _id: idOf(n), text: `first ${idOf(n)}` })));
  expect(await search(notes, 'first')).toEqual(all);
  // The full-text index is brought up to date twice, and lacks some; a row is often changed again before and after that.
  for (const n of all.toReversed()) {
    await notes.updateOne({ _id: idOf(n) }, { $set: { text: `other ${idOf(n)}` } });
    await notes.updateOne({ _id: idOf(n % 7) }, { $set: { text: n % 2 === 0 ? 'null' : null } });
    if (n % 25 > 0) continue;
    const seven = all.slice(0, 7);
    expect(await search(notes, 'first')).toEqual(all.slice(7, Math.max(7, n)));
    expect(await search(notes, 'other')).toEqual(
      all.slice(Math.max(7, n)).filter((m) => !seven.includes(m) || n === 0),
    );
  }
  await notes.deleteMany({ _id: { $gte: idOf(10), $lt: idOf(100) } });
  await notes.insertOne({ _id: '9999', text: 'other again' });
  const left = [...all.slice(7, 10), ...all.slice(100), 9_999];
  expect(await search(notes, 'other')).toEqual(left);
  await store.close();
  ({ store, notes } = await openNotes(path));
  expect(await search(notes, 'other')).toEqual(left);
  expect(await search(notes, 'first')).toEqual([]);
  await store.close();
  const file = new DatabaseSync(path);
  const earlier = file.prepare(`SELECT rowid FROM ${TABLE} WHERE ${TABLE} MATCH '"fir"'`).all();
  expect(earlier.length).toBeLessThan(COUNT / 2);
  file.close();
});

it('keeps the full-text index of an earlier release, which had every change', async () => {
  const path = join(directory, 'earlier.db');
  let { store, notes } = await openNotes(path);
  await notes.insertMany(all.map((n) => ({ _id: idOf(n), text: `first ${idOf(n)}` })));
  await store.close();
  const file = new DatabaseSync(path);
  const unsearched = '"search.notes//unsearched"';
  file.exec(`
    INSERT INTO ${TABLE} (rowid, c0) SELECT n, ".text" FROM "search.notes" WHERE n IN ${unsearched};
    DROP TABLE ${unsearched};
    DROP TRIGGER "search.notes//search/insert";
    DROP TRIGGER "search.notes//search/update";
    CREATE TRIGGER "search.notes//search/insert" AFTER INSERT ON "search.notes"
      BEGIN INSERT INTO ${TABLE} (rowid, c0) VALUES (new.n, new.".text"); END;
    INSERT INTO ${TABLE} (rowid, c0) VALUES (1000000, 'a mark of the index that is kept');
  `);
  file.close();
  ({ store, notes } = await openNotes(path));
  expect(await search(notes, 'first')).toEqual(all);
  await notes.updateOne({ _id: idOf(3) }, { $set: { text: 'later' } });
  expect(await search(notes, 'later')).toEqual([3]);
  expect(await search(notes, 'first')).toEqual(all.filter((n) => n !== 3));
  await store.close();
  const kept = new DatabaseSync(path);
  expect(kept.prepare(`SELECT rowid FROM ${TABLE} WHERE ${TABLE} MATCH '"mar"'`).all()).toEqual([
    { rowid: 1_000_000 },
  ]);
  kept.close();
});

it('counts the matches by another field after an upgrade', async () => {
  const path = join(directory, 'tally.db');
  const open = async (tally: 'text' | 'color' | undefined) => {
    const store = await openWithLimits(path, { ...SERVING_LIMITS, smallCollection: 0 });
    const declared = { ...declaration, ...(tally === undefined ? {} : { tally }) };
    return { store, notes: await store.collection(declareCollection<Note>(declared)) };
  };
  let { store, notes } = await open('color');
  await notes.insertMany(all.map((n) => ({ _id: idOf(n), text: `first ${idOf(n)}`, color: 'red' })));
  await store.close();
  // The index over the searched columns is built again, and the column of the field is dropped.
  for (const tally of [undefined, 'color', 'text'] as const) {
    ({ store, notes } = await open(tally));
    expect(await search(notes, 'first')).toEqual(all);
    await notes.updateOne({ _id: idOf(3) }, { $set: { text: 'later' } });
    expect(await search(notes, 'later')).toEqual([3]);
    await notes.updateOne({ _id: idOf(3) }, { $set: { text: 'first' } });
    await store.close();
  }
});
