import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { canonicalJson, type JsonObject } from '@steward/kernel';
import type { StoredEvent } from './event.ts';
import { redactedText, unpaddedBase64 } from './hash.ts';
import type { RoomVersion } from './room-versions.ts';

/** The key with which a server signs its events. */
export interface SigningKey {
  /** `ed25519:` and the name of the key. */
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** The bytes before the seed of an ed25519 key in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The signing key of a seed of 32 bytes; throws for a seed of another length. */
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
 * The `signatures` of an event, which must have its hashes. They sign the redacted form, so that they stay valid when
 * the event is redacted (client-plane.md 4.1).
 *
 * @param text its `redactedText`, if the caller has computed it
 * @throws NotCanonical of `@steward/kernel`
 */
export function signEvent(
  event: StoredEvent,
  version: RoomVersion,
  serverName: string,
  key: SigningKey,
  text = redactedText(event, version),
): NonNullable<StoredEvent['signatures']> {
  return { [serverName]: { [key.keyId]: signText(text, key) } };
}
