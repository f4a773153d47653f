import { type Labels, type Meters, noMeters } from '@steward/telemetry';
import type { Collection, FindCursor } from './port/collection.ts';
import type { Doc } from './port/declaration.ts';
import { Conflict, Unavailable } from './port/errors.ts';

type Operation = Labels<'steward_store_collection_duration_seconds'>['operation'];

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
  const findOne = measuring('find_one');
  const find = measuring('find');
  const count = measuring('count');
  const insertOne = measuring('insert_one');
  const insertMany = measuring('insert_many');
  const updateOne = measuring('update_one');
  const updateMany = measuring('update_many');
  const findOneAndUpdate = measuring('find_one_and_update');
  const deleteOne = measuring('delete_one');
  const deleteMany = measuring('delete_many');
  const bulkWrite = measuring('bulk_write');
  const groups = measuring('groups');
  const totals = measuring('totals');
  const tally = measuring('tally');
  const now = () => performance.now();
  return {
    findOne: (filter, options) => findOne(now(), inner.findOne(filter, options)),
    find: (filter, options) => measuredCursor(inner.find(filter, options), find),
    countDocuments: (filter) => count(now(), inner.countDocuments(filter)),
    insertOne: (document, options) => insertOne(now(), inner.insertOne(document, options)),
    insertMany: (documents, options) => insertMany(now(), inner.insertMany(documents, options)),
    updateOne: (filter, update, options) => updateOne(now(), inner.updateOne(filter, update, options)),
    updateMany: (filter, update, options) => updateMany(now(), inner.updateMany(filter, update, options)),
    findOneAndUpdate: (filter, update, options) =>
      findOneAndUpdate(now(), inner.findOneAndUpdate(filter, update, options)),
    insertion: (documents) => inner.insertion(documents),
    alteration: (updates) => inner.alteration(updates),
    deleteOne: (filter, options) => deleteOne(now(), inner.deleteOne(filter, options)),
    deleteMany: (filter, options) => deleteMany(now(), inner.deleteMany(filter, options)),
    bulkWrite: (operations, options) => bulkWrite(now(), inner.bulkWrite(operations, options)),
    groups: (filter, options) => groups(now(), inner.groups(filter, options)),
    totals: (filter, sum) => totals(now(), inner.totals(filter, sum)),
    tally: () => tally(now(), inner.tally()),
    revision: () => inner.revision(),
    misfiled: (ids) => find(now(), inner.misfiled(ids)),
  };
}

type Measure = <R>(from: number, running: Promise<R>) => Promise<R>;

/** A cursor that measures how long its first documents take; what follows depends on its reader. */
function measuredCursor<T>(cursor: FindCursor<T>, measure: Measure): FindCursor<T> {
  return {
    toArray: () => measure(performance.now(), cursor.toArray()),
    [Symbol.asyncIterator]() {
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
    },
  };
}

function kindOf(error: unknown): Labels<'steward_store_errors_total'>['error'] {
  if (error instanceof Conflict) return 'conflict';
  return error instanceof Unavailable ? 'unavailable' : 'other';
}
