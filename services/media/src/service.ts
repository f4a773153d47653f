import type { Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { type Bus, openOutbox, type Report, startRelay } from '@steward/events';
import { type Clock, type Random, repeat } from '@steward/kernel';
import type { Route } from '@steward/rpc';
import type { Store } from '@steward/store';
import { Tasks } from '@steward/tasks';
import { sweepClaims } from './blobs/keep.ts';
import type { BlobStore } from './blobs/mod.ts';
import { claims, media, quarantineChanges, tasks as taskCollections, usage } from './collections.ts';
import { sweepDeleting } from './deletion/remove-media.ts';
import type { Deps } from './deps.ts';
import { userProfileChanged } from './events/facts.ts';
import { AccessTimes } from './media/access-times.ts';
import { roomsThrough } from './peers/rooms.ts';
import { usersThrough } from './peers/users.ts';
import { sweepQuarantine } from './quarantine/change-quarantine.ts';
import { roomQuarantineTask, userQuarantineTask } from './quarantine/quarantine-task.ts';
import { createRoutes } from './routes.ts';
import { createThumbnailer } from './thumbnails/thumbnailer.ts';
import { sweepUsage } from './usage/count-media.ts';
import { onProfileChanged, sweepUnnamed } from './usage/name-usages.ts';

/** The name under which the service keeps its collections and consumers. */
const SERVICE = 'media';

/** How often what dead processes left is looked for. */
const SWEEP_INTERVAL_MS = 30_000;

/** What the service stands on. */
export interface MediaServiceOptions {
  readonly config: Config;
  readonly store: Store;
  /** Where the bytes are; the caller's to close, after the service. */
  readonly blobs: BlobStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  /** The way to the user service. */
  readonly user: Transport;
  /** The way to the room service. */
  readonly room: Transport;
  /** Told of work that failed in the background; it will be tried again. */
  readonly report: Report;
}

/** The running service. */
export interface MediaService {
  readonly routes: readonly Route[];
  /** Resolves when no change owes anything and no fact waits to be published. */
  settle(): Promise<void>;
  /** Lets nobody wait any longer for the end of a task: the process is about to end. */
  release(): void;
  close(): Promise<void>;
}

/** Starts the media service: what is uploaded, its thumbnails, and who may still see it. */
export async function startMediaService(options: MediaServiceOptions): Promise<MediaService> {
  const { config, store, blobs, bus, clock, random, report } = options;
  const outbox = await openOutbox(store, SERVICE);
  const ofMedia = await store.collection(media);
  const accessTimes = new AccessTimes({ media: ofMedia, clock, report });
  const base: Omit<Deps, 'relay'> = {
    serverName: config.server.name,
    settings: {
      maxUploadBytes: config.media.max_upload_bytes,
      legacyDownload: config.media.legacy_download === 'serve',
    },
    clock,
    random,
    media: ofMedia,
    claims: await store.collection(claims),
    usage: await store.collection(usage),
    quarantineChanges: await store.collection(quarantineChanges),
    users: usersThrough(options.user),
    rooms: roomsThrough(options.room),
    blobs,
    accessTimes,
    thumbnailer: createThumbnailer(),
    tasks: await Tasks.open({
      store,
      collections: taskCollections,
      bus,
      clock,
      random,
      report,
    }),
    outbox,
    report,
  };
  const subscription = await bus.subscribe({
    durable: `${SERVICE}-usage`,
    facts: [userProfileChanged],
    handler: ({ fact, sequence }) => onProfileChanged(base, fact, sequence),
  });
  const relay = await startRelay({ store, service: SERVICE, bus, clock, random, report });
  const deps: Deps = { ...base, relay };
  deps.tasks.start([userQuarantineTask(deps), roomQuarantineTask(deps)]);

  const sweep = async () => {
    await sweepUsage(deps);
    await sweepUnnamed(deps);
    await sweepQuarantine(deps);
    await sweepDeleting(deps);
    await sweepClaims(deps);
  };
  const sweeps = repeat(sweep, {
    intervalMs: SWEEP_INTERVAL_MS,
    onFault: (error) => report('what media owe was not settled', { error }),
  });

  return {
    routes: createRoutes(deps),
    async settle() {
      await accessTimes.flush();
      await deps.tasks.settle();
      await sweepUsage(deps);
      await sweepQuarantine(deps);
      await sweepDeleting(deps);
      await relay.settle();
    },
    release: () => deps.tasks.release(),
    async close() {
      await deps.tasks.close();
      await sweeps.close();
      await accessTimes
        .close()
        .catch((error: unknown) => report('access times of media were not written', { error }));
      await subscription.close();
      await relay.close();
    },
  };
}
