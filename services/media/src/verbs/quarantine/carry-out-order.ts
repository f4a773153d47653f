import { createHash } from 'node:crypto';
import { Code, ConnectError } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { idOf, parseContentUri } from '@steward/kernel';
import type { CarryOutOrderRequest } from '@steward/proto/steward/media/v1/report_orders_pb.ts';
import { type Rights, requireAuthority } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { mediaKey } from '../../core/model/media.ts';
import { reachOf, requireReach } from '../../core/reach.ts';
import { READABLE } from '../../core/same-content.ts';
import { QUARANTINE_HASH, QUARANTINE_USER_MEDIA, quarantineByOrder } from './bulk-quarantine.ts';
import { findIfFew } from './find-if-few.ts';

/** The most content URIs of one order. */
const MAX_URIS = 100;

/**
 * Quarantines what the resolution of a report orders: media of content URIs or of a user, in both cases with all of the same content.
 * A quarantine that is repeated after a crash changes nothing more; a task exists once, because its id follows from the order.
 *
 * @returns the tasks that carry it out, none if that was done at once
 * @throws refuse.forbidden for media of an account over which the giver has no authority; refuse.notFound when media are named and none of them is stored here; refuse.unknown when all that are stored are protected
 */
export async function carryOutOrder(
  deps: Deps,
  { orderId, requestedBy, requesterScopes, uris, userId }: CarryOutOrderRequest,
): Promise<{ readonly taskIds: string[] }> {
  if (uris.length > MAX_URIS)
    throw new ConnectError(`An order names at most ${MAX_URIS} media`, Code.InvalidArgument);
  const rights: Rights = requesterScopes ? { admin: false, scopes: requesterScopes.scopes } : { admin: true };
  if (userId !== undefined) {
    await requireAuthority(deps.authority, rights, [userId]);
    const reach = await reachOf(deps, rights);
    const bulk = { kind: QUARANTINE_USER_MEDIA, key: userId, requestedBy } as const;
    const few = () => findIfFew(deps, { user_id: userId }, READABLE, reach);
    const task = await quarantineByOrder(deps, bulk, taskIdOf(orderId, ''), few);
    return { taskIds: task === undefined ? [] : [task] };
  }
  const keys = uris.flatMap((uri) => {
    const parsed = parseContentUri(uri);
    return parsed ? [mediaKey(parsed.serverName, parsed.mediaId)] : [];
  });
  const projection = { sha256: 1, safe_from_quarantine: 1 } as const;
  const found = await deps.media.find({ _id: { $in: keys } }, { projection }).toArray();
  if (found.length === 0) throw refuse.notFound('None of the media is stored on this server');
  const unprotected = found.filter(({ safe_from_quarantine: isProtected }) => !isProtected);
  if (unprotected.length === 0) throw refuse.unknown('The media are protected from quarantine');
  await requireReach(deps, rights, unprotected);
  const taskIds: string[] = [];
  const contents = new Map(unprotected.map(({ _id, sha256 }) => [sha256 ?? _id, { _id, sha256 }]));
  for (const [key, { _id, sha256 }] of contents) {
    const bulk = { kind: QUARANTINE_HASH, key, requestedBy } as const;
    const same = sha256 === null ? { _id } : { sha256 };
    const few = () => findIfFew(deps, same, READABLE, async (some) => some);
    const task = await quarantineByOrder(deps, bulk, taskIdOf(orderId, key), few);
    if (task !== undefined) taskIds.push(task);
  }
  return { taskIds };
}

/** The id of the task that an order creates for a content; for all media of a user, the content is empty. */
function taskIdOf(orderId: string, content: string): string {
  return idOf(
    createHash('sha256')
      .update(JSON.stringify(['report_order', orderId, content]))
      .digest(),
  );
}
