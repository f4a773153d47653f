import { Code, ConnectError } from '@connectrpc/connect';
import { RecordService } from '@steward/proto/steward/records/v1/records_pb.ts';
import { type Route, route } from '@steward/rpc';
import {
  type AggregateCollection,
  type Checked,
  type CollectionList,
  checkBatch,
  checked,
  deleteAggregates,
  insertAggregates,
  type LoadedBatch,
  loadBatch,
  type OpenedCollections,
} from '@steward/service';
import { type Collection, type Doc, NOT_FLUSHED } from '@steward/store';
import { parseRecord } from './parse-record.ts';
import type { RecordKind } from './record-kind.ts';

/** What a service loads. */
export interface LoadedKinds<L extends CollectionList> {
  readonly kinds: readonly RecordKind[];
  /** The collections of the service, which `opened` has opened. */
  readonly collections: L;
  readonly opened: OpenedCollections<L>;
  /** What is wrong with documents of a kind that can be read, by their places. */
  readonly problemsOf?: (kind: RecordKind, documents: readonly Doc[]) => Promise<ReadonlyMap<number, string>>;
  /** How kinds are loaded that are not inserted as they are read. */
  readonly loaders?: Readonly<Record<string, Loader>>;
  /** How documents are removed whose removal changes others, and those whose records are no documents. */
  readonly removers?: Readonly<Record<string, (ids: readonly string[]) => Promise<unknown>>>;
}

/** Loads the documents of a kind. `insert` inserts documents, as other kinds are. */
type Loader = (
  documents: readonly Checked<Doc>[],
  insert: (documents: readonly Checked<Doc>[]) => Promise<LoadedBatch>,
) => Promise<LoadedBatch>;

/** The RPC that loads the kinds of records of a service. */
export function recordsRoute<L extends CollectionList>(options: LoadedKinds<L>): Route {
  const {
    kinds,
    collections,
    opened,
    problemsOf = async () => new Map(),
    loaders = {},
    removers = {},
  } = options;
  const known = new Map(kinds.map((kind) => [kind.name, kind]));
  const names = new Map(Object.entries(collections).map(([key, { name }]) => [name, key]));
  const targetOfKind = (kind: RecordKind) => targetOf(opened[names.get(kind.collection) ?? '']);
  return route(RecordService, {
    async removeRecords({ kind: name, ids }) {
      checkBatch(ids);
      const kind = known.get(name);
      const remove = removers[name] ?? (kind && targetOfKind(kind).remove);
      if (!remove) throw new ConnectError(`There are no records of kind ${name}`, Code.InvalidArgument);
      await remove(ids);
      return {};
    },
    async importRecords({ kind: name, records }) {
      checkBatch(records);
      const kind = known.get(name);
      if (!kind) throw new ConnectError(`There are no records of kind ${name}`, Code.InvalidArgument);
      const read = records.map((record) => checked(() => kind.read(parseRecord(record))));
      const places = read.flatMap((record, place) => ('document' in record ? [place] : []));
      const documents = read.flatMap((record) => ('document' in record ? [record.document] : []));
      const refused = await problemsOf(kind, documents);
      const problems = new Map([...refused].map(([index, problem]) => [places[index], problem]));
      const valid = read.map((record, place): Checked<Doc> => {
        const problem = problems.get(place);
        return problem === undefined ? record : { problem };
      });
      const target = targetOfKind(kind);
      const insert = async (some: readonly Checked<Doc>[]) => {
        const merged = kind.merge ? await target.merge(kind.merge, some) : 0;
        const batch = await loadBatch(target, some);
        return { ...batch, loaded: batch.loaded + merged, skipped: batch.skipped - merged };
      };
      const load = loaders[name];
      return load ? load(valid, insert) : insert(valid);
    },
  });
}

/** Not flushed, because closing the store makes everything durable, and an import that a power failure interrupts is repeated. */
const UNORDERED = { ...NOT_FLUSHED, ordered: false } as const;

function targetOf(opened: unknown) {
  const collection = opened as Collection<Doc>;
  return {
    async existing(ids: readonly string[]) {
      const found = collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } });
      return (await found.toArray()).map(({ _id }) => _id);
    },
    /** Merges documents into those of the same ids; returns how many of these changed. */
    async merge(merge: NonNullable<RecordKind['merge']>, records: readonly Checked<Doc>[]): Promise<number> {
      const given = new Map(
        records.flatMap((record) => ('document' in record ? [[record.document._id, record.document]] : [])),
      );
      let merged = 0;
      for (const stored of await collection.find({ _id: { $in: [...given.keys()] } }).toArray()) {
        const changes = merge(stored, given.get(stored._id) ?? stored);
        if (changes === undefined) continue;
        await collection.updateOne({ _id: stored._id }, { $set: changes as object }, NOT_FLUSHED);
        merged++;
      }
      return merged;
    },
    async remove(ids: readonly string[]): Promise<void> {
      const which = { _id: { $in: ids } };
      if ('deleteMany' in collection) await collection.deleteMany(which, NOT_FLUSHED);
      else await deleteAggregates(opened as AggregateCollection<never>, which as never, NOT_FLUSHED);
    },
    insert: (documents: readonly Doc[]) =>
      'insertMany' in collection
        ? collection.insertMany(documents, UNORDERED)
        : insertAggregates(opened as AggregateCollection<never>, documents as never, UNORDERED),
  };
}
