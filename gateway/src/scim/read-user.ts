import { byAttribute, isObject, type JsonObject, readBoolean, readString } from './read-json.ts';
import { badRequest } from './scim-error.ts';
import { USER_SCHEMA } from './user-schema.ts';

/** The largest number of addresses of a kind in a request. */
const MAX_ADDRESSES = 50;

/** What a request says of a user; absent is what it does not mention, null is what it takes away. */
export interface SentUser {
  readonly userName?: string;
  readonly externalId?: string | null;
  readonly displayName?: string | null;
  /** The name from its parts, for a new account that is sent no other. */
  readonly composedName?: string;
  readonly active?: boolean;
  readonly password?: string;
  readonly emails?: readonly string[];
  readonly phoneNumbers?: readonly string[];
}

/**
 * Reads a user of a request. Attributes that the schema does not have are ignored, as RFC 7644 (3.3) permits: directories send the
 * whole of what they know.
 *
 * @throws ScimError
 */
export function readUser(object: JsonObject): SentUser {
  const { schemas } = object;
  if (schemas !== undefined && !(Array.isArray(schemas) && schemas.includes(USER_SCHEMA)))
    throw badRequest('invalidSyntax', `'schemas' must contain ${USER_SCHEMA}`);
  const sent = byAttribute(object);
  const name = sent.get('name');
  const parts = isObject(name) ? byAttribute(name) : new Map<string, unknown>();
  const displayName = sent.has('displayname') ? sent.get('displayname') : parts.get('formatted');
  const composed = ['givenname', 'familyname']
    .map((part) => parts.get(part))
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
  const active = sent.get('active');
  const password = sent.get('password');
  return {
    ...optional('userName', sent.get('username')),
    ...clearable('externalId', sent.get('externalid')),
    ...clearable('displayName', displayName),
    ...(composed === '' ? {} : { composedName: composed }),
    ...(active === undefined || active === null ? {} : { active: readBoolean(active, 'active') }),
    ...(password === null || password === '' ? {} : optional('password', password)),
    ...addresses('emails', sent.get('emails')),
    ...addresses('phoneNumbers', sent.get('phonenumbers')),
  };
}

function optional<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: string } {
  return value === undefined ? {} : ({ [name]: readString(value, name) } as { [N in Name]?: string });
}

function clearable<Name extends string>(
  name: Name,
  value: unknown,
): { readonly [N in Name]?: string | null } {
  if (value === undefined) return {};
  const read = value === null ? '' : readString(value, name);
  return { [name]: read === '' ? null : read } as { [N in Name]?: string | null };
}

/** The addresses of a kind, the primary one first, each once. */
function addresses<Name extends 'emails' | 'phoneNumbers'>(
  name: Name,
  value: unknown,
): { readonly [N in Name]?: readonly string[] } {
  if (value === undefined) return {};
  const list = value === null ? [] : [value].flat();
  if (list.length > MAX_ADDRESSES)
    throw badRequest('tooMany', `'${name}' has more than ${MAX_ADDRESSES} values`);
  const read = list.map((one: unknown) => {
    const entry = isObject(one) ? byAttribute(one) : new Map([['value', one]]);
    const primary = entry.get('primary');
    return {
      address: entry.get('value') ?? '',
      isPrimary: primary !== undefined && primary !== null && readBoolean(primary, `${name}.primary`),
    };
  });
  const inOrder = read.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
  const canonical = inOrder.map(({ address }) =>
    canonicalAddress(name, readString(address, `${name}.value`)),
  );
  const values = [...new Set(canonical)].filter((one) => one !== '');
  return { [name]: values } as unknown as { [N in Name]?: readonly string[] };
}

/** What visually separates the digits of a telephone number (RFC 3966). */
const SEPARATORS = /[-.() ]/g;

/** An address as accounts have it. */
export function canonicalAddress(name: 'emails' | 'phoneNumbers', value: string): string {
  const text = value.trim();
  if (name === 'emails') return text.toLowerCase();
  return text.replace(/^tel:/i, '').replace(/^\+/, '').replaceAll(SEPARATORS, '');
}
