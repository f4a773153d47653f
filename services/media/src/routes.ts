import { activityRoute } from '@steward/activity';
import { plans } from '@steward/plans';
import { MediaAdministrationService } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { MediaDescriptionService } from '@steward/proto/steward/media/v1/description_pb.ts';
import { MediaHashService } from '@steward/proto/steward/media/v1/hashes_pb.ts';
import { ImportService } from '@steward/proto/steward/media/v1/import_pb.ts';
import { MediaInventoryService } from '@steward/proto/steward/media/v1/inventory_pb.ts';
import { MediaService } from '@steward/proto/steward/media/v1/media_pb.ts';
import { PlanService } from '@steward/proto/steward/media/v1/plans_pb.ts';
import { ReportOrderService } from '@steward/proto/steward/media/v1/report_orders_pb.ts';
import { MediaStatisticsService } from '@steward/proto/steward/media/v1/statistics_pb.ts';
import { recordsRoute } from '@steward/records';
import { type Route, route } from '@steward/rpc';
import { statisticsRoute } from '@steward/statistics';
import { taskRoute } from '@steward/tasks';
import { activityStreams } from './core/activity/streams.ts';
import { collections } from './core/collections.ts';
import type { Deps } from './core/deps.ts';
import { recordKinds } from './core/records/record-kinds.ts';
import { removeAllMedia } from './core/remove-media.ts';
import { readFigures } from './core/statistics/read-figures.ts';
import { importFile } from './import/import-file.ts';
import { importHashes } from './import/import-hashes.ts';
import { importMedia } from './import/import-media.ts';
import { planners } from './planners.ts';
import { describeMedia } from './verbs/catalogue/describe-media.ts';
import { getMediaInfo } from './verbs/catalogue/get-media-info.ts';
import { listUserMedia } from './verbs/catalogue/list-user-media.ts';
import { completeUpload } from './verbs/content/complete-upload.ts';
import { createUpload } from './verbs/content/create-upload.ts';
import { download, downloadAsUser } from './verbs/content/download.ts';
import { getConfig } from './verbs/content/get-config.ts';
import { getMediaThumbnail } from './verbs/content/get-media-thumbnail.ts';
import { getThumbnail } from './verbs/content/get-thumbnail.ts';
import { upload } from './verbs/content/upload.ts';
import { deleteMedia } from './verbs/deletion/delete-media.ts';
import { deleteMediaBefore } from './verbs/deletion/delete-media-before.ts';
import { deleteUserMedia } from './verbs/deletion/delete-user-media.ts';
import { purgeMediaCache } from './verbs/deletion/purge-media-cache.ts';
import { addMediaHashes } from './verbs/hashes/add-media-hashes.ts';
import { deleteMediaHash } from './verbs/hashes/delete-media-hash.ts';
import { deleteSourceMediaHashes } from './verbs/hashes/delete-source-media-hashes.ts';
import { getMediaHash } from './verbs/hashes/get-media-hash.ts';
import { importMediaHashes } from './verbs/hashes/import-media-hashes.ts';
import { listMediaHashes } from './verbs/hashes/list-media-hashes.ts';
import { listMedia } from './verbs/inventory/list-media.ts';
import { orderMedia } from './verbs/inventory/order-media.ts';
import { moveMedia } from './verbs/move/move-media.ts';
import { carryOutOrder } from './verbs/quarantine/carry-out-order.ts';
import { listQuarantineChanges } from './verbs/quarantine/list-quarantine-changes.ts';
import { protectMedia, unprotectMedia } from './verbs/quarantine/protect-media.ts';
import { quarantineMedia, unquarantineMedia } from './verbs/quarantine/quarantine-media.ts';
import { quarantineRoomMedia } from './verbs/quarantine/quarantine-room-media.ts';
import { quarantineUserMedia } from './verbs/quarantine/quarantine-user-media.ts';
import { getUsage } from './verbs/statistics/get-usage.ts';
import { listUsage } from './verbs/statistics/list-usage.ts';

/** Maps each RPC to the function that serves it. */
export function createRoutes(deps: Deps): readonly Route[] {
  return [
    route(MediaService, {
      upload: (pieces, context) => upload(deps, pieces, context),
      download: (request, context) => downloadAsUser(deps, request, context),
      downloadPublicly: (request, { signal }) => download(deps, request, 'public', signal),
      getThumbnail: (request, { signal }) => getThumbnail(deps, request, 'user', signal),
      getThumbnailPublicly: (request, { signal }) => getThumbnail(deps, request, 'public', signal),
      createUpload: (_, context) => createUpload(deps, context),
      completeUpload: (pieces, context) => completeUpload(deps, pieces, context),
      getConfig: () => getConfig(deps),
    }),
    route(MediaAdministrationService, {
      listUserMedia: (request, context) => listUserMedia(deps, request, context),
      deleteUserMedia: (request, context) => deleteUserMedia(deps, request, context),
      quarantineMedia: (request, context) => quarantineMedia(deps, request, context),
      unquarantineMedia: (request, context) => unquarantineMedia(deps, request, context),
      quarantineRoomMedia: (request, context) => quarantineRoomMedia(deps, request, context),
      quarantineUserMedia: (request, context) => quarantineUserMedia(deps, request, context),
      protectMedia: (request) => protectMedia(deps, request),
      unprotectMedia: (request, context) => unprotectMedia(deps, request, context),
      deleteMedia: (request, context) => deleteMedia(deps, request, context),
      deleteMediaBefore: (request, context) => deleteMediaBefore(deps, request, context),
      purgeMediaCache: (request) => purgeMediaCache(deps, request),
      moveMedia: (request, context) => moveMedia(deps, request, context),
      listQuarantineChanges: (request) => listQuarantineChanges(deps, request),
      getMediaInfo: (request) => getMediaInfo(deps, request),
    }),
    route(PlanService, { planCall: plans(planners(deps)) }),
    route(MediaHashService, {
      listMediaHashes: (request) => listMediaHashes(deps, request),
      getMediaHash: (request) => getMediaHash(deps, request),
      addMediaHashes: (request, context) => addMediaHashes(deps, request, context),
      importMediaHashes: (pieces, context) => importMediaHashes(deps, pieces, context),
      deleteMediaHash: (request) => deleteMediaHash(deps, request),
      deleteSourceMediaHashes: (request) => deleteSourceMediaHashes(deps, request),
    }),
    route(MediaInventoryService, {
      listMedia: (request) => listMedia(deps, request),
      getMediaThumbnail: (request, context) => getMediaThumbnail(deps, request, context),
      orderQuarantine: (request, context) => orderMedia(deps, 'quarantine', request, context),
      orderRelease: (request, context) => orderMedia(deps, 'release', request, context),
      orderProtection: (request, context) => orderMedia(deps, 'protect', request, context),
      orderEndOfProtection: (request, context) => orderMedia(deps, 'unprotect', request, context),
      orderDeletion: (request, context) => orderMedia(deps, 'delete', request, context),
    }),
    route(MediaDescriptionService, {
      describeMedia: (request) => describeMedia(deps, request),
    }),
    route(MediaStatisticsService, {
      listUsage: (request, context) => listUsage(deps, request, context),
      getUsage: (request) => getUsage(deps, request),
    }),
    route(ReportOrderService, {
      carryOutOrder: (request) => carryOutOrder(deps, request),
    }),
    route(ImportService, {
      importMedia: (request) => importMedia(deps, request),
      importHashes: (request) => importHashes(deps, request),
      importFile: (pieces) => importFile(deps, pieces),
    }),
    recordsRoute({
      kinds: recordKinds,
      collections,
      opened: deps,
      removers: { media: (ids) => removeAllMedia(deps, ids) },
    }),
    taskRoute(deps.tasks),
    activityRoute(activityStreams(deps)),
    statisticsRoute({ figures: () => readFigures(deps), counts: deps.counts }),
  ];
}
