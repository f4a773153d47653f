import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type Doc, declareCollection } from '../../port/declaration.ts';
import { Conflict } from '../../port/errors.ts';
import type { Store } from '../../port/store.ts';
import { explain } from '../../testing.ts';
import { Connection } from '../engine/connection.ts';
import { sql } from '../engine/sql.ts';
import { layOut } from '../layout/layout.ts';
import { openSqliteStore } from '../open.ts';
import { ensureSchema } from './ensure-schema.ts';

interface Note extends Doc {
  readonly topic: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly number: number;
}

const declaration = declareCollection<Note>({
  name: 'schema.loaded',
  shardKey: null,
  whileLoading: ['by_text'],
  arrays: ['tags'],
  search: ['text', 'topic'],
  shared: ['topic'],
  tally: 'topic',
  indexes: [
    { name: 'by_topic', keys: [['topic', 1]] },
    { name: 'by_text', keys: [['text', 1]] },
    { name: 'by_tag', keys: [['tags', 1]] },
    { name: 'number', keys: [['number', 1]], unique: true },
  ],
});

const note = (number: number, topic = 'x'): Note => ({
  _id: `n${number}`,
  topic,
  text: `text ${number}`,
  tags: ['t'],
  number,
});

const directory = mkdtempSync(join(tmpdir(), 'steward-load-'));
afterAll(() => rmSync(directory, { recursive: true }));
let path: string;
let run = 0;
beforeEach(() => {
  path = join(directory, `${run++}.db`);
});

async function using<R>(
  loading: boolean,
  work: (notes: Awaited<ReturnType<typeof openNotes>>) => Promise<R>,
): Promise<R> {
  const store = await openSqliteStore({ path, loading });
  try {
    return await work(await openNotes(store));
  } finally {
    await store.close();
  }
}

const openNotes = (store: Store) => store.collection(declaration);

/** Checks every structure of a collection of notes numbered from 0. */
async function expectComplete(count: number): Promise<void> {
  await using(false, async (notes) => {
    for (const filter of [{ topic: 'x' }, { text: 'text 1' }, { tags: 't' }] as const) {
      expect(explain(notes, filter).route).toBe('walk');
    }
    expect(await notes.tally()).toEqual(new Map([['x', count]]));
    expect(await notes.countDocuments({ tags: 't' })).toBe(count);
    expect(await notes.countDocuments({ $contains: { paths: ['text'], term: 'text' } })).toBe(count);
    expect(await notes.countDocuments({ $contains: { paths: ['topic'], term: 'x' } })).toBe(count);
    await notes.deleteOne({ _id: 'n0' });
    expect(await notes.tally()).toEqual(new Map([['x', count - 1]]));
    expect(await notes.countDocuments({ tags: 't' })).toBe(count - 1);
  });
}

it('leaves what loads do not need to the end, and finds and refuses documents as before', async () => {
  await using(false, (notes) => notes.insertOne(note(0)));
  await using(true, async (notes) => {
    await notes.insertMany([note(1), note(2, 'y')]);
    expect(explain(notes, { text: 'text 1' }).route).toBe('walk');
    await notes.updateOne({ _id: 'n2' }, { $set: { topic: 'x' } });
    await expect(notes.insertOne({ ...note(3), number: 1 })).rejects.toThrow(Conflict);
    await expect(notes.insertOne({ ...note(1), number: 4 })).rejects.toThrow(Conflict);
  });
  await expectComplete(3);
});

it('refuses whatever would read all documents for want of an index', async () => {
  await using(true, async (notes) => {
    await notes.insertMany([note(1), note(2, 'y')]);
    const refusal = /open for loading, without an index for a query of topic/;
    await expect(notes.findOne({ topic: 'x' })).rejects.toThrow(refusal);
    expect(() => notes.find({ topic: 'x' })).toThrow(refusal);
    await expect(notes.countDocuments({ topic: 'x' })).rejects.toThrow(refusal);
    await expect(notes.updateMany({ topic: 'x' }, { $set: { text: '' } })).rejects.toThrow(refusal);
    await expect(notes.deleteMany({ topic: 'x' })).rejects.toThrow(refusal);
    await expect(notes.totals({ topic: 'x' }, 'number')).rejects.toThrow(refusal);
    await expect(notes.countDocuments({ tags: 't' })).rejects.toThrow(/a query of tags/);
    expect(() => notes.find({}, { sort: { topic: 1 } })).toThrow(/open for loading/);
    expect(await notes.find({ text: 'text 1' }).toArray()).toHaveLength(1);
    expect(await notes.findOne({ _id: 'n2', topic: 'y' })).toMatchObject({ number: 2 });
    expect(await notes.countDocuments({ number: 2 })).toBe(1);
  });
});

it('says which structures it builds of those that are missing', async () => {
  const built: [string, number, number][] = [];
  const store = await openSqliteStore({
    path,
    loading: true,
    onBuild: ({ collection, built: done, of }) => void built.push([collection, done, of]),
  });
  await (await openNotes(store)).insertMany([note(1)]);
  built.splice(0);
  await store.close();
  const of = built.length - 1;
  expect(of).toBeGreaterThan(2);
  expect(built).toEqual(Array.from({ length: of + 1 }, (_, done) => [declaration.name, done, of]));
});

it.each(['opened', 'loaded into again'])(
  'completes an interrupted load when the file is %s',
  async (next) => {
    const crashed = path;
    const store = await openSqliteStore({ path, loading: true });
    await (await openNotes(store)).insertMany([note(0), note(1)]);
    path = `${crashed}.copy`;
    for (const suffix of ['', '-wal']) {
      if (existsSync(crashed + suffix)) cpSync(crashed + suffix, path + suffix);
    }
    await store.close();
    if (next !== 'opened') await using(true, (notes) => notes.insertOne(note(2)));
    await expectComplete(next === 'opened' ? 2 : 3);
  },
);

it('keeps all structures of a collection with many documents', async () => {
  const many = 10_001;
  await using(true, (notes) => notes.insertMany(Array.from({ length: many }, (_, n) => note(n))));
  await using(true, async (notes) => {
    expect(explain(notes, { topic: 'x' }).route).toBe('walk');
    await notes.insertOne(note(many));
    expect(await notes.tally()).toEqual(new Map([['x', many + 1]]));
  });
  await expectComplete(many + 1);
});

it.each([true, false])('builds indexes with sorts in files, with loading: %s', (loading) => {
  /** The places of sorts, by the start of a statement: 1 for files, 2 for memory. */
  const places = new Map<string, unknown>();
  class Watched extends Connection {
    override exec(text: string): void {
      places.set(text.slice(0, 12), this.place);
      super.exec(text);
    }

    get place(): unknown {
      return this.get(sql('PRAGMA temp_store'))?.[0];
    }
  }
  const plain = new Connection(path, { readOnly: false, loading });
  const connection = Object.setPrototypeOf(plain, Watched.prototype) as Watched;
  ensureSchema(connection, layOut(declaration));
  expect(places.get('CREATE INDEX')).toBe(1);
  expect(places.get('INSERT INTO ')).toBe(1);
  expect(connection.place).toBe(2);
  connection.close();
});
