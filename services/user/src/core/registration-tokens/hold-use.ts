import type { Deps } from '../deps.ts';
import { isPast, isUsable, liveUses } from '../model/registration-token.ts';
import { changeRegistrationToken } from './change-registration-token.ts';

/** The maximum of held uses of one token: its document holds all of them. */
const MAX_HELD = 1_000;

/** A use of a token that a registration holds. */
export interface TokenUse {
  readonly token: string;
  readonly holder: string;
}

/**
 * Holds a use of a token until `until`, in milliseconds since the Unix epoch; no other registration gets it before
 * then. A use that the holder already has is held longer.
 *
 * @returns whether the token exists and had a use left
 */
export async function holdUse(deps: Deps, { token, holder }: TokenUse, until: number): Promise<boolean> {
  let holds = false;
  await changeRegistrationToken(deps, token, (current) => {
    const now = deps.clock.now();
    const live = liveUses(current, now);
    const own = live.find((use) => use.holder === holder);
    holds = own ? !isPast(current, now) : isUsable(current, now) && live.length < MAX_HELD;
    if (!holds || (own && own.until >= until)) return undefined;
    return { held: [...live.filter((use) => use !== own), { holder, until }] };
  });
  return holds;
}

/** Releases a held use whose registration failed; harmless when it is no longer held. */
export async function releaseUse(deps: Deps, { token, holder }: TokenUse): Promise<void> {
  await changeRegistrationToken(deps, token, ({ held }) =>
    held.some((use) => use.holder === holder)
      ? { held: held.filter((use) => use.holder !== holder) }
      : undefined,
  );
}

/** Counts a held use as a completed registration. Idempotent. */
export async function completeUse(deps: Deps, { token, holder }: TokenUse): Promise<void> {
  await changeRegistrationToken(deps, token, ({ held, completed }) =>
    held.some((use) => use.holder === holder)
      ? { held: held.filter((use) => use.holder !== holder), completed: completed + 1 }
      : undefined,
  );
}
