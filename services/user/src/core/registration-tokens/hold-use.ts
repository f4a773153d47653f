import type { Deps } from '../deps.ts';
import { isPast, isUsable, liveUses } from '../model/registration-token.ts';
import { changeRegistrationToken } from './change-registration-token.ts';

/** How many uses of one token are held at most: all stand in its document. */
const MAX_HELD = 1_000;

/** A use of a token that a registration holds. */
export interface TokenUse {
  readonly token: string;
  readonly holder: string;
}

/**
 * Holds a use of a token, which no other registration can have until then; one that the holder has already is held
 * longer. `until` is in milliseconds since the Unix epoch.
 *
 * @returns whether there is such a token, and a use of it was left
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

/** Gives back a use that came to nothing; harmless when it is not held any more. */
export async function releaseUse(deps: Deps, { token, holder }: TokenUse): Promise<void> {
  await changeRegistrationToken(deps, token, ({ held }) =>
    held.some((use) => use.holder === holder)
      ? { held: held.filter((use) => use.holder !== holder) }
      : undefined,
  );
}

/** Turns a use that is held into a registration that was made. Done twice it counts once. */
export async function completeUse(deps: Deps, { token, holder }: TokenUse): Promise<void> {
  await changeRegistrationToken(deps, token, ({ held, completed }) =>
    held.some((use) => use.holder === holder)
      ? { held: held.filter((use) => use.holder !== holder), completed: completed + 1 }
      : undefined,
  );
}
