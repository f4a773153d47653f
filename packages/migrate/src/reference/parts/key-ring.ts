import { hash } from 'node:crypto';
import { canonicalJson } from '@steward/kernel';

/** Names the one-time keys and the messages of a device: the same in each run. */
export function keyRing(userId: string, deviceId: string): string {
  return hash('sha256', JSON.stringify([userId, deviceId]), 'base64url');
}

/** @throws Error when a value has no canonical form */
export function canonicalText(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    throw new Error('the key has no canonical JSON');
  }
}
