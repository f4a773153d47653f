import { hash } from 'node:crypto';
import { canonicalJson } from '@steward/kernel';
import type { StoredEvent } from './event.ts';
import { redact } from './redact.ts';
import type { RoomVersion } from './room-versions.ts';

/** Standard base64 without padding, the form of hashes and signatures within events. */
export function unpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/**
 * The hash over all of an event that its sender vouches for, in unpadded base64 (client-plane.md 4.1).
 *
 * @throws NotCanonical of `@steward/kernel`
 */
export function contentHash(event: Omit<StoredEvent, 'hashes'>): string {
  const { unsigned: _, signatures: __, hashes: ___, ...hashed } = event as StoredEvent;
  return unpaddedBase64(sha256(canonicalJson(hashed)));
}

/**
 * The canonical text of what stays of an event when it is redacted, without its signatures: what is signed, and what
 * other events refer to.
 *
 * @throws NotCanonical of `@steward/kernel`
 */
export function lastingText(event: StoredEvent, version: RoomVersion): string {
  const { signatures: _, ...lasting } = redact(event, version);
  return canonicalJson(lasting);
}

/**
 * The hash by which other events refer to an event, redacted or not. It covers the content through
 * `hashes` alone.
 *
 * @param text its `lastingText`, if that is known
 * @throws NotCanonical of `@steward/kernel`
 */
export function referenceHash(
  event: StoredEvent,
  version: RoomVersion,
  text = lastingText(event, version),
): Buffer {
  return sha256(text);
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
