import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { canonicalJson, type JsonObject } from '@steward/kernel';
import type { StoredEvent } from './event.ts';
import { lastingText, unpaddedBase64 } from './hash.ts';
import type { RoomVersion } from './room-versions.ts';

/** The key with which a server signs what it sends. */
export interface SigningKey {
  /** `ed25519:` and a name of that key. */
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** What precedes the seed of an ed25519 key in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The signing key of that seed of 32 bytes; throws for one of another length. */
export function signingKeyFromSeed(keyId: string, seed: Buffer): SigningKey {
  const key = Buffer.concat([PKCS8_PREFIX, seed]);
  return { keyId, privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
}

/**
 * The signature of an object in unpadded base64; its `signatures` and `unsigned` are not covered.
 *
 * @throws NotCanonical of `@steward/kernel`
 */
export function signJson(value: JsonObject, key: SigningKey): string {
  const { signatures: _, unsigned: __, ...signed } = value;
  return signText(canonicalJson(signed), key);
}

function signText(text: string, key: SigningKey): string {
  return unpaddedBase64(sign(null, Buffer.from(text), key.privateKey));
}

/**
 * The `signatures` of an event that holds its hashes already: of its redacted form, so that they hold when
 * it is redacted (client-plane.md 4.1).
 *
 * @param text its `lastingText`, if that is known
 * @throws NotCanonical of `@steward/kernel`
 */
export function signEvent(
  event: StoredEvent,
  version: RoomVersion,
  serverName: string,
  key: SigningKey,
  text = lastingText(event, version),
): NonNullable<StoredEvent['signatures']> {
  return { [serverName]: { [key.keyId]: signText(text, key) } };
}
