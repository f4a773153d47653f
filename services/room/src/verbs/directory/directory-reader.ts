import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { type Requester, requesterKey } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';

/**
 * Who reads the directory or what it shows of a room; undefined without a token.
 *
 * @throws refuse.missingToken if the directory is for those with a token only
 */
export function directoryReader(deps: Deps, context: HandlerContext): Requester | undefined {
  const reader = context.values.get(requesterKey);
  if (!reader && deps.settings.publicRooms.requireAuth) throw refuse.missingToken('Missing access token');
  return reader;
}
