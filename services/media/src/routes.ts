import { MediaAdministrationService } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { ImportService } from '@steward/proto/steward/media/v1/import_pb.ts';
import { MediaService } from '@steward/proto/steward/media/v1/media_pb.ts';
import { MediaStatisticsService } from '@steward/proto/steward/media/v1/statistics_pb.ts';
import { type Route, route } from '@steward/rpc';
import { taskRoute } from '@steward/tasks';
import { getMediaInfo } from './catalogue/get-media-info.ts';
import { listUserMedia } from './catalogue/list-user-media.ts';
import { deleteMedia } from './deletion/delete-media.ts';
import { deleteMediaBefore } from './deletion/delete-media-before.ts';
import { deleteUserMedia } from './deletion/delete-user-media.ts';
import { purgeMediaCache } from './deletion/purge-media-cache.ts';
import type { Deps } from './deps.ts';
import { importFile } from './import/import-file.ts';
import { importMedia } from './import/import-media.ts';
import { download } from './media/download.ts';
import { getConfig } from './media/get-config.ts';
import { upload } from './media/upload.ts';
import { listQuarantineChanges } from './quarantine/list-quarantine-changes.ts';
import { protectMedia, unprotectMedia } from './quarantine/protect-media.ts';
import { quarantineMedia, unquarantineMedia } from './quarantine/quarantine-media.ts';
import { quarantineRoomMedia } from './quarantine/quarantine-room-media.ts';
import { quarantineUserMedia } from './quarantine/quarantine-user-media.ts';
import { getThumbnail } from './thumbnails/get-thumbnail.ts';
import { listUsage } from './usage/list-usage.ts';

/** Which function serves which RPC. */
export function createRoutes(deps: Deps): readonly Route[] {
  return [
    route(MediaService, {
      upload: (pieces, context) => upload(deps, pieces, context),
      download: (request, { signal }) => download(deps, request, false, signal),
      downloadPublicly: (request, { signal }) => download(deps, request, true, signal),
      getThumbnail: (request) => getThumbnail(deps, request, false),
      getThumbnailPublicly: (request) => getThumbnail(deps, request, true),
      getConfig: () => getConfig(deps),
    }),
    route(MediaAdministrationService, {
      listUserMedia: (request, context) => listUserMedia(deps, request, context),
      deleteUserMedia: (request, context) => deleteUserMedia(deps, request, context),
      quarantineMedia: (request, context) => quarantineMedia(deps, request, context),
      unquarantineMedia: (request) => unquarantineMedia(deps, request),
      quarantineRoomMedia: (request, context) => quarantineRoomMedia(deps, request, context),
      quarantineUserMedia: (request, context) => quarantineUserMedia(deps, request, context),
      protectMedia: (request) => protectMedia(deps, request),
      unprotectMedia: (request) => unprotectMedia(deps, request),
      deleteMedia: (request) => deleteMedia(deps, request),
      deleteMediaBefore: (request) => deleteMediaBefore(deps, request),
      purgeMediaCache: (request) => purgeMediaCache(deps, request),
      listQuarantineChanges: (request) => listQuarantineChanges(deps, request),
      getMediaInfo: (request) => getMediaInfo(deps, request),
    }),
    route(MediaStatisticsService, {
      listUsage: (request, context) => listUsage(deps, request, context),
    }),
    route(ImportService, {
      importMedia: (request) => importMedia(deps, request),
      importFile: (pieces) => importFile(deps, pieces),
    }),
    taskRoute(deps.tasks),
  ];
}
