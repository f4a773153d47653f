import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';
import { rememberedBody } from '../../core/interactive-auth/interactive-session.ts';
import type { InteractiveSession } from '../../core/model/interactive-session.ts';

/** The fields of a registration request that are needed to complete it; the password is hashed. */
export interface RegistrationDraft {
  readonly username: string | null;
  readonly password_hash: string | null;
  readonly device_id: string | null;
  readonly initial_device_display_name: string | null;
  readonly inhibit_login: boolean;
  readonly refresh_token: boolean;
}

/**
 * Fixes what a session registers, before the account is created: the first request that completes the session
 * decides on user id and draft, and repeated or concurrent requests continue with those.
 */
export async function decideSession(
  deps: Deps,
  session: InteractiveSession,
  chosen: string,
  draft: RegistrationDraft,
): Promise<{ readonly chosen: string; readonly draft: RegistrationDraft }> {
  const undecided = { _id: session._id, chosen: null };
  await deps.interactiveSessions.updateOne(undecided, { $set: { chosen, body: JSON.stringify(draft) } });
  const decided = await deps.interactiveSessions.findOne({ _id: session._id });
  if (!decided) throw refuse.unknown('Unknown session');
  return { chosen: decided.chosen ?? chosen, draft: rememberedBody<RegistrationDraft>(decided) };
}
