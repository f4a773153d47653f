import type { Transport } from '@connectrpc/connect';
import { startAuditTrail } from '@steward/audit';
import { type Config, usesEmbeddedStore } from '@steward/config';
import type { Bus } from '@steward/events';
import { createGateway, listen } from '@steward/gateway';
import { startIdempotencyKeys } from '@steward/idempotency';
import { type Clock, closeAll, type Random, systemRandom, type Tracing } from '@steward/kernel';
import { openBlobs, startMediaService } from '@steward/media';
import { startModerationService } from '@steward/moderation';
import { startRoomService } from '@steward/room';
import { createLocalTransport, orderedCalls, type RpcServer, type Tls } from '@steward/rpc';
import {
  announceProcess,
  checkBroker,
  checkDisk,
  checkStore,
  createReadiness,
  describeProcess,
  onlyProcess,
  openEngines,
  openProcesses,
  peerInterceptors,
  RELEASE,
  serveClients,
  serveProbes,
  serverInterceptors,
} from '@steward/runtime';
import type { Store } from '@steward/store';
import { createLogger, createMetrics, type Logger, type Metrics } from '@steward/telemetry';
import { type Media, mediaThrough, type Rooms, roomsThrough, startUserService } from '@steward/user';
import { openOwnEngines } from './own-engines.ts';

/** The configuration of the server, and its replaceable parts. */
export interface AllInOneOptions {
  readonly config: Config;
  /** Of the engines in this process; others have that of the system. */
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Records requests, if any are to be recorded. */
  readonly tracing?: Tracing | undefined;
  /** The identity towards programs that call over gRPC; without it they connect without TLS. */
  readonly tls?: Tls | undefined;
  /** Keeps all data of the embedded store in memory, for tests without a restart. */
  readonly inMemory?: boolean;
  /** Wraps the embedded store, for tests that watch what is read from it. */
  readonly aroundStore?: (store: Store) => Store;
}

/** The running server. */
export interface RunningServer {
  /** The URL at which it listens, for example `http://127.0.0.1:8008`. */
  readonly url: string;
  /** The URL at which programs call it over gRPC, if the settings name a port for them. */
  readonly grpcUrl: string | undefined;
  readonly store: Store;
  readonly bus: Bus;
  /** Whether an account can administer the server. */
  hasAdministrator(): Promise<boolean>;
  /** Resolves when no pending effect is left and every fact has reached its consumers. */
  whenIdle(): Promise<void>;
  /** Finishes the requests in progress, then closes all parts. */
  close(): Promise<void>;
}

/**
 * Starts the gateway and the services in this process, and listens. They use the engines of the settings: the embedded store, which is
 * theirs alone, or a database and a broker, which any number of such processes can share.
 *
 * @throws the error of the engine or the socket if one of them fails, after closing all parts
 */
export async function startAllInOne(options: AllInOneOptions): Promise<RunningServer> {
  const { config, random = systemRandom, tracing } = options;
  const logger = options.logger ?? createLogger({ name: 'steward', ...config.logging });
  const metrics = options.metrics ?? createMetrics({ program: 'steward', release: RELEASE });
  const opened: (() => Promise<unknown>)[] = [];
  const { host } = config.server;
  const readiness = createReadiness(metrics);
  const close = () => {
    readiness.drain();
    return closeAll(opened.splice(0).reverse());
  };
  try {
    // From the start to the end, because both can take long.
    const { metrics_port: metricsPort, metrics_token: metricsToken } = config.telemetry;
    if (metricsPort !== undefined) {
      const probes = await serveProbes({ host, port: metricsPort, metrics, metricsToken, readiness });
      opened.push(() => probes.close());
    }
    const subscribed = Promise.withResolvers<void>();
    const isAlone = usesEmbeddedStore(config);
    const engines = isAlone
      ? await openOwnEngines({ ...options, logger, metrics, random, subscribed: subscribed.promise })
      : await openEngines({ name: 'steward-server', config, logger, metrics, tracing });
    opened.push(() => engines.close());
    const { store, bus, clock } = engines;
    // User calls services that call it. It reads their peers only when it serves requests, after all have started.
    const rooms: Rooms = {
      visibleTo: (...query) => roomPeer.visibleTo(...query),
      wakeWatchersOf: async (userId) => roomPeer.wakeWatchersOf(userId),
      countMemberships: async (userId) => roomPeer.countMemberships(userId),
    };
    const avatars: Media = { describe: (uri) => mediaPeer.describe(uri) };
    const user = await startUserService({
      ...engines,
      config,
      rooms,
      media: avatars,
    });
    opened.push(() => user.close());
    const { authenticate, authority } = user;
    const calls = { config, clock, logger, metrics, tracing, authenticate, authority };
    const peerCalls = { interceptors: peerInterceptors(calls) };
    const toUser = createLocalTransport(user.routes, peerCalls);
    const room = await startRoomService({ ...engines, config, user: toUser, sendsPushes: true });
    opened.push(() => room.close());
    const toRoom = createLocalTransport(room.routes, peerCalls);
    const roomPeer = roomsThrough(toRoom);
    const blobs = await openBlobs(config, store, random);
    opened.push(() => blobs.close());
    const media = await startMediaService({
      ...engines,
      config,
      blobs,
      user: toUser,
      room: toRoom,
    });
    opened.push(() => media.close());
    const toMedia = createLocalTransport(media.routes, peerCalls);
    const mediaPeer = mediaThrough(toMedia);
    const described = { kind: 'all-in-one', clock, random, metrics, readiness } as const;
    const own = isAlone ? describeProcess(described) : undefined;
    opened.push(async () => own?.close());
    const processes = own ? onlyProcess(() => own.describe()) : await openProcesses(store, clock);
    // Its tasks can begin before all parts are there.
    let entrance: Transport | undefined;
    const moderation = await startModerationService({
      processes,
      entrance: () => entrance,
      ...engines,
      config,
      sendsWebhooks: true,
      user: toUser,
      room: toRoom,
      media: toMedia,
    });
    opened.push(() => moderation.close());
    subscribed.resolve();
    const trail = await startAuditTrail({
      ...engines,
      maxRefusedAttempts: config.audit.refused_attempts_per_day,
    });
    opened.push(() => trail.close());
    const keys = await startIdempotencyKeys(engines);
    opened.push(() => keys.close());
    const routes = [...user.routes, ...room.routes, ...media.routes, ...moderation.routes];
    const ordered = orderedCalls(routes, clock);
    const interceptors = serverInterceptors(calls, { trail, keys, routes, ordered });
    const transport = createLocalTransport([...routes, ordered.route], { interceptors });
    entrance = transport;
    const usesDisk = isAlone ? !options.inMemory : config.media.store === 'file';
    const disk = usesDisk ? [checkDisk(config)] : [];
    const broker = isAlone ? [] : [checkBroker(bus)];
    readiness.serve([checkStore(store), ...broker, ...disk, ...user.checks]);
    const gateway = await createGateway({
      config,
      logger,
      random,
      metrics,
      tracing,
      transportOf: () => transport,
      readiness,
    });
    let grpc: RpcServer | undefined;
    opened.push(async () => {
      room.drain();
      media.drain();
      moderation.drain();
      // At the same time, because each may wait for its calls.
      await Promise.all([gateway.close(), grpc?.close()]);
    });
    if (config.server.grpc_port !== undefined) {
      grpc = await serveClients({
        config,
        random,
        logger,
        tls: options.tls,
        port: config.server.grpc_port,
        routes,
        interceptors,
        healthy: () => readiness.isReady(),
      });
    }
    const url = await listen(gateway, config.server);
    if (!isAlone) {
      const announcing = announceProcess(described, processes);
      opened.push(() => announcing.close());
    }
    const whenIdle = async () => {
      await user.whenIdle();
      await room.whenIdle();
      await media.whenIdle();
      await trail.whenIdle();
    };
    return { url, grpcUrl: grpc?.url, store, bus, hasAdministrator: user.hasAdministrator, whenIdle, close };
  } catch (error) {
    // Failures to close are only logged, because the operator needs the error that prevented the start.
    await close().catch((closeError: unknown) => logger.error({ err: closeError }, 'a part was not closed'));
    throw error;
  }
}
