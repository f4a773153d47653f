import type { Deps } from '../../core/deps.ts';

/** The validity that the server claims for its keys, in milliseconds: a day. */
const KEYS_HOLD_MS = 24 * 60 * 60 * 1000;

/** Returns the server's name, in the form that existing tools request (existing-tools.md). */
export function getServerKeys({ serverName, clock }: Deps) {
  return { serverName, validUntilTs: BigInt(clock.now() + KEYS_HOLD_MS) };
}
