import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { LoginRequest, LoginResponseSchema } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { clientAddress, clientOf, raiseDeferred, raiseDeferredOf, requesterKey } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { PASSWORD_STAGE } from '../../core/model/proof-stages.ts';
import { applyProvidedGroups } from '../../core/provided-roles/apply-provided-groups.ts';
import { applyProvidedRoles } from '../../core/provided-roles/apply-provided-roles.ts';
import { readLoginToken, startSessionWith } from '../../core/sessions/login-tokens.ts';
import { passLogin } from '../../core/sessions/pass-login.ts';
import { requesterOf } from '../../core/sessions/requester-of.ts';
import { type LoginDevice, type StartedSession, startSession } from '../../core/sessions/start-session.ts';

/** The type of a login with a token that a sign-in elsewhere has made. */
export const TOKEN_LOGIN = 'm.login.token';

/** Logs a device in with a password, or with a login token (client-plane.md 7.2). */
export async function login(
  deps: Deps,
  request: LoginRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof LoginResponseSchema>> {
  raiseDeferredOf(context, 'type');
  const start = starterOf(deps, request.type);
  raiseDeferred(context);
  const device = {
    deviceId: request.deviceId,
    displayName: request.initialDeviceDisplayName,
    refreshes: request.refreshToken,
    client: clientOf(context.requestHeader),
  };
  const { account, session } = await start(deps, request, context, device);
  deps.counts.add('sign_ins');
  return { userId: account._id, homeServer: deps.serverName, ...session };
}

/** The audit log names the user as the one who acts; the session has not begun. */
const NO_TOKEN = { deviceId: undefined, tokenId: '' } as const;

type Device = Omit<LoginDevice, 'credential'>;

/** Starts a session for a request whose credential is right. */
type Starter = (
  deps: Deps,
  request: LoginRequest,
  context: HandlerContext,
  device: Device,
) => Promise<{ readonly account: Account; readonly session: StartedSession }>;

/** @throws refuse.unknown for a type that the server does not offer */
function starterOf({ settings, identityProviders }: Deps, type: string): Starter {
  if (type === PASSWORD_STAGE && settings.passwordLogin) return withPassword;
  if (type === TOKEN_LOGIN && identityProviders.all.length > 0 && !settings.tokensDelegated) return withToken;
  throw refuse.unknown('Unknown login type');
}

const withPassword: Starter = async (deps, request, context, device) => {
  const { password, present } = request;
  // Callers over gRPC name no keys.
  if (password === '' && !present?.paths.includes('password'))
    throw refuse.invalidParam("'password' is missing");
  const account = await passLogin(deps, request, password, clientAddress(context), 'client');
  deps.limits.loginAccount.take(account._id.toLowerCase());
  return { account, session: await startSession(deps, account, device) };
};

const withToken: Starter = async (deps, { token: text }, context, device) => {
  if (text === undefined) throw refuse.invalidParam("'token' is missing");
  const address = clientAddress(context);
  // Counts as a guess. The sign-in that made a valid token has counted, so that the token gives it back.
  deps.limits.loginAddress.take(address);
  const valid = await readLoginToken(deps, text, undefined).catch((error: unknown) => {
    deps.counts.add('failed_sign_ins');
    throw error;
  });
  deps.limits.loginAddress.giveBack(address);
  deps.limits.loginAccount.take(valid.account._id.toLowerCase());
  const { token } = valid;
  context.values.set(requesterKey, {
    ...requesterOf(valid.account, valid.account),
    admin: false,
    ...NO_TOKEN,
  });
  const withRoles = await applyProvidedRoles(deps, valid.account, token, context);
  const account = await applyProvidedGroups(deps, withRoles, token, context);
  return { account, session: await startSessionWith(deps, text, { token, account }, device) };
};
