import { type Labels, type Meters, noMeters } from '@steward/telemetry';
import { aroundCollection, type StoreOperation } from './around-collection.ts';
import type { Collection, FindCursor } from './port/collection.ts';
import type { Doc } from './port/declaration.ts';
import { Conflict, Unavailable } from './port/errors.ts';

type Operation = Labels<'steward_store_collection_duration_seconds'>['operation'];

/** What the metrics call the operations. */
const LABELS: Readonly<Record<StoreOperation, Operation>> = {
  findOne: 'find_one',
  find: 'find',
  countDocuments: 'count',
  insertOne: 'insert_one',
  insertMany: 'insert_many',
  updateOne: 'update_one',
  updateMany: 'update_many',
  findOneAndUpdate: 'find_one_and_update',
  deleteOne: 'delete_one',
  deleteMany: 'delete_many',
  bulkWrite: 'bulk_write',
  groups: 'groups',
  totals: 'totals',
  tally: 'tally',
  misfiled: 'find',
};

const MS_PER_S = 1_000;

/** Measures the operations of a collection, as their callers see them. */
export function meterCollection<T extends Doc>(
  inner: Collection<T>,
  collection: string,
  meters: Meters,
): Collection<T> {
  if (meters === noMeters) return inner;
  const durations = meters.distribution('steward_store_operation_duration_seconds');
  const ofCollections = meters.distribution('steward_store_collection_duration_seconds');
  const errors = meters.counter('steward_store_errors_total');
  /** Creates a function that measures operations of a kind, each from a time on. */
  const measuring = (operation: Operation): Measure => {
    const observe = durations.of({ operation });
    const observeOfCollection = ofCollections.of({ collection, operation });
    const end = (from: number) => {
      const seconds = (performance.now() - from) / MS_PER_S;
      observe(seconds);
      observeOfCollection(seconds);
    };
    return (from, running) =>
      running.then(
        (result) => {
          end(from);
          return result;
        },
        (error: unknown) => {
          end(from);
          errors.add({ operation, error: kindOf(error) });
          throw error;
        },
      );
  };
  const measures = Object.fromEntries(
    Object.entries(LABELS).map(([operation, label]) => [operation, measuring(label)]),
  ) as Record<StoreOperation, Measure>;
  return aroundCollection(inner, {
    call: (operation, _, run) => measures[operation](performance.now(), run()),
    iterate: (cursor) => iterateMeasured(cursor, measures.find),
  });
}

type Measure = <R>(from: number, running: Promise<R>) => Promise<R>;

/** Reads a cursor and measures how long its first documents take; what follows depends on its reader. */
function iterateMeasured<T>(cursor: FindCursor<T>, measure: Measure): AsyncIterator<T> {
  const documents = cursor[Symbol.asyncIterator]();
  const next = documents.next.bind(documents);
  let isMeasured = false;
  // A loop reads `next` once, so that it stays replaced.
  documents.next = () => {
    if (isMeasured) return next();
    isMeasured = true;
    return measure(performance.now(), next());
  };
  return documents;
}

function kindOf(error: unknown): Labels<'steward_store_errors_total'>['error'] {
  if (error instanceof Conflict) return 'conflict';
  return error instanceof Unavailable ? 'unavailable' : 'other';
}
