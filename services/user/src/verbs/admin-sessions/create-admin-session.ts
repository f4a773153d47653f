import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import { isMarkedSecret } from '@steward/kernel';
import type {
  CreateAdminSessionRequest,
  CreateAdminSessionResponseSchema,
} from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import {
  type Client,
  clientAddress,
  clientOf,
  hasScopes,
  headers,
  noAdministrator,
  requesterKey,
  SESSION_SECRET_PREFIX,
  setSessionCookie,
} from '@steward/rpc';
import { renderSession } from '../../core/admin-sessions/render-session.ts';
import { startAdminSession } from '../../core/admin-sessions/start-admin-session.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import { rightsOf, roleNamesOf, scopesIn } from '../../core/roles/account-rights.ts';
import { namesOf } from '../../core/roles/read-scopes.ts';
import { requireSecondFactor } from '../../core/second-factor/require-second-factor.ts';
import { authenticate } from '../../core/sessions/authenticate.ts';
import { passLogin } from '../../core/sessions/pass-login.ts';
import { requesterOf } from '../../core/sessions/requester-of.ts';

const MS_PER_S = 1_000;

/** A call without a gateway. */
const NO_CLIENT: Client = { address: '', userAgent: '' };

/**
 * Starts an administrator session with a password and, if the account has one, a second factor, or with an access token of a
 * device, which carries no rights where there is a second factor. Its secret is in a header of the answer
 * only, of which the gateway makes the cookie.
 *
 * @throws the refusals of a login or of the token, and refuse.forbidden for an account without a scope
 */
export async function createAdminSession(
  deps: Deps,
  request: CreateAdminSessionRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof CreateAdminSessionResponseSchema>> {
  const client = clientOf(context.requestHeader);
  const token = accessTokenOf(context);
  const account =
    token === undefined
      ? await accountOfPassword(deps, request, clientAddress(context))
      : await accountOfToken(deps, request, token, client);
  const rights = await rightsOf(deps, account);
  if (!hasScopes(rights)) throw noAdministrator({});
  if (token === undefined) await requireSecondFactor(deps, account, request);
  deps.limits.loginAccount.take(account._id.toLowerCase());
  const caller = { ...requesterOf(account, account), ...rights, deviceId: undefined, tokenId: '' };
  context.values.set(requesterKey, { ...caller, kind: 'session' });
  await recordCall(context);

  const provedTs = token === undefined ? deps.clock.now() : null;
  const { session, secret } = await startAdminSession(deps, account, client ?? NO_CLIENT, provedTs);
  const maxAgeS = Math.floor(deps.settings.adminLifetimeMs / MS_PER_S);
  setSessionCookie(context.responseHeader, { secret, maxAgeS });
  return {
    session: renderSession(deps, session, session._id),
    userId: account._id,
    roles: await roleNamesOf(deps, account),
    scopes: namesOf(scopesIn(rights)),
  };
}

/** The access token of the request. The secret of an earlier session, which the gateway passes on alike, is none. */
function accessTokenOf({ requestHeader }: HandlerContext): string | undefined {
  const encoded = requestHeader.get(headers.accessToken);
  const token = encoded === null ? undefined : decodeURIComponent(encoded);
  return token !== undefined && isMarkedSecret(SESSION_SECRET_PREFIX, token) ? undefined : token;
}

async function accountOfPassword(
  deps: Deps,
  { user, identifier, password }: CreateAdminSessionRequest,
  address: string,
): Promise<Account> {
  if (!deps.settings.passwordLogin)
    throw refuse.unknown('Users have no passwords on this server: send an access token');
  if (password === undefined) throw refuse.missingParam("'password' is missing");
  return passLogin(deps, { user, identifier }, password, address);
}

async function accountOfToken(
  deps: Deps,
  { user, identifier, password }: CreateAdminSessionRequest,
  token: string,
  client: Client | undefined,
): Promise<Account> {
  if (user !== undefined || identifier !== undefined || password !== undefined)
    throw refuse.invalidParam('Send either an access token, or a user and a password');
  const options = { allowLocked: false, allowExpired: false };
  const caller = await authenticate(deps, token, options, client);
  const { userId, owner, kind, deviceId } = caller;
  if (kind !== undefined || deviceId === undefined || userId !== owner)
    throw refuse.forbidden('This requires the access token of a device');
  if (!hasScopes(caller)) throw noAdministrator(caller);
  const account = await deps.accounts.findOne({ _id: userId });
  if (!account) throw refuse.unknownToken('Unknown access token');
  return account;
}
