import { isObject, type JsonObject } from '@steward/kernel';
import { isStorable, withoutControls } from './text.ts';

/** A field of records: what values it has, and what they mean. */
export interface Field<V> {
  /** The type as the reference says it. */
  readonly type: string;
  readonly meaning: string;
  /** Whether records and documents may be without it. */
  readonly isOptional: boolean;
  /** Whether it may be null. */
  readonly isNullable: boolean;
  /** The fields of the objects that it holds. */
  readonly inner?: Fields;
  /** Present if an empty list is left out of records. */
  readonly omitsEmpty?: true;
  /** @throws Error that names the field when it cannot have the value */
  readonly check: (value: unknown, name: string) => void;
  /** Never called: makes fields of different types differ. */
  readonly is?: (value: V) => V;
}

/** Fields by name, in the order in which records have them. */
// biome-ignore lint/suspicious/noExplicitAny: a list of fields of any types.
export type Fields = Readonly<Record<string, Field<any>>>;

/** A field for every property of a type, without which a property would be lost. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: Field<T[K]> };

function field<V>(
  type: string,
  meaning: string,
  holds: (value: unknown) => boolean,
  problem: string,
): Field<V> {
  return {
    type,
    meaning,
    isOptional: false,
    isNullable: false,
    check(value, name) {
      if (!holds(value)) throw new Error(`${name} ${problem}`);
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && isStorable(value);

/** Any text. */
export const text = (meaning: string): Field<string> => field('text', meaning, isText, 'is not text');

/** The id of something: a text without control characters. */
export const id = (meaning: string): Field<string> =>
  field(
    'text',
    meaning,
    (value) => isText(value) && withoutControls(value),
    'is not an id: it must be text without control characters',
  );

/** One of a few texts. */
export const oneOf = <const V extends string>(values: readonly V[], meaning: string): Field<V> =>
  field(
    values.join(', '),
    meaning,
    (value) => values.some((each) => each === value),
    `is none of ${values.join(', ')}`,
  );

/** JSON in a text, as a client sent it. */
export const jsonText = (meaning: string): Field<string> =>
  field(
    'JSON in a text',
    meaning,
    (value) => {
      if (!isText(value)) return false;
      try {
        JSON.parse(value);
        return true;
      } catch {
        return false;
      }
    },
    'is not JSON in a text',
  );

/** A count, a length or a time. */
export const whole = (meaning: string): Field<number> =>
  field('whole number', meaning, (value) => Number.isSafeInteger(value), 'is not a whole number');

/** True or false. */
export const flag = (meaning: string): Field<boolean> =>
  field('flag', meaning, (value) => typeof value === 'boolean', 'is neither true nor false');

/** A flag that is absent when it is false. */
export const mark = (meaning: string): Field<true | undefined> =>
  optional(field<true>('flag', meaning, (value) => value === true, 'is not true'));

/** Numbers by name. */
export const numbers = (meaning: string): Field<Readonly<Record<string, number>>> =>
  field(
    'object of whole numbers',
    meaning,
    (value) => isObject(value) && Object.values(value).every((each) => Number.isSafeInteger(each)),
    'is not an object of whole numbers',
  );

/** What only the server that reads the record understands: work that a change has still to do. */
export const inner = <V>(meaning: string): Field<V> => field('JSON', meaning, () => true, '');

/** An object. */
export const object = <T>(meaning: string, fields: FieldsOf<T>): Field<T> => ({
  ...field<T>('object', meaning, isObject, 'is not an object'),
  inner: fields as Fields,
  check(value, name) {
    if (!isObject(value)) throw new Error(`${name} is not an object`);
    checkFields(fields as Fields, value, `${name}.`);
  },
});

/** A list. */
export const list = <T>(item: Field<T>): Field<readonly T[]> => ({
  type: item.inner ? 'list of objects' : `list of ${item.type}`,
  meaning: item.meaning,
  isOptional: false,
  isNullable: false,
  ...(item.inner ? { inner: item.inner } : {}),
  check(value, name) {
    if (!Array.isArray(value)) throw new Error(`${name} is not a list`);
    for (const each of value) item.check(each, name);
  },
});

/** A field that may be absent. */
export const optional = <V>(present: Field<V>): Field<V | undefined> =>
  ({
    ...(present as Field<unknown>),
    isOptional: true,
  }) as Field<V | undefined>;

/** A field that may be null. */
export const nullable = <V>(present: Field<V>): Field<V | null> =>
  ({
    ...(present as Field<unknown>),
    isNullable: true,
  }) as Field<V | null>;

/**
 * Checks the fields of an object.
 *
 * @param parent what precedes the names of fields in messages
 * @throws Error that names a field that is not there, is missing, or cannot have its value
 */
export function checkFields(fields: Fields, json: JsonObject, parent = ''): void {
  for (const name of Object.keys(json)) {
    if (!Object.hasOwn(fields, name)) throw new Error(`there is no field ${parent}${name}`);
  }
  for (const [name, { isOptional, isNullable, check }] of Object.entries(fields)) {
    const value = json[name];
    if (value === undefined || value === null) {
      if (!isOptional && !isNullable) throw new Error(`${parent}${name} is missing`);
    } else check(value, `${parent}${name}`);
  }
}
