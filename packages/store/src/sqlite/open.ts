import { stat } from 'node:fs/promises';
import { type Meters, noMeters } from '@steward/telemetry';
import { meterCollection } from '../meter-collection.ts';
import { Unavailable } from '../port/errors.ts';
import type { Store, StoreCapabilities } from '../port/store.ts';
import { SqliteCollection } from './collection/sqlite-collection.ts';
import { Connection } from './engine/connection.ts';
import { LogDisk, NO_DISK } from './engine/log-disk.ts';
import { inlineReader, type Reader, ThreadReader } from './engine/reader.ts';
import { boundOfRecent, RecentDocuments } from './engine/recent-documents.ts';
import { RecentResults } from './engine/recent-results.ts';
import type { Revision } from './engine/revision.ts';
import { identifier, literal, sql } from './engine/sql.ts';
import { advance, isCommitting, newClock, readClock } from './engine/transaction-clock.ts';
import { WriteQueue } from './engine/write-queue.ts';
import { type Layout, layOut } from './layout/layout.ts';
import { type Limits, SERVING_LIMITS } from './plan/limits.ts';
import { type BuildProgress, ensureSchema } from './schema/ensure-schema.ts';
import { prepareLoad } from './schema/prepare-load.ts';
import { boundOfViews, Views } from './views/views.ts';

/** Commits between two checks of the length of the write-ahead log. */
const COMMITS_PER_LOG_CHECK = 16;

/** A lock on the data directory keeps other processes out, and one transaction covers several collections. */
const CAPABILITIES: Omit<StoreCapabilities, 'loading'> = {
  soleWriter: true,
  insertsAlongCommit: true,
  estimatesStorage: false,
};

/** Where the embedded engine keeps its file. */
export interface SqliteStoreOptions {
  /** A file, which is created when it is missing, in a directory that exists; or `:memory:`. */
  readonly path: string;
  /**
   * Opens the file for loading many documents. Collections that declare `whileLoading` then lack indexes, searches and
   * counts until the store is closed; after a crash, until the file is opened again.
   */
  readonly loading?: boolean;
  /** Called while structures of collections with documents are built, before the first one and after each. */
  readonly onBuild?: (progress: BuildProgress) => void;
  /** Measures the operations; none unless given. */
  readonly meters?: Meters;
}

/**
 * Opens the embedded engine. One process at a time may open a file: see `lockDirectory`.
 *
 * @throws Unavailable when the file cannot be opened
 */
export async function openSqliteStore({
  path,
  loading,
  onBuild,
  meters,
}: SqliteStoreOptions): Promise<Store> {
  return openWithLimits(path, SERVING_LIMITS, loading, meters, onBuild);
}

/** Opens the engine with other limits, so that a test with few documents takes every route. */
export async function openWithLimits(
  path: string,
  limits: Limits,
  loading = false,
  meters = noMeters,
  onBuild?: (progress: BuildProgress) => void,
): Promise<Store> {
  const connection = connect(path, loading);
  const inMemory = path === ':memory:';
  const disk = inMemory ? NO_DISK : new LogDisk(path);
  const clock = newClock();
  const reader: Reader = inMemory ? inlineReader(connection, clock) : new ThreadReader({ path, clock });
  const allViews: Views[] = [];
  const allRecent: RecentDocuments[] = [];
  let commits = 0;
  const writes = new WriteQueue(connection, disk, {
    commits: () => advance(clock),
    ends: ({ committed }) => {
      if (isCommitting(readClock(clock))) advance(clock);
      for (const views of allViews) views.end(committed);
      if (!committed) for (const recent of allRecent) recent.clear();
      if (!committed || inMemory) return;
      if (++commits % COMMITS_PER_LOG_CHECK === 0 && connection.logIsLong()) reader.checkpoint();
    },
  });
  const recentBound = boundOfRecent();
  const recent = byCollection(() => {
    const created = new RecentDocuments(recentBound);
    allRecent.push(created);
    return created;
  });
  const revision = byCollection((): Revision => ({ number: 0 }));
  const viewsBound = boundOfViews();
  const views = byCollection(() => {
    const created = new Views(reader, clock, viewsBound);
    allViews.push(created);
    return created;
  });
  const results = new RecentResults();
  const engine = { connection, writes, reader, limits, results, recent, revision, views };
  meterEngine(meters, { writes, reader, path });
  /** The layouts to complete at the end of a load. */
  const loaded = new Map<string, Layout>();
  /** What the schema was last brought to, by collection: no other process changes it. */
  const ensured = new Map<string, unknown>();
  let open = true;
  return {
    capabilities: { ...CAPABILITIES, loading },
    async collection(declaration) {
      const layout = layOut(declaration);
      if (loading) loaded.set(layout.name, layout);
      else if (ensured.get(layout.name) !== declaration) {
        ensureSchema(connection, layout, onBuild);
        ensured.set(layout.name, declaration);
      }
      const part = loading ? prepareLoad(connection, layout, onBuild) : layout;
      views(part.name).open(part);
      return meterCollection(new SqliteCollection(engine, part), part.name, meters);
    },
    async someId(collection) {
      const table = identifier(collection);
      if (!connection.get(sql(`SELECT 1 FROM sqlite_schema WHERE name = ${literal(collection)}`)))
        return undefined;
      const [id] = connection.get(sql(`SELECT id FROM ${table} LIMIT 1`)) ?? [];
      return id === undefined ? undefined : String(id);
    },
    async close() {
      if (!open) return;
      open = false;
      await writes.close();
      await disk.close();
      await reader.close();
      for (const layout of loaded.values()) ensureSchema(connection, layout, onBuild);
      connection.close();
    },
    async healthy() {
      try {
        return connection.get(sql('SELECT 1')) !== undefined && !writes.failed;
      } catch {
        return false;
      }
    },
  };
}

/** Adds what waits in the engine, and the size of its log, to the metrics. */
function meterEngine(
  meters: Pick<Meters, 'gauge'>,
  { writes, reader, path }: { readonly writes: WriteQueue; readonly reader: Reader; readonly path: string },
): void {
  meters.gauge('steward_store_waiting_writes').from(() => [
    { labels: { for: 'transaction' }, value: writes.waiting },
    { labels: { for: 'disk' }, value: writes.unsynced },
  ]);
  meters.gauge('steward_store_waiting_reads').from(() => [{ labels: {}, value: reader.waiting }]);
  meters.gauge('steward_store_log_bytes').from(async () => {
    // A database in memory has no log.
    const size = path === ':memory:' ? 0 : (await stat(`${path}-wal`)).size;
    return [{ labels: {}, value: size }];
  });
}

/** Creates what all who open a collection share, at its first use. */
function byCollection<R>(create: () => R): (collection: string) => R {
  const created = new Map<string, R>();
  return (collection) => {
    const known = created.get(collection) ?? create();
    created.set(collection, known);
    return known;
  };
}

function connect(path: string, loading: boolean): Connection {
  try {
    return new Connection(path, { readOnly: false, loading });
  } catch (cause) {
    throw new Unavailable(`The file ${path} cannot be opened: ${(cause as Error).message}`, { cause });
  }
}
