import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { LoginRequest, LoginResponseSchema } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { clientAddress, raiseDeferred, raiseDeferredOf } from '@steward/rpc';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { requireApproval } from '../../core/accounts/approval.ts';
import { requireMonthlyCapacity } from '../../core/accounts/monthly-limit.ts';
import type { Deps } from '../../core/deps.ts';
import { failureKey, holderOfName, loginName } from '../../core/sessions/login-name.ts';
import { startSession } from '../../core/sessions/start-session.ts';
import { tryPassword } from '../../core/sessions/try-password.ts';
import { PASSWORD_LOGIN } from './get-login-flows.ts';

/**
 * Logs in with a password (client-plane.md 7.2). The response to a wrong name or password is always the same and
 * takes the same time, so that it does not reveal which accounts exist.
 */
export async function login(
  deps: Deps,
  request: LoginRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof LoginResponseSchema>> {
  raiseDeferredOf(context, 'type');
  if (request.type !== PASSWORD_LOGIN || !deps.settings.passwordLogin)
    throw refuse.unknown('Unknown login type');
  raiseDeferred(context);
  const address = clientAddress(context);
  deps.limits.loginAddress.take(address);
  const name = loginName(deps, request);
  const userId = await holderOfName(deps, name);
  const account = userId === undefined ? undefined : await accountAggregate.load(deps, userId);
  const hash = account?.password_hash ?? null;
  const matches = await tryPassword(deps, failureKey(name), () =>
    deps.passwords.verifyLogin(hash, request.password, address),
  );
  if (!account || !matches || account.deactivated) throw refuse.forbidden('Invalid user name or password');
  if (account.locked) throw refuse.userLocked('This account is locked');
  requireApproval(deps, account);
  await requireMonthlyCapacity(deps, account);
  deps.limits.loginAccount.take(account._id.toLowerCase());

  const session = await startSession(deps, account, {
    deviceId: request.deviceId,
    displayName: request.initialDeviceDisplayName,
    refreshes: request.refreshToken,
  });
  return { userId: account._id, homeServer: deps.serverName, ...session };
}
