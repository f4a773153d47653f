import { GROUP_SCHEMA } from './group-schema.ts';
import { badRequest } from './scim-error.ts';
import { USER_SCHEMA } from './user-schema.ts';

/** A JSON object of a request. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws ScimError unless the body is a JSON object */
export function readObject(body: Uint8Array | undefined): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw badRequest('invalidSyntax', 'The body is not JSON');
  }
  if (!isObject(value)) throw badRequest('invalidSyntax', 'The body must be a JSON object');
  return value;
}

/** The schemas that names of attributes may begin with. */
const SCHEMAS = [USER_SCHEMA, GROUP_SCHEMA].map((schema) => `${schema.toLowerCase()}:`);

/** The name of an attribute without the schema before it, in lower case: names are the same in any case (RFC 7643, 2.1). */
export function attributeKey(name: string): string {
  const key = name.toLowerCase();
  const schema = SCHEMAS.find((one) => key.startsWith(one)) ?? '';
  return key.slice(schema.length);
}

/** The values of an object by the keys of their attributes; what follows later wins. */
export function byAttribute(object: JsonObject): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(object).map(([name, value]) => [attributeKey(name), value]));
}

/** Reads a boolean, also as the text that some directories send. */
export function readBoolean(value: unknown, name: string): boolean {
  const read = typeof value === 'string' ? value.toLowerCase() : value;
  if (read === true || read === 'true') return true;
  if (read === false || read === 'false') return false;
  throw badRequest('invalidValue', `'${name}' must be true or false`);
}

/** @throws ScimError unless the value is a string */
export function readString(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw badRequest('invalidValue', `'${name}' must be a string`);
}
