import type { Deps } from '../../core/deps.ts';
import type { StageFailure } from '../../core/interactive-auth/authenticate-stage.ts';
import { rememberedBody } from '../../core/interactive-auth/interactive-session.ts';
import type { InteractiveSession } from '../../core/model/interactive-session.ts';
import { holdUse, type TokenUse } from '../../core/registration-tokens/hold-use.ts';
import { registeredAccount } from './create-once.ts';
import type { RegistrationDraft } from './decide-session.ts';

/** The stage that requires a registration token. */
export const TOKEN_STAGE = 'm.login.registration_token';

/** The minimum time that a use is held, in milliseconds: longer than the creation of an account takes. */
const MIN_HOLD_MS = 600_000;

/**
 * Holds a use of a registration token (client-plane.md 2.4). A session holds it until the session expires, so
 * that its later requests find it; a session that has registered its account needs no further use.
 */
export async function passRegistrationToken(
  deps: Deps,
  use: TokenUse,
  session: InteractiveSession | undefined,
): Promise<StageFailure | undefined> {
  const isFinished = async () => session !== undefined && hasRegistered(deps, session);
  if (await isFinished()) return undefined;
  const until = Math.max(session?.expires_ts ?? 0, deps.clock.now() + MIN_HOLD_MS);
  if (await holdUse(deps, use, until)) return undefined;
  // A concurrent request of the same session may have taken the last use.
  if (await isFinished()) return undefined;
  return { errcode: 'M_UNAUTHORIZED', message: 'The registration token is not valid' };
}

async function hasRegistered(deps: Deps, { _id }: InteractiveSession): Promise<boolean> {
  const session = await deps.interactiveSessions.findOne({ _id });
  if (!session || session.chosen === null) return false;
  const draft = rememberedBody<RegistrationDraft>(session);
  return (await registeredAccount(deps, session.chosen, draft.password_hash)) !== undefined;
}
