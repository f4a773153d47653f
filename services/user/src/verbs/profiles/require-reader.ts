import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { headers, requireAccessToken } from '@steward/rpc';
import { authenticate } from '../../core/authentication/authenticate.ts';
import type { Deps } from '../../core/deps.ts';

/**
 * Refuses a caller without a valid token, if profiles can be read with a token only (client-plane.md 7.5). Otherwise the
 * token is ignored, as the methods declare.
 *
 * @throws refuse.missingToken, and what `authenticate` throws
 */
export async function requireReader(deps: Deps, { requestHeader }: HandlerContext): Promise<void> {
  if (!deps.settings.profilesNeedToken) return;
  const token = requestHeader.get(headers.accessToken);
  if (token === null) throw refuse.missingToken('Missing access token');
  const rules = { allowLocked: false, allowExpired: false };
  const caller = await authenticate(deps, decodeURIComponent(token), rules, undefined);
  requireAccessToken(caller);
}
