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
import type { AdminSession } from '../../core/model/admin-session.ts';
import type { LoginToken } from '../../core/model/login-token.ts';
import { widerLimit } from '../../core/roles/limited-rights.ts';
import { hasPassword, proofStagesOfSession } from '../../core/second-factor/proof-stages.ts';
import { limitOfProof, requireSecondFactor } from '../../core/second-factor/require-second-factor.ts';
import { sessionEnded } from '../../core/sessions/active-session.ts';
import { readConsoleToken, spendLoginToken } from '../../core/sessions/login-tokens.ts';
import { proofFailureKey, requirePassword } from '../../core/sessions/require-password.ts';
import { ownSession } from './own-session.ts';

/**
 * Records that the user of the session has just proved who they are, by the password and the second factor, as far as the
 * account has them, or by a passkey alone whose user the browser has verified. In a session of an identity provider, a sign-in there may take the place of the password. Wrong passwords are limited, see `requirePassword`.
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
  if (proofStagesOfSession(deps, account, session).length === 0)
    throw refuse.forbidden('Your account has no password: use an access token');
  const token = await tokenOf(deps, request, session);
  const alone = request.passkey !== undefined && request.password === undefined && token === undefined;
  const byPassword = token === undefined && !alone && hasPassword(deps, account);
  if (token === undefined && !alone && !byPassword && session.provider !== undefined)
    throw refuse.missingParam("'login_token' is missing");
  // Refused attempts are recorded, and those beyond the limit would be too many.
  deps.limits.loginFailed.check(proofFailureKey(account));
  await recordCall(context);
  if (byPassword) {
    if (request.password === undefined) throw refuse.missingParam("'password' is missing");
    await requirePassword(deps, account, request.password);
  }
  const factor = await requireSecondFactor(deps, account, request, { session: session._id, alone });
  if (token) await spendLoginToken(deps, token);
  const { rights_limit: limit = null } = session;
  const proofs = [
    ...(token ? [token.rights_limit] : []),
    ...(byPassword ? [account.password_limit] : []),
    ...(factor.proved_factor === null && !factor.proved_passkey ? [] : [limitOfProof(account, request)]),
  ];
  const proved = await deps.adminSessions.findOneAndUpdate(
    { _id: session._id },
    {
      $set: {
        ...{ proved_ts: deps.clock.now(), proved_passkey: null, ...factor },
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

/**
 * The login token of a step-up, by which the provider says that the user of the session has just proved their identity again.
 *
 * @throws refuse.forbidden, and as `readConsoleToken`
 */
async function tokenOf(
  deps: Deps,
  { loginToken, cookie }: StepUpRequest,
  session: AdminSession,
): Promise<LoginToken | undefined> {
  if (loginToken === undefined) return undefined;
  const { token, account } = await readConsoleToken(deps, loginToken, cookie);
  const isOwn = account._id === session.user_id && token.provided.provider === session.provider;
  if (!isOwn || !token.console?.step_up)
    throw refuse.forbidden(
      'Another user has signed in with the identity provider, or has not signed in again',
    );
  return token;
}
