import type { DescMessage } from '@bufbuild/protobuf';
import type { FieldRules } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { createFlat } from './flat-message.ts';
import { isObject, type Json, type JsonObject } from './json-body.ts';
import type { Fields } from './step.ts';
import { integerCheck, longCheck, stringCheck } from './value-rules.ts';
import { type Outcome, Violation, WRONG } from './violation.ts';
import { leaf, messagesIn, type Shape, wireFields } from './wire-field.ts';

/** Reads one JSON value into a value of a field. */
export type ReadValue = (value: Json) => Outcome<unknown>;

/** Reads the keys of an object into a message; returns the first violation. */
export type ReadObject = (object: JsonObject, into: Fields) => Violation | undefined;

/** The shapes whose readers depend on the spelling of numbers, and so need an exact parse. */
const EXACT: ReadonlySet<string> = new Set(['int32', 'uint32', 'int64', 'double', 'json']);

/** Whether a body that is read into the message must be parsed exactly. */
export function needsExactBody(message: DescMessage): boolean {
  return [...messagesIn(message)].some((part) =>
    wireFields(part).some(({ shape }) => EXACT.has(leaf(shape).kind)),
  );
}

/** Returns the reader of a nested message. */
export type ObjectReaders = (message: DescMessage) => ReadObject;

/** The errcode of a value of the wrong type in a body, unless the field names another. */
export const BODY_ON_TYPE = 'M_BAD_JSON';

/**
 * Compiles the reader of one value. The rules of a list or a map apply to its items.
 *
 * @throws StartupError for a field of a nested message that cannot be read
 */
export function compileValue(shape: Shape, rules: FieldRules, objectOf: ObjectReaders): ReadValue {
  const onType = rules.onType || BODY_ON_TYPE;
  switch (shape.kind) {
    case 'string': {
      const check = stringCheck(rules, onType);
      return (value) =>
        typeof value !== 'string' || value.includes('\0') ? WRONG : check(value.toWellFormed());
    }
    case 'json':
      return (value) => JSON.stringify(value);
    case 'bool':
      return rules.truthy ? truth : (value) => (typeof value === 'boolean' ? value : WRONG);
    case 'int32':
    case 'uint32': {
      const check = integerCheck(shape.kind, rules, onType);
      return (value) => (typeof value === 'number' ? check(positiveZero(value)) : WRONG);
    }
    case 'int64': {
      const check = longCheck(rules, onType);
      return (value) => (typeof value === 'number' ? check(BigInt(value)) : WRONG);
    }
    case 'double':
      return readDouble;
    case 'message': {
      const { message } = shape;
      const readObject = objectOf(message);
      return (value) => {
        if (!isObject(value)) return WRONG;
        const nested = createFlat(message);
        return readObject(value, nested as unknown as Fields) ?? nested;
      };
    }
    case 'list':
      return listReader(compileValue(shape.item, rules, objectOf));
    case 'map':
      return mapReader(compileValue(shape.value, rules, objectOf));
    case 'present':
      return () => WRONG;
  }
}

function listReader(readItem: ReadValue): ReadValue {
  return (value) => {
    if (!Array.isArray(value)) return WRONG;
    const list: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      const item = readItem(value[i]);
      if (item === WRONG) return WRONG;
      if (item instanceof Violation) return item.inside(`[${i}]`);
      list.push(item);
    }
    return list;
  };
}

function mapReader(readItem: ReadValue): ReadValue {
  return (value) => {
    if (!isObject(value)) return WRONG;
    const map: Fields = {};
    for (const key of Object.keys(value)) {
      const item = readItem(value[key] as Json);
      if (item === WRONG || item instanceof Violation) return item;
      // Defined, not assigned: the key may be __proto__.
      Object.defineProperty(map, key.toWellFormed(), {
        value: item,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return map;
  };
}

/** The truth of a value: 0, "", [], {}, null and false are false. */
function truth(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  if (Array.isArray(value)) return value.length > 0;
  return JSON.isRawJSON(value) ? Number(value.rawJSON) !== 0 : Object.keys(value).length > 0;
}

function readDouble(value: Json): Outcome<number> {
  const number = JSON.isRawJSON(value) ? Number(value.rawJSON) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : WRONG;
}

function positiveZero(value: number): number {
  return value === 0 ? 0 : value;
}
