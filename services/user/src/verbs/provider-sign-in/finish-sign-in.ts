import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clientAddress, headers } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { browserSecret, secretsOf } from '../../core/identity-providers/browser.ts';
import type { ProvidedUser } from '../../core/identity-providers/claims.ts';
import type { IdentityProvider } from '../../core/identity-providers/identity-provider.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import type { LoginToken } from '../../core/model/login-token.ts';
import { type ProviderSignIn, purposeOf, type SignInPurpose } from '../../core/model/provider-sign-in.ts';
import { tokenDigest } from '../../core/model/token.ts';
import { accountOf } from '../../core/provider-accounts/account-of.ts';
import { hasEndedSince } from '../../core/provider-sessions/ended-while-signing-in.ts';
import { makeLoginToken } from '../../core/sessions/login-tokens.ts';

/** The longest parameter of a provider, in characters; codes of some are long. */
const MAX_PARAMETER_LENGTH = 8_192;

/** The answer of a provider, as a browser brings it. An empty text stands for a parameter that is missing. */
export interface Brought {
  readonly idp: string;
  readonly state: string;
  readonly code: string;
  readonly iss: string;
  readonly error: string;
  readonly cookie: string;
}

/** A sign-in that a provider has answered, of the browser that began it. */
export interface Returned {
  readonly provider: IdentityProvider;
  readonly signIn: ProviderSignIn;
  /** The secret in the cookie of the browser. */
  readonly browser: string;
}

/** A sign-in that leads to an account. */
export interface FinishedSignIn {
  readonly account: Account;
  /** With which its session begins. */
  readonly loginToken: string;
}

/**
 * Finds the sign-in of a browser that comes back from a provider.
 *
 * @param target where the sign-in must lead: the answer to another one has another address
 * @throws refuse.forbiddenRequest, refuse.invalidParam
 */
export async function findSignIn(
  deps: Deps,
  { idp, state, code, iss, error, cookie }: Brought,
  target: SignInPurpose['target'],
): Promise<Returned> {
  if ([state, code, iss, error].some(({ length }) => length > MAX_PARAMETER_LENGTH))
    throw refuse.invalidParam('The answer of the identity provider is too long');
  if (state === '' || (code === '') === (error === ''))
    throw refuse.invalidParam('This is not the answer of an identity provider');
  const provider = deps.identityProviders.get(idp);
  const browser = browserSecret(cookie, deps.settings.publicBaseUrl);
  const signIn = await deps.providerSignIns.findOne({ _id: tokenDigest(state) });
  const isOwn =
    browser !== undefined &&
    signIn?.browser === tokenDigest(browser) &&
    signIn.provider === idp &&
    purposeOf(signIn).target === target &&
    signIn.expires_ts > deps.clock.now();
  if (!provider || !isOwn)
    throw refuse.forbiddenRequest(
      'This browser did not begin this sign-in, has completed it, or took too long',
    );
  return { provider, signIn, browser };
}

/**
 * Reads what the provider says, spends the sign-in, finds the account, and makes a login token for it. A crash in between leaves at most
 * the account, which the next sign-in finds.
 *
 * @param console set for a session of the console
 * @throws refuse.forbiddenRequest when the provider has ended its session during this; as `readUser` and `accountOf`
 */
export async function finishSignIn(
  deps: Deps,
  brought: Brought,
  returned: Returned,
  context: HandlerContext,
  console?: LoginToken['console'],
): Promise<FinishedSignIn> {
  const since = deps.clock.now();
  const user = await readUser(deps, brought, returned, context);
  const provided = await accountOf(deps, returned.provider.settings, user, {
    address: clientAddress(context),
    cause: causedBy(undefined, context.requestHeader.get(headers.traceparent)),
    requestId: context.requestHeader.get(headers.requestId) ?? '',
  });
  const loginToken = await makeLoginToken(deps, provided, console);
  if (await hasEndedSince(deps, provided.session, since)) {
    await deps.loginTokens.deleteOne({ _id: tokenDigest(loginToken) });
    throw refuse.forbiddenRequest('The identity provider has ended this sign-in');
  }
  return { account: provided.account, loginToken };
}

/**
 * Reads what the provider says about the user, and spends the sign-in.
 *
 * @throws refuse.forbiddenRequest when another request has completed the sign-in, refuse.forbidden when the provider or the user did not
 * permit it, limitExceeded, ProviderFailure
 */
export async function readUser(
  deps: Deps,
  { state, code, iss, error }: Brought,
  { provider, signIn, browser }: Returned,
  context: HandlerContext,
): Promise<ProvidedUser> {
  deps.limits.loginAddress.take(clientAddress(context));
  const answer = { state, code: code || undefined, iss: iss || undefined, error: error || undefined };
  const decision = await provider.readAnswer(answer, secretsOf(browser, state), purposeOf(signIn));
  const { deletedCount } = await deps.providerSignIns.deleteOne({ _id: signIn._id });
  if (deletedCount === 0) throw refuse.forbiddenRequest('This sign-in was completed before');
  const { name } = provider.settings;
  if (decision.kind === 'denied') {
    deps.counts.add('failed_sign_ins');
    throw refuse.forbidden(
      decision.error === 'access_denied'
        ? `You, or ${name}, did not permit the sign-in`
        : `${name} did not complete the sign-in`,
    );
  }
  return decision.user;
}
