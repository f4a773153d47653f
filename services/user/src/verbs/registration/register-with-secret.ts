import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import type {
  RegisterWithSecretRequest,
  RegisterWithSecretResponseSchema,
} from '@steward/proto/steward/user/v1/registration_pb.ts';
import { clientAddress, clientOf, headers, raiseDeferred, raiseDeferredOf } from '@steward/rpc';
import { requireKnownUserType } from '../../core/accounts/user-type.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';
import { profileText } from '../../core/model/profile.ts';
import { startSession } from '../../core/sessions/start-session.ts';
import { macMatches, registrationMac } from './mac.ts';
import { spendNonce } from './nonce.ts';
import { registerAccount } from './register-account.ts';
import { requireSecret } from './require-secret.ts';

/**
 * Creates an account for a client that knows the shared secret (behaviour.md 1.2). A valid nonce is spent even
 * when the request is refused afterwards. Where the server stores no passwords, the account has none, and only the session
 * of the response gives access to it.
 */
export async function registerWithSecret(
  deps: Deps,
  request: RegisterWithSecretRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof RegisterWithSecretResponseSchema>> {
  const secret = requireSecret(deps);
  raiseDeferredOf(context, 'nonce');
  if (!(await spendNonce(deps, request.nonce))) throw refuse.unknown('Unknown or expired nonce');
  raiseDeferredOf(context, 'username', 'password', 'user_type');
  requireKnownUserType(deps, request.userType);
  raiseDeferredOf(context, 'mac');
  if (!macMatches(registrationMac(secret, request), request.mac ?? '')) {
    throw refuse.refusedProof('The MAC is wrong');
  }
  await recordCall(context);
  raiseDeferred(context);

  const account = await registerAccount(
    deps,
    {
      username: request.username,
      displayname: profileText(request.displayname ?? request.username.toLowerCase()),
      password_hash: deps.settings.passwordsStored
        ? await deps.passwords.hash(request.password, clientAddress(context))
        : null,
      admin: request.admin,
      user_type: request.userType,
    },
    causedBy(undefined, context.requestHeader.get(headers.traceparent)),
  );
  const registered = { userId: account._id, homeServer: deps.serverName };
  if (request.inhibitLogin) return registered;
  const session = await startSession(deps, account, {
    deviceId: request.deviceId,
    displayName: request.initialDeviceDisplayName,
    refreshes: request.refreshToken,
    client: clientOf(context.requestHeader),
  });
  return { ...registered, ...session };
}
