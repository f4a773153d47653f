import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { CompleteProviderSignInRequest } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import { clientAddress, headers } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import type { IdentityProvider } from '../../core/identity-providers/identity-provider.ts';
import { causedBy } from '../../core/model/cause.ts';
import type { ProviderSignIn } from '../../core/model/provider-sign-in.ts';
import { tokenDigest } from '../../core/model/token.ts';
import { accountOf } from '../../core/provider-accounts/account-of.ts';
import { makeLoginToken } from '../../core/sessions/login-tokens.ts';
import { isAllowedApp, parseAppUrl, shownApp, withLoginToken } from './app-url.ts';
import { browserSecret, secretsOf } from './browser.ts';
import { orPage } from './or-page.ts';
import { answerPage, answerRedirect, type Piece } from './pages.ts';
import { startPath } from './start-path.ts';

/** The longest parameter of a provider, in characters; codes of some are long. */
const MAX_PARAMETER_LENGTH = 8_192;

/** A sign-in that a provider has answered, of the browser that began it. */
interface Returned {
  readonly provider: IdentityProvider;
  readonly signIn: ProviderSignIn;
  readonly browser: string;
}

/**
 * Completes the sign-in of a browser that comes back from an identity provider: reads what the provider says, finds the account, and leads
 * to the app with a login token. A browser that began no such sign-in, or completes it again, is refused.
 */
export function completeProviderSignIn(
  deps: Deps,
  request: CompleteProviderSignInRequest,
  context: HandlerContext,
): AsyncGenerator<Piece> {
  let again: string | undefined;
  const complete = async () => {
    const returned = await findSignIn(deps, request);
    again = startPath(returned.signIn.provider, returned.signIn.redirect_url);
    return finish(deps, request, returned, context);
  };
  return orPage(complete, () => again);
}

/** @throws refuse.forbiddenRequest, refuse.invalidParam */
async function findSignIn(deps: Deps, request: CompleteProviderSignInRequest): Promise<Returned> {
  const { state, code, iss, error, cookie } = request;
  if ([state, code, iss, error].some(({ length }) => length > MAX_PARAMETER_LENGTH))
    throw refuse.invalidParam('The answer of the identity provider is too long');
  if (state === '' || (code === '') === (error === ''))
    throw refuse.invalidParam('This is not the answer of an identity provider');
  const provider = deps.identityProviders.get(request.idp);
  const browser = browserSecret(cookie, deps.settings.publicBaseUrl);
  const signIn = await deps.providerSignIns.findOne({ _id: tokenDigest(state) });
  const isOwn =
    browser !== undefined &&
    signIn?.browser === tokenDigest(browser) &&
    signIn.provider === request.idp &&
    signIn.expires_ts > deps.clock.now();
  if (!provider || !isOwn)
    throw refuse.forbiddenRequest(
      'This browser did not begin this sign-in, has completed it, or took too long',
    );
  return { provider, signIn, browser };
}

async function finish(
  deps: Deps,
  { state, code, iss, error }: CompleteProviderSignInRequest,
  { provider, signIn, browser }: Returned,
  context: HandlerContext,
): Promise<Iterable<Piece>> {
  const address = clientAddress(context);
  deps.limits.loginAddress.take(address);
  const answer = { state, code: code || undefined, iss: iss || undefined, error: error || undefined };
  const decision = await provider.readAnswer(answer, secretsOf(browser, state));
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
  const { account, limit } = await accountOf(deps, provider.settings, decision.user, {
    address,
    cause: causedBy(undefined, context.requestHeader.get(headers.traceparent)),
    requestId: context.requestHeader.get(headers.requestId) ?? '',
  });
  const app = parseAppUrl(signIn.redirect_url);
  const href = withLoginToken(app, await makeLoginToken(deps, account, limit));
  if (isAllowedApp(app, deps.settings.redirectAllowlist)) return answerRedirect(href);
  return answerPage({
    status: 200,
    title: 'Continue to the app?',
    texts: [
      `You are signed in to ${deps.serverName} as ${account._id}.`,
      `The app at ${shownApp(app)} asks for access to your account. Continue only if you have just opened it, and trust it: it can read your messages and write in your name.`,
      'The button works for two minutes.',
    ],
    links: [{ label: `Continue to ${shownApp(app)}`, href }],
  });
}
