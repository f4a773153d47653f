import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { StartProviderSignInRequest } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import { clientAddress } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { PROVIDER_SIGN_IN_LIFE_MS } from '../../core/model/provider-sign-in.ts';
import { newToken, tokenDigest } from '../../core/model/token.ts';
import { parseAppUrl } from './app-url.ts';
import { browserCookie, browserSecret, newBrowserSecret, secretsOf } from './browser.ts';
import { orPage } from './or-page.ts';
import { answerPage, answerRedirect, type Piece } from './pages.ts';
import { startPath } from './start-path.ts';

/** Sends a browser to an identity provider, or lets the user choose one (client-plane.md 7.2). */
export function startProviderSignIn(
  deps: Deps,
  request: StartProviderSignInRequest,
  context: HandlerContext,
): AsyncGenerator<Piece> {
  return orPage(() => start(deps, request, context));
}

async function start(
  deps: Deps,
  { appUrl, idp, cookie }: StartProviderSignInRequest,
  context: HandlerContext,
): Promise<Generator<Piece>> {
  const { all } = deps.identityProviders;
  const [first] = all;
  if (!first) throw refuse.notFound('Users do not sign in with an identity provider on this server');
  const app = parseAppUrl(appUrl);
  if (idp === '' && all.length > 1) {
    const links = all.map(({ settings: { id, name } }) => ({
      label: name,
      href: startPath(id, appUrl),
    }));
    return answerPage({ status: 200, title: 'Sign in', texts: ['Sign in with:'], links });
  }
  const provider = idp === '' ? first : deps.identityProviders.get(idp);
  if (!provider) throw refuse.notFound('The server does not know this identity provider');
  deps.limits.providerSignIn.take(clientAddress(context));

  const { publicBaseUrl } = deps.settings;
  const browser = browserSecret(cookie, publicBaseUrl) ?? newBrowserSecret(deps.random);
  const secrets = secretsOf(browser, newToken(deps.random));
  const location = await provider.signInUrl(secrets);
  await deps.providerSignIns.insertOne({
    _id: tokenDigest(secrets.state),
    provider: provider.settings.id,
    browser: tokenDigest(browser),
    redirect_url: app.href,
    expires_ts: deps.clock.now() + PROVIDER_SIGN_IN_LIFE_MS,
  });
  return answerRedirect(location, browserCookie(browser, publicBaseUrl));
}
