import type { JsonObject } from '@steward/kernel';
import type { Field, Fields } from './field.ts';
import { parseRecord } from './parse-record.ts';
import { writeFields } from './record-kind.ts';

/** The fields that a kind of records has besides those of its message; records may be without any of them. */
export interface FurtherFields<T> {
  readonly fields: Fields;
  /** The further fields that a document has. */
  write(document: T): JsonObject;
  /**
   * The values of a JSON text, which is empty for none.
   *
   * @throws Error that names the field which does not exist, or cannot have its value
   */
  read(further: string): Partial<T>;
}

/**
 * Declares further fields. Each property of the document has a field here, is one of the message, or follows from others; else this
 * does not compile.
 */
export function furtherFields<T, Elsewhere extends keyof T>(
  own: {
    readonly [K in Exclude<keyof T, '_id' | Elsewhere>]-?: Field<T[K]>;
  },
): FurtherFields<T> {
  const fields = Object.fromEntries(
    Object.entries(own as Fields).map(([name, field]) => [name, { ...field, isOptional: true }]),
  ) as Fields;
  return {
    fields,
    write: (document) => writeFields(fields, document as JsonObject),
    read(further) {
      if (further === '') return {};
      const present = Object.entries(parseRecord(further)).filter(([name, value]) => {
        const field = fields[name];
        if (!field) throw new Error(`there is no field ${name}`);
        if (value === null) return field.isNullable;
        field.check(value, name);
        return true;
      });
      return Object.fromEntries(present) as Partial<T>;
    },
  };
}
