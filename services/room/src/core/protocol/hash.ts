import { hash } from 'node:crypto';
import { canonicalJson } from '@steward/kernel';
import type { StoredEvent } from './event.ts';
import { redact } from './redact.ts';
import type { RoomVersion } from './room-versions.ts';

/** Encodes as standard base64 without padding, the form of hashes and signatures in events. */
export function unpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/**
 * The content hash of an event, in unpadded base64 (client-plane.md 4.1).
 *
 * @throws NotCanonical of `@steward/kernel`
 */
export function contentHash(event: Omit<StoredEvent, 'hashes'>): string {
  const { unsigned: _, signatures: __, hashes: ___, ...hashed } = event as StoredEvent;
  return unpaddedBase64(sha256(canonicalJson(hashed)));
}

/**
 * The canonical JSON of the redacted event without its signatures: the input of its signature and its reference hash.
 *
 * @throws NotCanonical of `@steward/kernel`
 */
export function redactedText(event: StoredEvent, version: RoomVersion): string {
  const { signatures: _, ...withoutSignatures } = redact(event, version);
  return canonicalJson(withoutSignatures);
}

/**
 * The hash by which other events refer to an event; the same for the redacted event, because it covers the content only
 * through `hashes`.
 *
 * @param text its `redactedText`, if the caller has computed it
 * @throws NotCanonical of `@steward/kernel`
 */
export function referenceHash(
  event: StoredEvent,
  version: RoomVersion,
  text = redactedText(event, version),
): Buffer {
  return sha256(text);
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
