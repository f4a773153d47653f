import type { Deps } from '../../core/deps.ts';

/** How long the description of the server's keys is said to hold, in milliseconds: a day. */
const KEYS_HOLD_MS = 24 * 60 * 60 * 1000;

/** The server's name, as existing tools ask for it (existing-tools.md). */
export function getServerKeys({ serverName, clock }: Deps) {
  return { serverName, validUntilTs: BigInt(clock.now() + KEYS_HOLD_MS) };
}
