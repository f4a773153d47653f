import {
  type DescField,
  type DescMessage,
  fromJson,
  type MessageShape,
  ScalarType,
} from '@bufbuild/protobuf';
import { isObject, type JsonObject } from '@steward/kernel';
import { isStorable, withoutControls } from '@steward/records';

const WHOLE_NUMBER = /^-?\d{1,18}$/;

/**
 * Reads a record as a message whose fields are those of the file.
 *
 * @param others the fields of the file that the message does not have
 * @throws Error that names the first field which does not exist, or has a value of another type
 */
export function toRecord<Desc extends DescMessage>(
  schema: Desc,
  json: JsonObject,
  others: ReadonlySet<string> = new Set(),
): MessageShape<Desc> {
  check(schema, json, others, '');
  return fromJson(schema, json as Parameters<typeof fromJson>[1], { ignoreUnknownFields: true });
}

function check(schema: DescMessage, json: JsonObject, others: ReadonlySet<string>, parent: string): void {
  const fields = fieldsOf(schema);
  for (const [key, value] of Object.entries(json)) {
    const name = `${parent}${key}`;
    const field = fields.get(key);
    if (field) checkValue(field, value, name);
    else if (!others.has(key)) throw new Error(`there is no field ${name}`);
  }
}

function checkValue(field: DescField, value: unknown, name: string): void {
  // Null is written out for an absent value.
  if (value === null) return;
  if (field.fieldKind === 'list') {
    if (!Array.isArray(value)) throw new Error(`${name} is not a list`);
    for (const item of value) {
      if (field.listKind === 'scalar') checkScalar(field.scalar, item, name);
      else if (field.listKind !== 'message' || !isObject(item))
        throw new Error(`${name} is not a list of objects`);
      else check(field.message, item, new Set(), `${name}.`);
    }
  } else if (field.fieldKind === 'scalar') {
    checkScalar(field.scalar, value, name);
  } else if (field.fieldKind === 'message') {
    if (!isObject(value)) throw new Error(`${name} is not an object`);
    check(field.message, value, new Set(), `${name}.`);
  }
}

function checkScalar(scalar: ScalarType, value: unknown, name: string): void {
  switch (scalar) {
    case ScalarType.STRING:
      if (typeof value !== 'string' || !isStorable(value)) throw new Error(`${name} is not text`);
      if (/(?:^|[._])id$/.test(name) && !withoutControls(value)) {
        throw new Error(`${name} is not an id: it must be text without control characters`);
      }
      return;
    case ScalarType.BOOL:
      if (typeof value !== 'boolean') throw new Error(`${name} is neither true nor false`);
      return;
    default:
      if (!Number.isSafeInteger(value) && !(typeof value === 'string' && WHOLE_NUMBER.test(value))) {
        throw new Error(`${name} is not a whole number`);
      }
  }
}

const known = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** The fields of a message by the names that they have in files. */
function fieldsOf(schema: DescMessage): ReadonlyMap<string, DescField> {
  const fields = known.get(schema) ?? new Map(schema.fields.map((field) => [field.name, field]));
  known.set(schema, fields);
  return fields;
}
