import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse, toRefusal } from '@steward/errors';
import type {
  CreateAdminSessionRequest,
  CreateAdminSessionResponseSchema,
} from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import type { PasskeyAssertion } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import {
  type Client,
  clientAddress,
  clientOf,
  hasScopes,
  noAdministrator,
  type Requester,
  requester,
  requesterKey,
  setSessionCookie,
} from '@steward/rpc';
import { renderSession } from '../../core/admin-sessions/render-session.ts';
import { startAdminSession } from '../../core/admin-sessions/start-admin-session.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
import type { AdminSession } from '../../core/model/admin-session.ts';
import { LOGIN_TOKEN_LIFE_MS } from '../../core/model/login-token.ts';
import { type ProviderSession, sessionOf } from '../../core/model/provider-session.ts';
import type { RightsLimit } from '../../core/model/rights-limit.ts';
import type { FactorProof } from '../../core/model/second-factor.ts';
import { holderOfPasskey } from '../../core/passkeys/use-passkey.ts';
import { applyProvidedGroups } from '../../core/provided-roles/apply-provided-groups.ts';
import { applyProvidedRoles } from '../../core/provided-roles/apply-provided-roles.ts';
import { rightsOf, roleNamesOf, scopesIn } from '../../core/roles/account-rights.ts';
import { carriedRights, widerLimit } from '../../core/roles/limited-rights.ts';
import { namesOf } from '../../core/roles/read-scopes.ts';
import { limitOfProof, requireSecondFactor } from '../../core/second-factor/require-second-factor.ts';
import { beginEnrolmentTime, mustEnrolNow } from '../../core/second-factor/requirement.ts';
import { hasProof } from '../../core/second-factor/try-proof.ts';
import { sessionEnded } from '../../core/sessions/active-session.ts';
import { limitOfCredential } from '../../core/sessions/limit-of-caller.ts';
import { readConsoleToken, spendLoginToken } from '../../core/sessions/login-tokens.ts';
import { passLogin } from '../../core/sessions/pass-login.ts';
import { requesterOf } from '../../core/sessions/requester-of.ts';
import { requireSignIn } from '../../core/sessions/require-sign-in.ts';
import { keyAt } from '../../core/sessions/try-login.ts';

const MS_PER_S = 1_000;
const FORBIDDEN = 403;

/** A call without a gateway. */
const NO_CLIENT: Client = { address: '', userAgent: '' };

/**
 * Starts an administrator session with a password or the login token of an identity provider and, if the account has one, a second
 * factor, or with an access token of a device, which carries no rights where there is a second factor. The secret is in a header of the answer only, of which the
 * gateway makes the cookie.
 *
 * @throws the refusals of a login, stepUpRequired without a code of the second factor, and refuse.forbidden for an account
 * without a scope
 */
export async function createAdminSession(
  deps: Deps,
  request: CreateAdminSessionRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof CreateAdminSessionResponseSchema>> {
  const { account, providedTs, ...proof } = await prove(deps, request, context);
  deps.limits.loginAccount.take(keyAt('console', account._id.toLowerCase()));
  await recordCall(context);

  const client = clientOf(context.requestHeader) ?? NO_CLIENT;
  const { session, secret } = await startAdminSession(deps, account, client, proof, providedTs);
  await beginEnrolmentTime(deps, account, session);
  deps.counts.add('sign_ins');
  const maxAgeS = Math.floor(deps.settings.adminLifetimeMs / MS_PER_S);
  setSessionCookie(context.responseHeader, { secret, maxAgeS });
  return {
    session: renderSession(deps, session, session._id),
    userId: account._id,
    roles: await roleNamesOf(deps, account),
    scopes: mustEnrolNow(deps, account, session) ? [] : namesOf(scopesIn(requester(context))),
  };
}

/** An account whose user has proved who they are, and how. */
interface Proved
  extends Pick<
    AdminSession,
    | 'proved_ts'
    | 'proved_factor'
    | 'proved_passkey'
    | 'rights_limit'
    | 'provider'
    | 'provider_factor'
    | keyof ProviderSession
  > {
  readonly account: Account;
  /** When the login token was made that proved it; absent for another proof. */
  readonly providedTs?: number;
}

async function prove(
  deps: Deps,
  request: CreateAdminSessionRequest,
  context: HandlerContext,
): Promise<Proved> {
  const caller = context.values.get(requesterKey);
  const { user, identifier, password, loginToken, passkey } = request;
  const isNamed = user !== undefined || identifier !== undefined || password !== undefined;
  if (isNamed && (caller || loginToken !== undefined))
    throw refuse.invalidParam('Send either an access token, a login token, or a user and a password');
  if (!caller) {
    if (loginToken !== undefined) return proveByProvider(deps, request, loginToken, context);
    return passkey && password === undefined
      ? proveByPasskey(deps, request, passkey, context)
      : proveByPassword(deps, request, context);
  }
  const account = await accountOfCaller(deps, caller);
  const limit = await limitOfCredential(deps, caller);
  return { account, proved_ts: null, proved_factor: null, rights_limit: limit };
}

/**
 * The account of a login token and, if it has one, a second factor. Its roles are those that the provider says, besides those that were
 * given by hand. The token is spent when nothing is missing.
 */
async function proveByProvider(
  deps: Deps,
  request: CreateAdminSessionRequest,
  loginToken: string,
  context: HandlerContext,
): Promise<Proved> {
  const address = clientAddress(context);
  // Counts as a guess, see `login`.
  deps.limits.loginAddress.take(keyAt('console', address));
  const { token, account: found } = await readConsoleToken(deps, loginToken, request.cookie);
  deps.limits.loginAddress.giveBack(keyAt('console', address));
  const become = (account: Account, carried: Pick<Requester, 'admin' | 'scopes' | 'withheldScopes'>) => {
    const proving = { ...requesterOf(account, account), ...carried, deviceId: undefined, tokenId: '' };
    context.values.set(requesterKey, { ...proving, kind: 'session' });
  };
  become(found, { admin: false });
  const withRoles = await applyProvidedRoles(deps, found, token, context);
  const account = await applyProvidedGroups(deps, withRoles, token, context);
  const rights = await rightsOf(deps, account);
  if (!hasScopes(rights)) {
    await spendLoginToken(deps, token);
    throw noScope();
  }
  const { rights_limit: tokenLimit = null } = token;
  const mostLimit = withProof(account, request, tokenLimit);
  const prove = (limit: RightsLimit) => {
    const carried = carriedRights(account, rights, limit);
    become(account, carried);
    if (!hasScopes(carried)) throw noAdministrator({ ...carried, suspended: account.suspended });
  };
  prove(mostLimit);
  const { provider, roles, second_factor: isFactor = false } = token.provided;
  await recordCall(context, { targets: [account._id], details: { provider, roles: [...roles] } });
  const factor = await requireSecondFactor(deps, account, request).catch((error: unknown) => {
    if (toRefusal(error).status === FORBIDDEN) deps.counts.add('failed_sign_ins');
    throw error;
  });
  const limit = isProof(factor) ? mostLimit : tokenLimit;
  prove(limit);
  await spendLoginToken(deps, token);
  // The provider may have known the user for long.
  const proved_ts = token.console?.step_up ? deps.clock.now() : null;
  return {
    ...{ account, proved_ts, ...factor, rights_limit: limit, provider },
    ...(isFactor ? { provider_factor: true } : {}),
    ...sessionOf(token),
    providedTs: token.expires_ts - LOGIN_TOKEN_LIFE_MS,
  };
}

/**
 * The account of a password and, if it has one, a second factor. It becomes the requester, whom the audit log names; an attempt
 * with a wrong code is recorded, too, because who makes it knows the password.
 */
async function proveByPassword(
  deps: Deps,
  request: CreateAdminSessionRequest,
  context: HandlerContext,
): Promise<Proved> {
  const { user, identifier, password } = request;
  if (!deps.settings.passwordLogin)
    throw refuse.unknown('Users have no passwords on this server: send an access token');
  if (password === undefined) throw refuse.missingParam("'password' is missing");
  const address = clientAddress(context);
  const account = await passLogin(deps, { user, identifier }, password, address, 'console');
  const rights = await rightsOf(deps, account);
  if (!hasScopes(rights)) throw noScope();
  const prove = (limit: RightsLimit) => {
    const carried = carriedRights(account, rights, limit);
    if (!hasScopes(carried)) throw noAdministrator({ ...carried, suspended: account.suspended });
    const proving = { ...requesterOf(account, account), ...carried, deviceId: undefined, tokenId: '' };
    context.values.set(requesterKey, { ...proving, kind: 'session' });
  };
  const { password_limit: passwordLimit = null } = account;
  // A proof of the factor may give the rights that the password alone does not.
  const mostLimit = withProof(account, request, passwordLimit);
  prove(mostLimit);
  // Administrators of one address do not keep each other out, nor does the request for the code that a second factor makes necessary.
  deps.limits.loginAddress.giveBack(keyAt('console', address));
  if (hasProof(request)) await recordCall(context);
  const factor = await requireSecondFactor(deps, account, request).catch((error: unknown) => {
    // Without a code the client is only asked for one.
    if (toRefusal(error).status === FORBIDDEN) deps.counts.add('failed_sign_ins');
    throw error;
  });
  const limit = isProof(factor) ? mostLimit : passwordLimit;
  prove(limit);
  return { account, proved_ts: deps.clock.now(), ...factor, rights_limit: limit };
}

/**
 * The account of a passkey whose user the browser has verified. It is found by the id of the credential, and the answer is the same whether
 * there is none or the proof is wrong.
 */
async function proveByPasskey(
  deps: Deps,
  request: CreateAdminSessionRequest,
  passkey: PasskeyAssertion,
  context: HandlerContext,
): Promise<Proved> {
  const address = keyAt('console', clientAddress(context));
  deps.limits.loginAddress.take(address);
  const account = await holderOfPasskey(deps, passkey);
  const holder = account ?? { _id: '', password_hash: null };
  const factor = await requireSecondFactor(deps, holder, request, { alone: true }).catch((error: unknown) => {
    if (toRefusal(error).status === FORBIDDEN) deps.counts.add('failed_sign_ins');
    throw error;
  });
  if (!account) throw noScope();
  deps.limits.loginAddress.giveBack(address);
  await requireSignIn(deps, account);
  const rights = await rightsOf(deps, account);
  if (!hasScopes(rights)) throw noScope();
  const limit = limitOfProof(account, request) ?? null;
  const carried = carriedRights(account, rights, limit);
  if (!hasScopes(carried)) throw noAdministrator({ ...carried, suspended: account.suspended });
  const proving = { ...requesterOf(account, account), ...carried, deviceId: undefined, tokenId: '' };
  context.values.set(requesterKey, { ...proving, kind: 'session' });
  return { account, proved_ts: deps.clock.now(), ...factor, rights_limit: limit };
}

/** The limit of a session that begins with a credential and the second factor of the request, if it has one. */
function withProof(account: Account, request: CreateAdminSessionRequest, limit: RightsLimit): RightsLimit {
  const ofFactor = limitOfProof(account, request);
  return ofFactor === undefined ? limit : widerLimit(limit, ofFactor);
}

function isProof({ proved_factor, proved_passkey }: FactorProof): boolean {
  return proved_factor !== null || typeof proved_passkey === 'string';
}

async function accountOfCaller(deps: Deps, caller: Requester): Promise<Account> {
  const { userId, owner, deviceId } = caller;
  if (deviceId === undefined || userId !== owner)
    throw refuse.forbidden('This requires the access token of a device');
  // The issuer can take the rights of the token away, and would not reach the session.
  if (deps.settings.tokensDelegated)
    throw refuse.forbidden('Sign in to the console with an identity provider: tokens cannot be exchanged');
  if (!hasScopes(caller))
    throw caller.lacksSecondFactor || caller.mustEnrol || caller.withheldScopes
      ? noAdministrator(caller)
      : noScope();
  const account = await deps.accounts.findOne({ _id: userId });
  if (!account) throw sessionEnded();
  return account;
}

function noScope(): Error {
  return refuse.forbidden('Administrator sessions are for accounts that have a scope');
}
