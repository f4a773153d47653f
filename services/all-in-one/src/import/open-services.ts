import type { Transport } from '@connectrpc/connect';
import { type Config, usesEmbeddedStore } from '@steward/config';
import { type Bus, createLocalBus, type Report } from '@steward/events';
import { closeAll, systemClock, systemRandom } from '@steward/kernel';
import { openBlobs, startMediaService } from '@steward/media';
import { startModerationService } from '@steward/moderation';
import { startRoomService } from '@steward/room';
import { type Channel, createLocalTransport } from '@steward/rpc';
import {
  makePrivate,
  noProcesses,
  openEmbeddedStore,
  openEngines,
  openPeer,
  openTls,
  type Peer,
  prepareDataDirectory,
  RELEASE,
  sayMigrations,
} from '@steward/runtime';
import { lockDirectory, type Store } from '@steward/store';
import { createLogger, createMetrics, noMeters } from '@steward/telemetry';
import { noMedia, noRooms, startUserService } from '@steward/user';

import { say } from '../command/say.ts';

/** How many batches the services of other processes load concurrently. */
const BATCHES_IN_FLIGHT = 4;

/** An import ends before a change of a certificate matters. */
const noLogger = { info() {}, warn() {}, error() {} };

const report: Report = (message, { error }) => say(`import: ${message}: ${error}`);

/** The transports to the RPCs of the services, without a gateway. */
export interface OpenServices {
  readonly user: Transport;
  /** @throws Error in one line when the settings name only other services */
  readonly room: () => Transport;
  /** @throws Error in one line when the settings name only other services */
  readonly media: () => Transport;
  /** @throws Error in one line when the settings name only other services */
  readonly moderation: () => Transport;
  /** How many batches to load concurrently. */
  readonly batchesInFlight: number;
  close(): Promise<void>;
}

/**
 * Connects to the services that the settings name, or else opens the services in this process: on the data
 * directory, which it locks, or on the database and the broker that whole servers share.
 *
 * @throws Error in one line when that fails
 */
export async function openServices(config: Config): Promise<OpenServices> {
  if (config.services.user_urls.length === 0)
    return usesEmbeddedStore(config) ? openAlone(config) : openShared(config);
  const tls = await openTls({ config, clock: systemClock, logger: noLogger, meters: noMeters });
  const opened: Channel[] = [];
  const open = (peer: Peer) => {
    const channel = openPeer({ config, tls }, 'import', peer);
    opened.push(channel);
    return channel;
  };
  return {
    user: open('user'),
    room: () => open('room'),
    media: () => open('media'),
    moderation: () => open('moderation'),
    batchesInFlight: BATCHES_IN_FLIGHT,
    async close() {
      for (const channel of opened) channel.close();
      await tls?.close();
    },
  };
}

async function openShared(config: Config): Promise<OpenServices> {
  const engines = await openEngines({
    name: 'steward-server',
    config,
    logger: createLogger({ name: 'import', ...config.logging }),
    metrics: createMetrics({ program: 'import', release: RELEASE }),
  });
  try {
    const services = await openOn(engines.store, config, engines.bus);
    return { ...services, close: () => closeAll([() => services.close(), () => engines.close()]) };
  } catch (error) {
    await engines.close();
    throw error;
  }
}

async function openAlone(config: Config): Promise<OpenServices> {
  await prepareDataDirectory(config.server.data);
  const opened: (() => unknown)[] = [];
  const close = () => closeAll(opened.splice(0).reverse());
  try {
    opened.push(lockDirectory(config.server.data));
    await makePrivate(config.server.data, (line) => say(`import: ${line}`));
    const store = await openEmbeddedStore(config, {
      loading: true,
      say: (line) => say(`import: ${line}`),
    });
    opened.push(() => store.close());
    const services = await openOn(store, config);
    opened.push(() => services.close());
    return { ...services, close };
  } catch (error) {
    await close().catch((closeError: unknown) => report('a part was not closed', { error: closeError }));
    throw error;
  }
}

/**
 * Opens the services in this process on a store that is open for loading, which the caller closes after them.
 *
 * @param shared the bus of other processes on the same store; without it, no other process uses the store
 */
export async function openOn(store: Store, config: Config, shared?: Bus): Promise<OpenServices> {
  const opened: (() => unknown)[] = [];
  const close = () => closeAll(opened.splice(0).reverse());
  try {
    const engine = {
      ...{ store, clock: systemClock, random: systemRandom, report, meters: noMeters },
      onMigration: sayMigrations((line) => say(`import: ${line}`)),
    };
    const subscribed = Promise.withResolvers<void>();
    const bus = shared ?? (await createLocalBus({ ...engine, subscribed: subscribed.promise }));
    if (!shared) opened.push(() => bus.close());
    const user = await startUserService({
      config,
      bus,
      rooms: noRooms,
      media: noMedia,
      ...engine,
    });
    opened.push(() => user.close());
    const toUser = createLocalTransport(user.routes);
    const room = await startRoomService({ config, bus, user: toUser, sendsPushes: false, ...engine });
    opened.push(() => room.close());
    const toRoom = createLocalTransport(room.routes);
    const blobs = await openBlobs(config, store, systemRandom);
    opened.push(() => blobs.close());
    const media = await startMediaService({ config, bus, blobs, user: toUser, room: toRoom, ...engine });
    opened.push(() => media.close());
    const toMedia = createLocalTransport(media.routes);
    const peers = { user: toUser, room: toRoom, media: toMedia };
    const moderation = await startModerationService({
      config,
      bus,
      processes: noProcesses,
      sendsWebhooks: false,
      ...peers,
      ...engine,
    });
    opened.push(() => moderation.close());
    const toModeration = createLocalTransport(moderation.routes);
    subscribed.resolve();
    return {
      user: toUser,
      room: () => toRoom,
      media: () => toMedia,
      moderation: () => toModeration,
      // One thread does all the work, and a second batch would only take memory.
      batchesInFlight: 1,
      close,
    };
  } catch (error) {
    await close().catch((closeError: unknown) => report('a part was not closed', { error: closeError }));
    throw error;
  }
}
