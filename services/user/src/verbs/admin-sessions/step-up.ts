import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall, reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import { AdminSessionSteppedUpSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type {
  StepUpRequest,
  StepUpResponseSchema,
} from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { renderSession } from '../../core/admin-sessions/render-session.ts';
import type { Deps } from '../../core/deps.ts';
import { widerLimit } from '../../core/roles/limited-rights.ts';
import { hasPassword, proofStagesOf } from '../../core/second-factor/proof-stages.ts';
import { requireSecondFactor } from '../../core/second-factor/require-second-factor.ts';
import { sessionEnded } from '../../core/sessions/active-session.ts';
import { proofFailureKey, requirePassword } from '../../core/sessions/require-password.ts';
import { ownSession } from './own-session.ts';

/**
 * Records that the user of the session has just proved who they are, by the password and the second factor, as far as the
 * account has them. Wrong passwords are limited, see `requirePassword`.
 *
 * @throws refuse.forbidden when a proof is wrong, or the account has no means of proof; stepUpRequired without a code of the
 * second factor; limitExceeded
 */
export async function stepUp(
  deps: Deps,
  request: StepUpRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof StepUpResponseSchema>> {
  const session = await ownSession(deps, context);
  const account = await accountAggregate.load(deps, session.user_id);
  if (!account) throw sessionEnded();
  if (proofStagesOf(deps, account).length === 0)
    throw refuse.forbidden('Your account has no password: use an access token');
  // Refused attempts are recorded, and those beyond the limit would be too many.
  deps.limits.loginFailed.check(proofFailureKey(account));
  await recordCall(context);
  if (hasPassword(deps, account)) {
    if (request.password === undefined) throw refuse.missingParam("'password' is missing");
    await requirePassword(deps, account, request.password);
  }
  const factor = await requireSecondFactor(deps, account, request);
  const { rights_limit: limit = null } = session;
  const proofs = [
    ...(hasPassword(deps, account) ? [account.password_limit] : []),
    ...(factor === null ? [] : [account.second_factor?.rights_limit]),
  ];
  const proved = await deps.adminSessions.findOneAndUpdate(
    { _id: session._id },
    {
      $set: {
        ...{ proved_ts: deps.clock.now(), proved_factor: factor },
        // The session could have begun with these proofs.
        ...(limit ? { rights_limit: proofs.reduce(widerLimit, limit) } : {}),
      },
    },
    { returnDocument: 'after' },
  );
  if (!proved) throw sessionEnded();
  reportEvent(context, AdminSessionSteppedUpSchema, { userId: account._id });
  return { session: renderSession(deps, proved, session._id) };
}
