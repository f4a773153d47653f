import { attributeKey, isObject } from './read-json.ts';
import { badRequest } from './scim-error.ts';

/** The most attributes that a request names. */
const MAX_NAMES = 100;

/** What is always shown. */
const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);

/** Which attributes are shown, by their keys (RFC 7644, 3.9); all without any. */
export interface Projection {
  readonly attributes?: ReadonlySet<string>;
  readonly excluded?: ReadonlySet<string>;
}

/** @throws ScimError when both are given */
export function readProjection(sent: ReadonlyMap<string, unknown>): Projection {
  const attributes = readNames(sent.get('attributes'), 'attributes');
  const excluded = readNames(sent.get('excludedattributes'), 'excludedAttributes');
  if (attributes && excluded)
    throw badRequest('invalidValue', "'attributes' and 'excludedAttributes' exclude each other");
  return { ...(attributes ? { attributes } : {}), ...(excluded ? { excluded } : {}) };
}

function readNames(value: unknown, name: string): ReadonlySet<string> | undefined {
  const list = typeof value === 'string' ? value.split(',') : value;
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list) || list.some((one) => typeof one !== 'string'))
    throw badRequest('invalidValue', `'${name}' must be names of attributes`);
  if (list.length > MAX_NAMES) throw badRequest('tooMany', `'${name}' has at most ${MAX_NAMES} names`);
  const keys = list.map((one: string) => attributeKey(one.trim())).filter((key) => key !== '');
  return keys.length === 0 ? undefined : new Set(keys);
}

/** What of a resource is shown. */
export function project(resource: object, { attributes, excluded }: Projection): object {
  if (attributes) return pick(resource, (path) => ALWAYS.has(path) || isWithin(path, attributes), attributes);
  if (excluded) return pick(resource, (path) => ALWAYS.has(path) || !isWithin(path, excluded), excluded);
  return resource;
}

/** Whether an attribute is shown, by its key, or a part of it. */
export function shows({ attributes, excluded }: Projection, key: string): boolean {
  if (attributes) return [...attributes].some((name) => name === key || name.startsWith(`${key}.`));
  return !excluded?.has(key);
}

/** Whether an attribute or the one that it is a part of is named. */
function isWithin(path: string, names: ReadonlySet<string>): boolean {
  return names.has(path) || names.has(path.split('.', 1)[0] ?? '');
}

function pick(resource: object, isShown: (path: string) => boolean, names: ReadonlySet<string>): object {
  const partlyNamed = new Set(
    [...names].flatMap((name) => (name.includes('.') ? [name.split('.', 1)[0]] : [])),
  );
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      const key = name.toLowerCase();
      if (!partlyNamed.has(key)) return isShown(key) ? [[name, value]] : [];
      const part = (one: unknown) =>
        isObject(one)
          ? Object.fromEntries(
              Object.entries(one).filter(([inner]) => isShown(`${key}.${inner.toLowerCase()}`)),
            )
          : one;
      return [[name, Array.isArray(value) ? value.map(part) : part(value)]];
    }),
  );
}
