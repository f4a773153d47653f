import type { Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { createQuotas, openLimits } from '@steward/limits';
import { authorityThrough, type Route } from '@steward/rpc';
import { openCollections, type ServiceEngines, type ServiceShell, startService } from '@steward/service';
import { createCounts } from '@steward/statistics';
import { AccessTimes } from './core/access-times.ts';
import type { BlobStore } from './core/blobs/mod.ts';
import { sweepQuarantine } from './core/change-quarantine.ts';
import { sweepUnchecked } from './core/check-shown.ts';
import { collections, tasks } from './core/collections.ts';
import type { Deps } from './core/deps.ts';
import { fillInventory } from './core/fill-inventory.ts';
import { keepSpaceFree } from './core/free-space.ts';
import { sweepClaims } from './core/keep-blob.ts';
import { meterMedia } from './core/meter-media.ts';
import { prunePendingUploads } from './core/prune-pending-uploads.ts';
import { sweepDeleting } from './core/remove-media.ts';
import { createThumbnailer } from './core/thumbnails/thumbnailer.ts';
import { countTraffic } from './core/traffic.ts';
import { sweepUsage } from './core/usage/count-media.ts';
import { sweepUnnamed } from './core/usage/name-usages.ts';
import { createUsageRequests } from './core/usage-requests.ts';
import { consumers } from './events/consumers.ts';
import { roomsThrough } from './peers/rooms.ts';
import { usersThrough } from './peers/users.ts';
import { createRoutes } from './routes.ts';
import { mediaRetentionTask, scheduleMediaRetention } from './verbs/deletion/retention-task.ts';
import { orderTask } from './verbs/inventory/order-task.ts';
import { moveTask } from './verbs/move/move-task.ts';
import {
  hashQuarantineTask,
  hashReleaseTask,
  listedQuarantineTask,
  roomQuarantineTask,
  userQuarantineTask,
} from './verbs/quarantine/quarantine-task.ts';

/** The dependencies of the service. */
export interface MediaServiceOptions extends ServiceEngines {
  readonly config: Config;
  /** The storage of the bytes; the caller closes it after the service. */
  readonly blobs: BlobStore;
  /** The transport to the user service. */
  readonly user: Transport;
  /** The transport to the room service. */
  readonly room: Transport;
}

/** The running service. */
export interface MediaService extends Omit<ServiceShell<Deps>, 'deps'> {
  readonly routes: readonly Route[];
}

/** Starts the media service: uploads, thumbnails, quarantine and usage. */
export async function startMediaService(options: MediaServiceOptions): Promise<MediaService> {
  const { config, store, blobs, bus, clock, random, report, meters } = options;
  const { deps, ...shell } = await startService<Deps>({
    name: 'media',
    store,
    bus,
    clock,
    random,
    report,
    meters,
    async deps({ openPublisher, openTasks }) {
      const opened = await openCollections(store, collections);
      meterMedia(opened, meters);
      return {
        ...opened,
        ...(await openPublisher()),
        serverName: config.server.name,
        capabilities: store.capabilities,
        settings: {
          maxUploadBytes: config.media.max_upload_bytes,
          legacyDownload: config.media.legacy_download === 'serve',
          moveRoute: moveRouteOf(config.media),
        },
        clock,
        random,
        users: usersThrough(options.user),
        authority: authorityThrough(options.user),
        rooms: roomsThrough(options.room),
        blobs,
        quotas: createQuotas(config, meters),
        limits: await openLimits({ service: 'media', config, clock, random, bus, meters }),
        bus,
        traffic: countTraffic(meters),
        counts: createCounts({
          ...{ ...opened, clock, random },
          retentionMs: config.statistics.retention_ms,
          onFault: (error) => report('counts were not stored', { error }),
        }),
        requireFreeSpace: keepSpaceFree({
          blobs,
          clock,
          minFreeBytes: config.media.min_free_bytes,
          adminContact: config.monthly_active_users.admin_contact,
        }),
        accessTimes: new AccessTimes({ media: opened.media, clock, report }),
        usageRequests: createUsageRequests(),
        thumbnailer: createThumbnailer(),
        tasks: await openTasks(tasks, authorityThrough(options.user)),
        report,
      };
    },
    consumers,
    taskKinds: (own) => [
      userQuarantineTask(own),
      roomQuarantineTask(own),
      hashQuarantineTask(own),
      hashReleaseTask(own),
      listedQuarantineTask(own),
      mediaRetentionTask(own),
      orderTask(own),
      // Others leave the tasks to instances with a second store.
      ...(blobs.second ? [moveTask(own, blobs.second)] : []),
    ],
    sweeps: (own) => [
      { run: () => sweepUsage(own), failure: 'media were not counted', untilIdle: true },
      { run: () => sweepUnnamed(own), failure: 'display names were not read' },
      {
        run: () => sweepQuarantine(own),
        failure: 'changes of the quarantine were not completed',
        untilIdle: true,
      },
      {
        run: async () => {
          await fillInventory(own);
          await sweepUnchecked(own);
        },
        failure: 'the inventory of media was not completed',
        untilIdle: true,
      },
      { run: () => sweepDeleting(own), failure: 'deletions of media were not finished', untilIdle: true },
      { run: () => prunePendingUploads(own), failure: 'expired content URIs were not deleted' },
      { run: () => sweepClaims(own), failure: 'bytes without a document were not removed' },
      {
        run: () =>
          scheduleMediaRetention(own, {
            intervalMs: config.retention.interval_ms,
            localMaxUnusedMs: config.retention.media.local_max_unused_ms,
            remoteMaxUnusedMs: config.retention.media.remote_max_unused_ms,
          }),
        failure: 'the retention of media was not begun',
      },
      { run: () => own.counts.removeOld(), failure: 'old counts were not removed' },
    ],
    whenIdle: (own) => own.accessTimes.flush(),
    close: (own) => [
      () => own.counts.close(),
      () => own.limits.close(),
      // Access times are approximate, so losing some of them is not a failure.
      () =>
        own.accessTimes
          .close()
          .catch((error: unknown) => report('access times of media were not written', { error })),
    ],
  });
  return { ...shell, routes: createRoutes(deps) };
}

/** From where to where media are moved, in words that differ for other settings. */
function moveRouteOf({ store, s3, second_store, second_s3 }: Config['media']): string | undefined {
  if (second_store === undefined) return undefined;
  const nameOf = (kind: string, { endpoint, bucket, prefix }: typeof s3) =>
    kind === 's3' ? `s3 (${endpoint ?? 'AWS'} ${bucket}/${prefix})` : kind;
  return `${nameOf(second_store, second_s3)} to ${nameOf(store, s3)}`;
}
