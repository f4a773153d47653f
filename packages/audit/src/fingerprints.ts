import { createHash, createHmac } from 'node:crypto';
import type { Random } from '@steward/kernel';
import { declareServerKeys, type Store, sharedKey } from '@steward/store';

/** Identifies a secret that is a target, such as a registration token, without revealing it. */
export type Fingerprint = (secret: string) => string;

/** How much of a digest identifies a secret, in hexadecimal characters. */
const LENGTH = 12;

/** All processes on one store share the key. No entry contains it, so that short secrets cannot be guessed from an exported log. */
const serverKeys = declareServerKeys('audit');

/** Opens the fingerprints of a server, which are keyed. */
export async function openFingerprints(store: Store, random: Random): Promise<Fingerprint> {
  const key = await sharedKey(await store.collection(serverKeys), 'fingerprints', random);
  return (secret) => `hmac:${createHmac('sha256', key).update(secret).digest('hex').slice(0, LENGTH)}`;
}

/** The fingerprint that earlier releases recorded; by it only their entries are found. */
export function unkeyedFingerprint(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, LENGTH)}`;
}
