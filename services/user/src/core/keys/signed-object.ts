import { createPublicKey, verify } from 'node:crypto';
import { canonicalJson, isObject, type JsonObject, NotCanonical, own } from '@steward/kernel';

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The object in a JSON text; `undefined` for any other value. */
export function parseObject(text: string): JsonObject | undefined {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : undefined;
}

/** An object without some of its keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/**
 * The content of an object that signatures cover; it does not depend on existing signatures.
 *
 * @throws NotCanonical
 */
export function signedContent(object: JsonObject): string {
  return canonicalJson(without(object, 'signatures', 'unsigned'));
}

/** The signatures of a user over an object, by key id. */
export function signaturesOf(object: JsonObject, userId: string): JsonObject {
  const signatures = own(object.signatures, userId);
  return isObject(signatures) ? signatures : {};
}

/** An object with further signatures of a user, given as the JSON text of an object. */
export function withSignatures(object: JsonObject, userId: string, further: string | undefined): JsonObject {
  const added = (further === undefined ? undefined : parseObject(further)) ?? {};
  if (Object.keys(added).length === 0) return object;
  const signatures = { ...signaturesOf(object, userId), ...added };
  return {
    ...object,
    signatures: { ...(object.signatures as JsonObject | undefined), [userId]: signatures },
  };
}

/** Whether a signature over an object was made with an Ed25519 key; both in unpadded base64. */
export function isSignedWith(object: JsonObject, signature: unknown, publicKey: string): boolean {
  if (typeof signature !== 'string') return false;
  const raw = Buffer.from(publicKey, 'base64');
  const made = Buffer.from(signature, 'base64');
  if (raw.length !== PUBLIC_KEY_BYTES || made.length !== SIGNATURE_BYTES) return false;
  try {
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
      format: 'jwk',
    });
    return verify(null, Buffer.from(signedContent(object)), key, made);
  } catch (error) {
    if (error instanceof NotCanonical) return false;
    throw error;
  }
}
