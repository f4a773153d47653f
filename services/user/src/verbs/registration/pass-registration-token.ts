import type { Deps } from '../../core/deps.ts';
import type { StageFailure } from '../../core/interactive-auth/authenticate-stage.ts';
import { rememberedBody } from '../../core/interactive-auth/interactive-session.ts';
import type { InteractiveSession } from '../../core/model/interactive-session.ts';
import { holdUse, type TokenUse } from '../../core/registration-tokens/hold-use.ts';
import { registeredAccount } from './create-once.ts';
import type { RegistrationDraft } from './decide-session.ts';

/** The stage that asks for a registration token. */
export const TOKEN_STAGE = 'm.login.registration_token';

/** How long a use is held at least, in milliseconds: longer than an account takes to be created. */
const LEAST_HOLD_MS = 600_000;

/**
 * Holds a use of a registration token (client-plane.md 2.4): with a session until that expires, so that
 * its other requests find it. A session that has registered its account needs no further one.
 */
export async function passRegistrationToken(
  deps: Deps,
  use: TokenUse,
  session: InteractiveSession | undefined,
): Promise<StageFailure | undefined> {
  const isFinished = async () => session !== undefined && hasRegistered(deps, session);
  if (await isFinished()) return undefined;
  const until = Math.max(session?.expires_ts ?? 0, deps.clock.now() + LEAST_HOLD_MS);
  if (await holdUse(deps, use, until)) return undefined;
  // The last use may have gone to another request of the same session.
  if (await isFinished()) return undefined;
  return { errcode: 'M_UNAUTHORIZED', message: 'The registration token admits nobody' };
}

async function hasRegistered(deps: Deps, { _id }: InteractiveSession): Promise<boolean> {
  const session = await deps.interactiveSessions.findOne({ _id });
  if (!session || session.chosen === null) return false;
  const draft = rememberedBody<RegistrationDraft>(session);
  return (await registeredAccount(deps, session.chosen, draft.password_hash)) !== undefined;
}
