import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordChange } from '@steward/audit';
import { refuse } from '@steward/errors';
import type {
  StepUpRequest,
  StepUpResponseSchema,
} from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { hasPassword } from '../../core/admin-sessions/proof-stages.ts';
import { renderSession } from '../../core/admin-sessions/render-session.ts';
import type { Deps } from '../../core/deps.ts';
import { sessionEnded } from '../../core/sessions/active-session.ts';
import { tryPassword } from '../../core/sessions/try-password.ts';
import { ownSession } from './own-session.ts';

/**
 * Records that the user of the session has just proved who they are. Wrong passwords count as failed logins.
 *
 * @throws refuse.forbidden when the password is wrong, or the account has none; limitExceeded
 */
export async function stepUp(
  deps: Deps,
  { password }: StepUpRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof StepUpResponseSchema>> {
  const session = await ownSession(deps, context);
  const account = await accountAggregate.load(deps, session.user_id);
  if (!account) throw sessionEnded();
  if (!hasPassword(deps, account))
    throw refuse.forbidden('Your account has no password: use an access token');
  if (password === undefined) throw refuse.missingParam("'password' is missing");
  const key = account._id.toLowerCase();
  deps.limits.loginFailed.check(key);
  await recordChange(context);
  const matches = await tryPassword(deps, key, () =>
    deps.passwords.verify(account.password_hash, password, account._id),
  );
  if (!matches) throw refuse.forbidden('Invalid password');
  const proved = await deps.adminSessions.findOneAndUpdate(
    { _id: session._id },
    { $max: { proved_ts: deps.clock.now() } },
    { returnDocument: 'after' },
  );
  if (!proved) throw sessionEnded();
  return { session: renderSession(deps, proved, session._id) };
}
