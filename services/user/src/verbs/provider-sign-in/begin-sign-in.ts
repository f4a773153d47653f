import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clientAddress } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import {
  browserCookie,
  browserSecret,
  newBrowserSecret,
  secretsOf,
} from '../../core/identity-providers/browser.ts';
import {
  PROVIDER_SIGN_IN_LIFE_MS,
  type ProviderSignIn,
  purposeOf,
} from '../../core/model/provider-sign-in.ts';
import { newToken, tokenDigest } from '../../core/model/token.ts';
import { answerRedirect, type Piece } from './pages.ts';

/** What a browser asks for that begins a sign-in. */
export interface Asked {
  readonly idp: string;
  readonly cookie: string;
}

/**
 * Stores a sign-in of a browser, and sends it to the provider.
 *
 * @param result where the result goes
 * @throws refuse.notFound, limitExceeded, ProviderFailure
 */
export async function beginSignIn(
  deps: Deps,
  { idp, cookie }: Asked,
  context: HandlerContext,
  result: Pick<ProviderSignIn, 'redirect_url' | 'interactive_session' | 'step_up'>,
): Promise<Generator<Piece>> {
  const provider = deps.identityProviders.get(idp);
  if (!provider) throw refuse.notFound('The server does not know this identity provider');
  deps.limits.providerSignIn.take(clientAddress(context));
  const { publicBaseUrl } = deps.settings;
  const browser = browserSecret(cookie, publicBaseUrl) ?? newBrowserSecret(deps.random);
  const secrets = secretsOf(browser, newToken(deps.random));
  const signIn: ProviderSignIn = {
    _id: tokenDigest(secrets.state),
    provider: idp,
    browser: tokenDigest(browser),
    ...result,
    expires_ts: deps.clock.now() + PROVIDER_SIGN_IN_LIFE_MS,
  };
  const location = await provider.signInUrl(secrets, purposeOf(signIn));
  await deps.providerSignIns.insertOne(signIn);
  return answerRedirect(location, browserCookie(browser, publicBaseUrl));
}
