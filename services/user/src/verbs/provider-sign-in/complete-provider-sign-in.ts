import type { HandlerContext } from '@connectrpc/connect';
import type { CompleteProviderSignInRequest } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { isAllowedApp, parseAppUrl, shownApp, withLoginToken } from './app-url.ts';
import { completeInteractiveSignIn } from './complete-interactive-sign-in.ts';
import { findSignIn, finishSignIn, type Returned } from './finish-sign-in.ts';
import { orPage } from './or-page.ts';
import { answerPage, answerRedirect, type Piece } from './pages.ts';
import { interactivePath, startPath } from './start-path.ts';

/**
 * Completes the sign-in of a browser that comes back from an identity provider: reads what the provider says, finds the account, and leads
 * to the app with a login token, or records that the user of an operation of an app has proved who they are. A browser that began no such sign-in, or completes it again, is refused.
 */
export function completeProviderSignIn(
  deps: Deps,
  request: CompleteProviderSignInRequest,
  context: HandlerContext,
): AsyncGenerator<Piece> {
  let again: string | undefined;
  const complete = async () => {
    const returned = await findSignIn(deps, request, 'app');
    const { signIn } = returned;
    if (signIn.interactive_session !== undefined) {
      again = interactivePath({ session: signIn.interactive_session });
      return completeInteractiveSignIn(deps, request, returned, signIn.interactive_session, context);
    }
    again = startPath(signIn.provider, signIn.redirect_url ?? '');
    return finish(deps, request, returned, context);
  };
  return orPage(complete, () => again);
}

async function finish(
  deps: Deps,
  request: CompleteProviderSignInRequest,
  returned: Returned,
  context: HandlerContext,
): Promise<Iterable<Piece>> {
  const { account, loginToken } = await finishSignIn(deps, request, returned, context);
  const app = parseAppUrl(returned.signIn.redirect_url ?? '');
  const href = withLoginToken(app, loginToken);
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
