import { Conflict, type Doc, type FindCursor } from '@steward/store';
import type { LoadedBatch } from './import-batch.ts';

/** The collection into which records are loaded. */
export interface Target<T extends Doc> {
  /** The ids for which documents exist. */
  existing(ids: readonly string[]): Promise<readonly string[]>;
  /** Inserts documents like an unordered `Collection.insertMany`: all that do not conflict. */
  insert(documents: readonly T[]): Promise<{ readonly insertedCount: number }>;
}

/** A record as a document, or the problem that makes it invalid. */
export type Checked<T> = { readonly document: T } | { readonly problem: string };

/** The document that `make` makes of a record, or the problem that it finds. */
export function checked<T>(make: () => T): Checked<T> {
  try {
    return { document: make() };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/**
 * Inserts the documents of the valid records. Existing documents are skipped; a document that conflicts with another
 * one in a unique index is reported as a problem.
 */
export async function loadBatch<T extends Doc>(
  target: Target<T>,
  records: readonly Checked<T>[],
): Promise<LoadedBatch> {
  const problems: { index: number; problem: string }[] = [];
  const documents = new Map<string, { index: number; document: T }>();
  let repeated = 0;
  for (const [index, record] of records.entries()) {
    if ('problem' in record) problems.push({ index, problem: record.problem });
    else if (documents.has(record.document._id)) repeated++;
    else documents.set(record.document._id, { index, document: record.document });
  }
  const ids = [...documents.keys()];
  const existing = await target.existing(ids);
  for (const id of existing) documents.delete(id);

  let loaded = 0;
  try {
    const fresh = [...documents.values()].map(({ document }) => document);
    if (fresh.length > 0) loaded = (await target.insert(fresh)).insertedCount;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // Conflicts are rare: inserting one by one finds the documents that conflict.
    loaded = error.insertedCount;
    for (const { index, document } of documents.values()) {
      const problem = await conflictOf(target, document);
      if (problem) problems.push({ index, problem });
    }
  }
  return { loaded, skipped: repeated + existing.length, problems };
}

async function conflictOf<T extends Doc>(target: Target<T>, document: T): Promise<string | undefined> {
  try {
    await target.insert([document]);
    return undefined;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return error.index === '_id' ? undefined : `another record has the same ${error.index}`;
  }
}

/** The ids of the documents that a query finds. */
export async function idsOf(found: FindCursor<Doc>): Promise<readonly string[]> {
  return (await found.toArray()).map(({ _id }) => _id);
}
