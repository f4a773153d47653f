import { type Collection, type Db, type Document, Long, MongoNetworkError, MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import type { Stored } from './engine.ts';
import { runFind } from './run-read.ts';

const ITEMS = { collectionName: 'items' } as Collection<Stored>;
const FIND = { filter: {}, skip: 0, limit: 0, maxTimeMS: 1_000 };

/** A database that answers each command with the next of these, and the commands that it received. */
function scripted(...replies: (Document | Error)[]) {
  const commands: Document[] = [];
  const command = async (sent: Document) => {
    commands.push(sent);
    const reply = replies.shift();
    if (reply instanceof Error) throw reply;
    return reply;
  };
  return { database: { command } as unknown as Db, commands };
}

const found = { cursor: { id: 0, firstBatch: [{ _id: 'a' }] } };
const refused = (code: number) => new MongoServerError({ message: 'refused', code });

it.each([new MongoNetworkError('lost'), refused(10_107)])('reads once more after %s', async (error) => {
  const { database, commands } = scripted(error, found);
  expect(await runFind(database, ITEMS, FIND, 10)).toEqual([{ _id: 'a' }]);
  expect(commands).toHaveLength(2);
});

it('reads no more than twice, and not again after an error that would only be repeated', async () => {
  const lost = scripted(new MongoNetworkError('lost'), new MongoNetworkError('lost again'), found);
  await expect(runFind(lost.database, ITEMS, FIND, 10)).rejects.toThrow('lost again');
  const tooLong = scripted(refused(50), found);
  await expect(runFind(tooLong.database, ITEMS, FIND, 10)).rejects.toThrow('refused');
});

it('closes the cursor of a read that has more documents than one answer', async () => {
  const id = Long.fromString('9007199254740993');
  const { database, commands } = scripted({ cursor: { ...found.cursor, id } }, { ok: 1 });
  expect(await runFind(database, ITEMS, FIND, 10)).toBeUndefined();
  expect(commands[1]).toEqual({ killCursors: 'items', cursors: [id] });
});

it('sends the read concern that the URL states', async () => {
  const { database, commands } = scripted(found);
  const readConcern = { level: 'majority' };
  await runFind(database, { ...ITEMS, readConcern } as Collection<Stored>, FIND, 10);
  expect(commands[0]).toMatchObject({ readConcern });
});
