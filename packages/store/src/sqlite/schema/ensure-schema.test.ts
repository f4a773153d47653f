import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type CollectionDeclaration, type Doc, declareCollection } from '../../port/declaration.ts';
import { Conflict } from '../../port/errors.ts';
import { explain } from '../../testing.ts';
import { openSqliteStore } from '../open.ts';

interface Note extends Doc {
  readonly topic: string;
  readonly text: string;
  readonly tags: readonly string[];
}

const directory = mkdtempSync(join(tmpdir(), 'steward-schema-'));
afterAll(() => rmSync(directory, { recursive: true }));
let path: string;
let run = 0;
beforeEach(() => {
  path = join(directory, `${run++}.db`);
});

const bare = { name: 'schema.notes', indexes: [], shardKey: null } as const;
const note = (_id: string, topic: string, tags: readonly string[] = []): Note => ({
  _id,
  topic,
  text: `on ${topic}`,
  tags,
});

async function withNotes<R>(
  declaration: CollectionDeclaration<Note>,
  work: (collection: Awaited<ReturnType<typeof openNotes>>['collection']) => Promise<R>,
): Promise<R> {
  const { store, collection } = await openNotes(declaration);
  try {
    return await work(collection);
  } finally {
    await store.close();
  }
}

async function openNotes(declaration: CollectionDeclaration<Note>) {
  const store = await openSqliteStore({ path });
  return { store, collection: await store.collection(declareCollection<Note>(declaration)) };
}

it('adds and fills structures that are declared later', async () => {
  await withNotes(bare, (notes) =>
    notes.insertMany([note('a', 'x', ['t']), note('b', 'y', ['t', 'u']), note('c', 'x')]),
  );
  const full: CollectionDeclaration<Note> = {
    ...bare,
    arrays: ['tags'],
    search: ['text', 'topic'],
    shared: ['topic'],
    tally: 'topic',
    indexes: [
      { name: 'by_topic', keys: [['topic', 1]] },
      { name: 'by_tag', keys: [['tags', 1]] },
    ],
  };
  await withNotes(full, async (notes) => {
    expect(await notes.tally()).toEqual(
      new Map([
        ['x', 2],
        ['y', 1],
      ]),
    );
    expect(await notes.countDocuments({ tags: 't' })).toBe(2);
    expect(await notes.countDocuments({ $contains: { paths: ['text'], term: 'on y' } })).toBe(1);
    const withX = { $contains: { paths: ['topic'] as const, term: 'x' } };
    expect(await notes.countDocuments(withX)).toBe(2);
    expect(explain(notes, { topic: 'x' }).route).toBe('walk');
    await notes.deleteOne({ _id: 'a' });
    expect(await notes.countDocuments(withX)).toBe(1);
    expect(await notes.tally()).toEqual(
      new Map([
        ['x', 1],
        ['y', 1],
      ]),
    );
  });
});

it('finds documents that were changed before and after a path was declared', async () => {
  await withNotes(bare, (notes) => notes.insertMany([note('a', 'x'), note('b', 'y')]));
  const declared: CollectionDeclaration<Note> = {
    ...bare,
    indexes: [{ name: 'by_topic', keys: [['topic', 1]] }],
  };
  await withNotes(declared, async (notes) => {
    await notes.updateOne({ _id: 'a' }, { $set: { topic: 'z' } });
    await notes.updateOne({ _id: 'b' }, { $set: { text: 'other' } });
    await notes.insertOne(note('c', 'z'));
  });
  // An older declaration drops the structures that it does not declare, because it would not keep them up to date.
  await withNotes(bare, (notes) => notes.updateOne({ _id: 'c' }, { $set: { topic: 'y' } }));
  await withNotes(declared, async (notes) => {
    const ids = async (topic: string) =>
      (await notes.find({ topic }, { sort: { _id: 1 } }).toArray()).map(({ _id }) => _id);
    expect(explain(notes, { topic: 'y' }).route).toBe('walk');
    expect([await ids('x'), await ids('y'), await ids('z')]).toEqual([[], ['b', 'c'], ['a']]);
  });
});

it('replaces structures whose declaration changed, and drops those that are no longer declared', async () => {
  const first: CollectionDeclaration<Note> = {
    ...bare,
    arrays: ['tags'],
    search: ['text'],
    tally: 'topic',
    indexes: [
      { name: 'one', keys: [['topic', 1]], unique: true },
      { name: 'two', keys: [['tags', 1]], unique: true },
    ],
  };
  await withNotes(first, async (notes) => {
    await notes.insertOne(note('a', 'x', ['t']));
    await expect(notes.insertOne(note('b', 'x'))).rejects.toThrow(Conflict);
    await expect(notes.insertOne(note('b', 'y', ['t']))).rejects.toThrow(Conflict);
  });
  const second: CollectionDeclaration<Note> = {
    ...bare,
    arrays: ['tags'],
    search: ['topic', 'text'],
    tally: 'text',
    indexes: [
      {
        name: 'two',
        keys: [
          ['tags', 1],
          ['topic', -1],
        ],
      },
    ],
  };
  await withNotes(second, async (notes) => {
    await notes.insertOne(note('b', 'x', ['t']));
    await notes.insertOne(note('c', 'y', ['t']));
    expect(
      (await notes.find({ tags: 't' }, { sort: { topic: -1, _id: 1 } }).toArray()).map(({ _id }) => _id),
    ).toEqual(['c', 'a', 'b']);
    expect(await notes.countDocuments({ $contains: { paths: ['topic'], term: 'x' } })).toBe(2);
    expect(await notes.tally()).toEqual(
      new Map([
        ['on x', 2],
        ['on y', 1],
      ]),
    );
  });
  await withNotes(second, async (notes) => expect(await notes.countDocuments({})).toBe(3));
  await withNotes(bare, async (notes) => {
    await notes.updateOne({ _id: 'a' }, { $set: { topic: 'z', tags: [] } });
    await expect(notes.tally()).rejects.toThrow(TypeError);
  });
});

it('refuses a unique index that the documents violate', async () => {
  await withNotes(bare, (notes) => notes.insertMany([note('a', 'x'), note('b', 'x')]));
  const unique: CollectionDeclaration<Note> = {
    ...bare,
    indexes: [{ name: 'topic', keys: [['topic', 1]], unique: true }],
  };
  const store = await openSqliteStore({ path });
  await expect(store.collection(unique)).rejects.toThrow(/topic/);
  await store.close();
  await withNotes(bare, async (notes) => expect(await notes.countDocuments({})).toBe(2));
});

it('keeps the collections of a file apart', async () => {
  const store = await openSqliteStore({ path });
  const a = await store.collection(declareCollection<Note>({ ...bare, name: 'schema.note' }));
  const b = await store.collection(
    declareCollection<Note>({ ...bare, name: 'schema.note_s', search: ['text'] }),
  );
  await a.insertOne(note('a', 'x'));
  await b.insertOne(note('a', 'y'));
  expect([await a.countDocuments({}), await b.countDocuments({})]).toEqual([1, 1]);
  await store.close();
});
