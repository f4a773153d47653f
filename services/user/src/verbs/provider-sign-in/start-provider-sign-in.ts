import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { StartProviderSignInRequest } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { parseAppUrl } from './app-url.ts';
import { beginSignIn } from './begin-sign-in.ts';
import { orPage } from './or-page.ts';
import { answerPage, type Piece } from './pages.ts';
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
  if (!first || deps.settings.tokensDelegated)
    throw refuse.notFound('Users do not sign in with an identity provider on this server');
  const app = parseAppUrl(appUrl);
  if (idp === '' && all.length > 1) {
    const links = all.map(({ settings: { id, name } }) => ({
      label: name,
      href: startPath(id, appUrl),
    }));
    return answerPage({ status: 200, title: 'Sign in', texts: ['Sign in with:'], links });
  }
  const result = { redirect_url: app.href };
  return beginSignIn(deps, { idp: idp === '' ? first.settings.id : idp, cookie }, context, result);
}
