import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import {
  MediaAdministrationService,
  type QuarantineMediaRequest,
  type UnquarantineMediaRequest,
} from '@steward/proto/steward/media/v1/administration_pb.ts';
import { methodRules, requester } from '@steward/rpc';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { type Media, mediaKey } from '../../core/model/media.ts';
import { type Reach, requireReach } from '../../core/reach.ts';
import { QUARANTINED, UNPROTECTED } from '../../core/same-content.ts';
import { type BulkQuarantine, QUARANTINE_HASH, quarantineAll, UNQUARANTINE_HASH } from './bulk-quarantine.ts';
import { findIfFew } from './find-if-few.ts';
import { quarantinePlan } from './quarantine-plan.ts';

const { quarantineMedia: quarantineMethod, unquarantineMedia: unquarantineMethod } =
  MediaAdministrationService.method;
const QUARANTINE_MAX_WAIT_MS = methodRules(quarantineMethod).maxWaitMs;
const UNQUARANTINE_MAX_WAIT_MS = methodRules(unquarantineMethod).maxWaitMs;

/** Quarantines a medium and all of the same content, if it exists and is not protected (behaviour.md 5, 14.2). */
export async function quarantineMedia(
  deps: Deps,
  { serverName, mediaId }: QuarantineMediaRequest,
  context: HandlerContext,
) {
  const named = { _id: mediaKey(serverName, mediaId), ...UNPROTECTED };
  const order = { kind: QUARANTINE_HASH, maxWaitMs: QUARANTINE_MAX_WAIT_MS } as const;
  return changeContent(deps, named, order, UNPROTECTED, context);
}

/** Plans `quarantineMedia`. */
export async function planQuarantineMedia(
  deps: Deps,
  { serverName, mediaId }: QuarantineMediaRequest,
  context: HandlerContext,
): Promise<Planned> {
  const named = { _id: mediaKey(serverName, mediaId), ...UNPROTECTED };
  const medium = await deps.media.findOne(named, { projection: { sha256: 1 } });
  if (medium === null) return { changes: [] };
  const caller = requester(context);
  await requireReach(deps, caller, [medium]);
  const { _id, sha256 } = medium;
  const same = sha256 === null ? { _id } : { sha256 };
  return quarantinePlan(deps, { ...same, ...UNPROTECTED }, caller.userId, false);
}

/** Ends the quarantine of a medium and of all of the same content (behaviour.md 5, 14.2). */
export async function unquarantineMedia(
  deps: Deps,
  { serverName, mediaId }: UnquarantineMediaRequest,
  context: HandlerContext,
) {
  const named = { _id: mediaKey(serverName, mediaId) };
  const order = { kind: UNQUARANTINE_HASH, maxWaitMs: UNQUARANTINE_MAX_WAIT_MS } as const;
  return changeContent(deps, named, order, QUARANTINED, context);
}

/** What the caller may act against was checked for the content, and a release acts against no one. */
const everything: Reach = async (found) => found;

/** Changes all media with the content of a medium; a medium of unknown content alone. */
async function changeContent(
  deps: Deps,
  named: Filter<Media>,
  order: Pick<BulkQuarantine, 'kind' | 'maxWaitMs'>,
  which: Filter<Media>,
  context: HandlerContext,
): Promise<object> {
  const medium = await deps.media.findOne(named, { projection: { sha256: 1 } });
  if (medium === null) return {};
  if (order.kind === QUARANTINE_HASH) await requireReach(deps, requester(context), [medium]);
  const { _id, sha256 } = medium;
  const bulk = { ...order, key: sha256 ?? _id, requestedBy: requester(context).userId };
  const same = sha256 === null ? { _id } : { sha256 };
  await quarantineAll(deps, bulk, () => findIfFew(deps, same, which, everything), context.signal);
  return {};
}
