import type { JsonObject } from '@steward/kernel';
import type { CollectionDeclaration, Doc } from '@steward/store';
import { checkFields, type Field, type Fields, id } from './field.ts';

/** A kind of records that are the documents of a collection, without what follows from the rest of them. */
export interface RecordKind {
  /** The name of the kind, and of its file without the ending. */
  readonly name: string;
  /** What a record is, and what it refers to. */
  readonly about: string;
  /** The name of the collection. */
  readonly collection: string;
  readonly fields: Fields;
  /** The field with the id of the user to whom a record belongs; undefined for records of the server. */
  readonly owner: string | undefined;
  /** The field with the id of the room to which a record belongs; undefined for others. */
  readonly room: string | undefined;
  /** What to set in an existing document so that it has what another one of its id has; undefined for nothing. */
  readonly merge: ((stored: Doc, other: Doc) => JsonObject | undefined) | undefined;
  /** The record of a document; undefined for one that is not exported. */
  write(document: Doc): JsonObject | undefined;
  /** @throws Error that names the field which does not exist, is missing, or cannot have its value */
  read(record: JsonObject): Doc;
}

/** How the documents of a collection become records. */
interface Definition<T extends Doc, D extends keyof T> {
  readonly name: string;
  readonly about: string;
  readonly collection: CollectionDeclaration<T>;
  /** The field with the id of the document, unless the id follows from the other fields. */
  readonly key?: readonly [name: string, meaning: string];
  /** The id of a document, where it follows from the other fields. */
  readonly idOf?: (document: Omit<T, '_id' | D>) => string;
  /** All other fields, in the order in which records have them. */
  readonly fields: { readonly [K in Exclude<keyof T, '_id' | D>]-?: Field<T[K]> };
  /** Fields that records do not have: they follow from the others, or are absent in a document that was imported. */
  readonly derived?: { readonly [K in D]-?: (document: Omit<T, D>) => T[K] };
  readonly owner?: string;
  readonly room?: string;
  /**
   * What to set in an existing document, undefined for nothing: for documents that a server makes itself while it loads records. Others
   * stay as they are.
   */
  readonly merge?: (stored: T, other: T) => JsonObject | undefined;
  /** Which documents are exported; all when absent. */
  readonly exports?: (document: T) => boolean;
}

/** Declares a kind of records. A property of the document that has no field does not compile. */
export function recordKind<T extends Doc, D extends Exclude<keyof T, '_id'> = never>({
  name,
  about,
  collection,
  key,
  idOf,
  fields: own,
  derived,
  owner,
  room,
  merge,
  exports = () => true,
}: Definition<T, D>): RecordKind {
  const fields: Fields = { ...(key ? { [key[0]]: id(key[1]) } : {}), ...(own as Fields) };
  return {
    name,
    about,
    collection: collection.name,
    fields,
    owner,
    room,
    merge: merge && ((stored, other) => merge(stored as T, other as T)),
    write(document) {
      if (!exports(document as T)) return undefined;
      const stored = document as unknown as JsonObject;
      return writeFields(fields, key ? { ...stored, [key[0]]: document._id } : stored);
    },
    read(record) {
      const values = readFields(fields, record);
      const { [key?.[0] ?? '']: given, ...rest } = values;
      const _id = idOf ? idOf(rest as Omit<T, '_id' | D>) : String(given);
      const document = { _id, ...rest };
      const follows = Object.entries((derived ?? {}) as Readonly<Record<string, (from: unknown) => unknown>>);
      const others = follows.map(([field, of]) => [field, of(document)] as const);
      return {
        ...document,
        ...Object.fromEntries(others.filter(([, value]) => value !== undefined)),
      };
    },
  };
}

/** The values of fields in their order, without those that are absent. */
export function writeFields(fields: Fields, values: JsonObject): JsonObject {
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const present = Object.entries(fields).filter(
    ([name, { omitsEmpty }]) => values[name] !== undefined && !(omitsEmpty && isEmpty(values[name])),
  );
  return Object.fromEntries(present.map(([name]) => [name, values[name]]));
}

/**
 * The values of a record as documents have them: null where they need a value and the record has none.
 *
 * @throws Error that names the field which does not exist, is missing, or cannot have its value
 */
function readFields(fields: Fields, record: JsonObject): JsonObject {
  checkFields(fields, record);
  const values: Record<string, unknown> = {};
  for (const [name, { isOptional, isNullable }] of Object.entries(fields)) {
    const value = record[name];
    if (value === undefined) {
      if (!isOptional) values[name] = null;
    } else if (value !== null || isNullable) values[name] = value;
  }
  return values;
}
