import { refuse } from '@steward/errors';
import { canonicalJson, isObject, type JsonObject, NotCanonical, own } from '@steward/kernel';
import { parseObject, without } from './signed-object.ts';

/** The longest identity or cross-signing key, in bytes of its JSON; ten times what clients upload. */
const MAX_IDENTITY_BYTES = 16 * 1024;
/** The longest one-time or fallback key, in bytes of its JSON. */
const MAX_KEY_BYTES = 8 * 1024;
/** The longest name of a key, in characters. */
const MAX_NAME_CHARS = 255;

/** A one-time or fallback key as it was uploaded. */
export interface NamedKey {
  /** `<algorithm>:<id>`. */
  readonly name: string;
  /** Canonical JSON: a string or an object. */
  readonly key: string;
}

/**
 * Parses the identity keys of a device; returns their canonical JSON, without `unsigned`.
 *
 * @throws refuse.badJson when they are incomplete or another device's, refuse.tooLong
 */
export function readDeviceKeys(text: string, userId: string, deviceId: string): string {
  const keys = parseObject(text);
  if (!keys) throw refuse.badJson("'device_keys' must be an object");
  if (keys.user_id !== userId || keys.device_id !== deviceId)
    throw refuse.badJson("'device_keys' must have the user id and the device id of the caller");
  if (!Array.isArray(keys.algorithms) || !keys.algorithms.every((name) => typeof name === 'string'))
    throw refuse.badJson("'device_keys.algorithms' must be a list of strings");
  if (!isMapOf(keys.keys, isString)) throw refuse.badJson("'device_keys.keys' must be an object of strings");
  if (!isMapOf(keys.signatures, (of) => isMapOf(of, isString)))
    throw refuse.badJson("'device_keys.signatures' must be an object of objects of strings");
  return canonical('device_keys', without(keys, 'unsigned'), MAX_IDENTITY_BYTES);
}

/**
 * Parses one-time or fallback keys.
 *
 * @param field their name in the request
 * @throws refuse.badJson, refuse.tooLong
 */
export function readNamedKeys(field: string, keys: Readonly<Record<string, string>>): readonly NamedKey[] {
  return Object.entries(keys).map(([name, text]) => {
    const colon = name.indexOf(':');
    if (colon <= 0 || colon === name.length - 1)
      throw refuse.badJson(`The keys of '${field}' must be of the form algorithm:id`);
    if (name.length > MAX_NAME_CHARS) throw refuse.tooLong(`The keys of '${field}' are too long`);
    const key: unknown = JSON.parse(text);
    if (!isString(key) && !isObject(key))
      throw refuse.badJson(`The values of '${field}' must be strings or objects`);
    return { name, key: canonical(field, key, MAX_KEY_BYTES) };
  });
}

/** A cross-signing key as it was uploaded. */
export interface CrossSigningKey {
  readonly object: JsonObject;
  /** Its canonical JSON, without `unsigned`. */
  readonly text: string;
  /** In base64. */
  readonly publicKey: string;
}

/**
 * Parses a cross-signing key.
 *
 * @throws refuse.invalidParam when it is not a key of the user for this usage, refuse.badJson, refuse.tooLong
 */
export function readCrossSigningKey(text: string, usage: string, userId: string): CrossSigningKey {
  const object = parseObject(text);
  const publicKey = object && publicKeyOf(object);
  const isOf =
    object?.user_id === userId && Array.isArray(object.usage) && object.usage.includes(usage) && publicKey;
  if (!isOf) throw refuse.invalidParam(`The ${usage} key is not a key of yours for this usage`);
  if (object.signatures !== undefined && !isMapOf(object.signatures, isObject))
    throw refuse.invalidParam(`The signatures of the ${usage} key must be an object of objects`);
  const kept = without(object, 'unsigned');
  return { object: kept, text: canonical(`${usage}_key`, kept, MAX_IDENTITY_BYTES), publicKey };
}

/** The public key of a cross-signing key, which holds exactly one, under a name that repeats the key. */
export function publicKeyOf(key: JsonObject): string | undefined {
  const [entry, ...others] = Object.entries(isObject(key.keys) ? key.keys : {});
  if (!entry || others.length > 0) return undefined;
  const [name, publicKey] = entry;
  return isString(publicKey) && name === `ed25519:${publicKey}` ? publicKey : undefined;
}

/** The Ed25519 key with which a device signs; `keys` is the JSON of its identity keys. */
export function signingKeyOf(keys: string, deviceId: string): string | undefined {
  const key = own(parseObject(keys)?.keys, `ed25519:${deviceId}`);
  return isString(key) ? key : undefined;
}

function canonical(field: string, value: unknown, maxBytes: number): string {
  let text: string;
  try {
    text = canonicalJson(value);
  } catch (error) {
    throw error instanceof NotCanonical ? refuse.badJson(`'${field}' ${error.message}`) : error;
  }
  if (Buffer.byteLength(text) > maxBytes) throw refuse.tooLong(`'${field}' has more than ${maxBytes} bytes`);
  return text;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isMapOf(value: unknown, isMember: (member: unknown) => boolean): value is JsonObject {
  return isObject(value) && Object.values(value).every(isMember);
}
