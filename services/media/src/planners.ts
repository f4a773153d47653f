import { type Planner, planner } from '@steward/plans';
import { MediaAdministrationService } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { MediaHashService } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import { MediaInventoryService } from '@steward/proto/steward/media/v1/inventory_pb.ts';
import type { Deps } from './core/deps.ts';
import { planDeleteMedia } from './verbs/deletion/delete-media.ts';
import { planDeleteMediaBefore } from './verbs/deletion/delete-media-before.ts';
import { planDeleteUserMedia } from './verbs/deletion/delete-user-media.ts';
import { planPurgeMediaCache } from './verbs/deletion/purge-media-cache.ts';
import { planDeleteMediaHash } from './verbs/hashes/delete-media-hash.ts';
import { planDeleteSourceMediaHashes } from './verbs/hashes/delete-source-media-hashes.ts';
import { planOrderMedia } from './verbs/inventory/order-media.ts';
import { planQuarantineMedia } from './verbs/quarantine/quarantine-media.ts';
import { planQuarantineRoomMedia } from './verbs/quarantine/quarantine-room-media.ts';
import { planQuarantineUserMedia } from './verbs/quarantine/quarantine-user-media.ts';

/** What plans the calls of the service's methods. */
export function planners(deps: Deps): readonly Planner[] {
  const { method: administration } = MediaAdministrationService;
  return [
    planner(administration.deleteMedia, (request, context) => planDeleteMedia(deps, request, context)),
    planner(administration.deleteUserMedia, (request, context) =>
      planDeleteUserMedia(deps, request, context),
    ),
    planner(administration.deleteMediaBefore, (request, context) =>
      planDeleteMediaBefore(deps, request, context),
    ),
    planner(administration.purgeMediaCache, (request) => planPurgeMediaCache(deps, request)),
    planner(administration.quarantineMedia, (request, context) =>
      planQuarantineMedia(deps, request, context),
    ),
    planner(administration.quarantineRoomMedia, (request, context) =>
      planQuarantineRoomMedia(deps, request, context),
    ),
    planner(administration.quarantineUserMedia, (request, context) =>
      planQuarantineUserMedia(deps, request, context),
    ),
    planner(MediaHashService.method.deleteMediaHash, (request) => planDeleteMediaHash(deps, request)),
    planner(MediaHashService.method.deleteSourceMediaHashes, (request) =>
      planDeleteSourceMediaHashes(deps, request),
    ),
    planner(MediaInventoryService.method.orderQuarantine, (request) =>
      planOrderMedia(deps, 'quarantine', request),
    ),
    planner(MediaInventoryService.method.orderDeletion, (request) => planOrderMedia(deps, 'delete', request)),
  ];
}
