import type { ClientSession, Db, Document, MongoClient } from 'mongodb';
import type { Doc } from '../port/declaration.ts';
import { Unavailable, Unusable } from '../port/errors.ts';
import type { Snapshot, StoredDocument } from '../port/snapshot.ts';
import { connect, databaseOf, type MongoServer } from './client/connect.ts';
import { BATCH } from './client/limits.ts';
import { storedCollections } from './stored-collections.ts';
import { translateError } from './translate/translate-error.ts';

/** SnapshotTooOld, SnapshotUnavailable. */
const SNAPSHOT_GONE: ReadonlySet<unknown> = new Set([239, 246]);

/** How a server reads all collections as of one point in time. */
interface Reads {
  readonly session?: ClientSession;
  read(database: Db, collections: readonly string[]): AsyncIterable<StoredDocument>;
}

/**
 * Reads a database as of one point in time: a replica set or a cluster in a snapshot session, FerretDB with one
 * statement, because it has no such sessions, and PostgreSQL reads a statement's tables as of its start.
 *
 * @throws Unavailable when the server cannot be reached
 * @throws Unusable for a server that cannot be used as it is configured, and for one that can do neither
 */
export async function openMongoSnapshot(server: MongoServer): Promise<Snapshot> {
  // FerretDB is silent until it has read everything.
  const client = await connect(server, { socketTimeoutMS: 0 });
  const db = client.db(databaseOf(server.url));
  const { session, read } = await readsOf(client).catch(async (error: unknown) => {
    await client.close();
    throw error instanceof Unusable ? error : translateError(error);
  });
  return {
    async *documents(only) {
      try {
        const collections = await storedCollections(db);
        yield* read(db, only ? collections.filter((name) => only.includes(name)) : collections);
      } catch (error) {
        if (SNAPSHOT_GONE.has((error as { code?: unknown }).code)) {
          throw new Unavailable(
            'The server no longer has the point in time that is being read: raise minSnapshotHistoryWindowInSeconds.',
            { cause: error },
          );
        }
        throw translateError(error);
      }
    },
    async current(collection, id) {
      try {
        return (await db.collection<Doc>(collection).findOne({ _id: id })) ?? undefined;
      } catch (error) {
        throw translateError(error);
      }
    },
    async close() {
      await session?.endSession();
      await client.close();
    },
  };
}

async function readsOf(client: MongoClient): Promise<Reads> {
  const admin = client.db().admin();
  const { setName, msg } = await admin.command({ hello: 1 });
  if (setName !== undefined || msg === 'isdbgrid') {
    const session = client.startSession({ snapshot: true });
    return { session, read: (db, collections) => inSession(db, collections, session) };
  }
  const { ferretdb } = await admin.command({ buildInfo: 1 });
  if (ferretdb !== undefined) return { read: inOneStatement };
  throw new Unusable('The database is not a replica set, so it cannot be read as of one point in time.');
}

async function* inSession(
  db: Db,
  collections: readonly string[],
  session: ClientSession,
): AsyncGenerator<StoredDocument> {
  for (const collection of collections) {
    const found = db.collection<Doc>(collection).find({}, { session, batchSize: BATCH, sort: { _id: 1 } });
    for await (const document of found) yield { collection, document };
  }
}

async function* inOneStatement(db: Db, collections: readonly string[]): AsyncGenerator<StoredDocument> {
  const [first, ...others] = collections;
  if (first === undefined) return;
  const labelled = (collection: string): Document[] => [
    { $project: { _id: 0, collection: { $literal: collection }, document: '$$ROOT' } },
  ];
  const stages = others.map((coll) => ({ $unionWith: { coll, pipeline: labelled(coll) } }));
  yield* db
    .collection(first)
    .aggregate<StoredDocument>([...labelled(first), ...stages], { batchSize: BATCH });
}
