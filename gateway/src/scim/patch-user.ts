import { type ScimPatchOperation, scimPatch } from 'scim-patch';
import { type AttrExp, stringify } from 'scim2-parse-filter';
import { parseFilter, type ScimFilter } from './filter.ts';
import { byAttribute, isObject, type JsonObject, readBoolean, readString } from './read-json.ts';
import { MAX_OPERATIONS, operationsOf, type SentOperation } from './read-operations.ts';
import { canonicalAddress, readUser, type SentUser } from './read-user.ts';
import { badRequest } from './scim-error.ts';
import type { UserResource } from './user-resource.ts';

/** What addresses consist of. */
const ADDRESS_PARTS: ReadonlySet<string> = new Set(['value', 'type', 'primary']);

/** The attributes that operations change, by their keys; the parts are those of complex ones. */
const TARGETS: ReadonlyMap<string, { readonly name: string; readonly parts?: ReadonlyMap<string, string> }> =
  new Map([
    ['username', { name: 'userName' }],
    ['externalid', { name: 'externalId' }],
    ['displayname', { name: 'displayName' }],
    ['active', { name: 'active' }],
    ['password', { name: 'password' }],
    ['name', { name: 'name', parts: new Map([['formatted', 'formatted']]) }],
    ...(['emails', 'phoneNumbers'] as const).map(
      (name) =>
        [
          name.toLowerCase(),
          { name, parts: new Map([...ADDRESS_PARTS].map((part) => [part, part])) },
        ] as const,
    ),
  ]);

/** What the server alone decides. */
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'groups']);

/** What an account cannot be without. */
const ALWAYS_SET: ReadonlySet<string> = new Set(['username', 'active']);

/** A path: an attribute, perhaps a filter of its values, perhaps a part of it. */
const PATH = /^([a-z][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/i;

/** The URN of a schema, with or without an attribute: what is not of the schema of users is not kept. */
const URN = /^urn:[\w.:-]+$/i;

type Operation = SentOperation['op'];

/**
 * The user as it is after the operations of a PATCH (RFC 7644, 3.5.2), with the attributes that they change. The operations are
 * carried out by a library that follows any path, also to the prototypes of objects: it gets only paths that are put together here
 * from known names.
 *
 * @throws ScimError
 */
export function patchUser(resource: UserResource, body: JsonObject): SentUser {
  const all = operationsOf(body).flatMap(({ op, path, value }) => onPath(op, path, value));
  if (all.length > MAX_OPERATIONS)
    throw badRequest('tooMany', `A request has at most ${MAX_OPERATIONS} operations`);
  const { schemas: _, id, meta, ...content } = resource;
  const before: Record<string, unknown> = structuredClone(content);
  const after: Record<string, unknown> = { emails: [], phoneNumbers: [], ...structuredClone(content) };
  try {
    scimPatch(after as never, all as ScimPatchOperation[], { mutateDocument: true, treatMissingAsAdd: true });
  } catch (error) {
    throw badRequest('noTarget', `The operations do not fit the user: ${messageOf(error)}`);
  }
  return changed(before, after, new Set(all.map(({ path }) => path.split(/[[.]/, 1)[0] ?? '')));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

/** What the operations made of the attributes that they name. */
function changed(before: JsonObject, after: JsonObject, named: ReadonlySet<string>): SentUser {
  const result: Record<string, unknown> = {};
  for (const name of named) result[name] = after[name] ?? null;
  const wasNamed = named.has('displayName') && after.displayName !== before.displayName;
  // The name is the display name, unless the request has both.
  if (named.has('name') && !wasNamed) {
    result.displayName = isObject(after.name) ? (after.name.formatted ?? null) : null;
  }
  delete result.name;
  return readUser(result);
}

/** An operation as the library gets it. */
interface KnownOperation {
  readonly op: Operation;
  readonly path: string;
  readonly value?: unknown;
}

/** The operations on known attributes that an operation of a request stands for. */
function onPath(op: Operation, path: string, value: unknown): readonly KnownOperation[] {
  const [, attribute, filter, part] = PATH.exec(path) ?? [];
  if (attribute === undefined) {
    if (URN.test(path)) return [];
    throw badRequest('invalidPath', 'The path cannot be read');
  }
  const key = attribute.toLowerCase();
  if (READ_ONLY.has(key)) throw badRequest('mutability', `'${key}' cannot be changed`);
  const target = TARGETS.get(key);
  if (!target) return [];
  const partName = part === undefined ? undefined : target.parts?.get(part.toLowerCase());
  if (part !== undefined && partName === undefined) return [];
  const isMulti = target.name === 'emails' || target.name === 'phoneNumbers';
  if (filter !== undefined && !isMulti) throw badRequest('invalidPath', `'${target.name}' has one value`);
  const ofValues = filter === undefined ? '' : `[${stringify(ofKnownParts(parseFilter(filter)))}]`;
  const known = `${target.name}${ofValues}${partName === undefined ? '' : `.${partName}`}`;
  if (op === 'remove' && ALWAYS_SET.has(key))
    throw badRequest('mutability', `'${target.name}' always has a value`);
  if (op === 'remove') return removals(known, isMulti && known === target.name, value);
  return [{ op, path: known, value: knownValue(target.name, partName, filter !== undefined, value) }];
}

/** A removal; that of some values, which are named by what they have in `value`, is one of each of them. */
function removals(path: string, ofValues: boolean, value: unknown): readonly KnownOperation[] {
  if (!ofValues || value === undefined || value === null) return [{ op: 'remove', path }];
  return [value].flat().map((one: unknown) => {
    const removed = isObject(one) ? byAttribute(one).get('value') : one;
    const address = canonicalAddress(path as 'emails' | 'phoneNumbers', readString(removed, path));
    const filter = ofKnownParts({ op: 'eq', attrPath: 'value', compValue: address });
    return { op: 'remove', path: `${path}[${stringify(filter)}]` };
  });
}

/** What the library would take for the end of a filter, or of a text in it. */
const DELIMITERS = /["\\[\]]/;

/** A filter of values that the library reads as it is meant. */
function ofKnownParts(filter: ScimFilter): ScimFilter {
  if (filter.op === 'and' || filter.op === 'or') {
    filter.filters.forEach(ofKnownParts);
    return filter;
  }
  if (filter.op === 'not' || filter.op === '[]' || !ADDRESS_PARTS.has((filter as AttrExp).attrPath))
    throw badRequest('invalidPath', 'Values are selected by value, type and primary');
  if ('compValue' in filter && DELIMITERS.test(String(filter.compValue)))
    throw badRequest('invalidPath', 'A path contains no quotation marks, backslashes or brackets in values');
  return filter;
}

/** A value that has known names only, in the form that the attribute has. */
function knownValue(name: string, part: string | undefined, ofOne: boolean, value: unknown): unknown {
  if (part === 'primary') return readBoolean(value, `${name}.primary`);
  if (part !== undefined) return value === null ? '' : readString(value, `${name}.${part}`);
  switch (name) {
    case 'active':
      return readBoolean(value, name);
    case 'name':
      return isObject(value)
        ? { formatted: byAttribute(value).get('formatted') ?? null }
        : { formatted: value };
    case 'emails':
    case 'phoneNumbers':
      return ofOne ? knownAddress(value) : (value === null ? [] : [value].flat()).map(knownAddress);
    default:
      return value === null ? '' : readString(value, name);
  }
}

function knownAddress(value: unknown): object {
  if (!isObject(value)) return { value };
  const sent = byAttribute(value);
  return Object.fromEntries(
    [...ADDRESS_PARTS].flatMap((name) => (sent.has(name) ? [[name, sent.get(name)]] : [])),
  );
}
