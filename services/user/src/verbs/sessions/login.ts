import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { LoginRequest, LoginResponseSchema } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { clientAddress, clientOf, raiseDeferred, raiseDeferredOf } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { PASSWORD_STAGE } from '../../core/model/proof-stages.ts';
import { passLogin } from '../../core/sessions/pass-login.ts';
import { startSession } from '../../core/sessions/start-session.ts';

/** Logs a device in with a password (client-plane.md 7.2). */
export async function login(
  deps: Deps,
  request: LoginRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof LoginResponseSchema>> {
  raiseDeferredOf(context, 'type');
  if (request.type !== PASSWORD_STAGE || !deps.settings.passwordLogin)
    throw refuse.unknown('Unknown login type');
  raiseDeferred(context);
  const account = await passLogin(deps, request, request.password, clientAddress(context), 'client');
  deps.limits.loginAccount.take(account._id.toLowerCase());

  const session = await startSession(deps, account, {
    deviceId: request.deviceId,
    displayName: request.initialDeviceDisplayName,
    refreshes: request.refreshToken,
    client: clientOf(context.requestHeader),
  });
  deps.counts.add('sign_ins');
  return { userId: account._id, homeServer: deps.serverName, ...session };
}
