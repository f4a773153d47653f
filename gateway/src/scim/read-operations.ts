import { attributeKey, byAttribute, isObject, type JsonObject, readString } from './read-json.ts';
import { badRequest } from './scim-error.ts';

/** The schema of requests that change a part of a resource. */
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The most operations of a request. */
export const MAX_OPERATIONS = 100;

/** The longest path, in characters. */
const MAX_PATH_LENGTH = 500;

/** An operation on what a path names, as a request has it. */
export interface SentOperation {
  readonly op: 'add' | 'remove' | 'replace';
  /** Without the schema before it. */
  readonly path: string;
  /** Undefined for a removal without one. */
  readonly value: unknown;
}

/**
 * The operations of a PATCH (RFC 7644, 3.5.2). One without a path stands for one with each key of its value as the path; names of
 * operations are read in any case.
 *
 * @throws ScimError
 */
export function operationsOf(body: JsonObject): readonly SentOperation[] {
  const sent = byAttribute(body);
  const schemas = sent.get('schemas');
  if (!Array.isArray(schemas) || !schemas.includes(PATCH_SCHEMA))
    throw badRequest('invalidSyntax', `'schemas' must contain ${PATCH_SCHEMA}`);
  const operations = sent.get('operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest('invalidSyntax', "'Operations' must be a list of operations");
  const all = operations.flatMap(readOperation);
  if (Math.max(all.length, operations.length) > MAX_OPERATIONS)
    throw badRequest('tooMany', `A request has at most ${MAX_OPERATIONS} operations`);
  return all;
}

function readOperation(operation: unknown): readonly SentOperation[] {
  if (!isObject(operation)) throw badRequest('invalidSyntax', 'An operation must be an object');
  const sent = byAttribute(operation);
  const op = readOp(sent.get('op'));
  const path = sent.get('path');
  const value = sent.get('value');
  if (op !== 'remove' && value === undefined) throw badRequest('invalidValue', `'${op}' requires a value`);
  if (path !== undefined && path !== null && path !== '')
    return [{ op, path: readPath(readString(path, 'path')), value }];
  if (op === 'remove') throw badRequest('noTarget', "'remove' requires a path");
  if (!isObject(value)) throw badRequest('invalidValue', 'Without a path, the value must be an object');
  return Object.entries(value).map(([name, one]) => ({ op, path: readPath(name), value: one }));
}

function readOp(value: unknown): SentOperation['op'] {
  const op = readString(value, 'op').toLowerCase();
  if (op === 'add' || op === 'remove' || op === 'replace') return op;
  throw badRequest('invalidSyntax', "'op' must be add, remove or replace");
}

function readPath(path: string): string {
  if (path.length > MAX_PATH_LENGTH) throw badRequest('invalidPath', 'The path is too long');
  return path.slice(path.length - attributeKey(path).length);
}
