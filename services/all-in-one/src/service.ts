import { startAuditTrail } from '@steward/audit';
import type { Config } from '@steward/config';
import { type Bus, createLocalBus, traceBus } from '@steward/events';
import { createGateway, listen } from '@steward/gateway';
import { type Clock, closeAll, type Random, systemClock, systemRandom, type Tracing } from '@steward/kernel';
import { openBlobs, startMediaService } from '@steward/media';
import { startModerationService } from '@steward/moderation';
import { startRoomService } from '@steward/room';
import { createLocalTransport, type RpcServer, type Tls } from '@steward/rpc';
import {
  checkDisk,
  checkStore,
  createReadiness,
  describeProcess,
  onlyProcess,
  openEmbeddedStore,
  peerInterceptors,
  RELEASE,
  reportTo,
  sayMigrations,
  serveClients,
  serveProbes,
  serverInterceptors,
} from '@steward/runtime';
import { type Store, traceStore } from '@steward/store';
import { createLogger, createMetrics, type Logger, type Metrics } from '@steward/telemetry';
import { type Media, mediaThrough, type Rooms, roomsThrough, startUserService } from '@steward/user';

/** The configuration of the server, and its replaceable parts. */
export interface AllInOneOptions {
  readonly config: Config;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Records requests, if any are to be recorded. */
  readonly tracing?: Tracing | undefined;
  /** The identity towards programs that call over gRPC; without it they connect without TLS. */
  readonly tls?: Tls | undefined;
  /** Keeps all data in memory, for tests without a restart. */
  readonly inMemory?: boolean;
  /** Wraps the store, for tests that watch what is read from it. */
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
 * Starts the gateway and the services in this process, on the embedded store, and listens.
 *
 * @throws the error of the engine or the socket if one of them fails, after closing all parts
 */
export async function startAllInOne(options: AllInOneOptions): Promise<RunningServer> {
  const { config, clock = systemClock, random = systemRandom, tracing } = options;
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
    const database = await openEmbeddedStore(config, {
      inMemory: options.inMemory ?? false,
      meters: metrics,
      say: (line) => logger.info(line),
    });
    opened.push(() => database.close());
    const traced = tracing ? traceStore(database, 'sqlite', tracing) : database;
    const store = options.aroundStore?.(traced) ?? traced;
    const engines = {
      ...{ store, clock, random, report: reportTo(logger), meters: metrics, tracing },
      onMigration: sayMigrations((line) => logger.info(line)),
    };
    const subscribed = Promise.withResolvers<void>();
    const local = await createLocalBus({ ...engines, subscribed: subscribed.promise });
    opened.push(() => local.close());
    const bus = tracing ? traceBus(local, 'in_process', tracing) : local;
    // User calls services that call it. It reads their peers only when it serves requests, after all have started.
    const rooms: Rooms = {
      visibleTo: (...query) => roomPeer.visibleTo(...query),
      wakeWatchersOf: async (userId) => roomPeer.wakeWatchersOf(userId),
    };
    const avatars: Media = { describe: (uri) => mediaPeer.describe(uri) };
    const user = await startUserService({
      ...engines,
      config,
      bus,
      rooms,
      media: avatars,
    });
    opened.push(() => user.close());
    const { authenticate, authority } = user;
    const calls = { config, clock, logger, metrics, tracing, authenticate, authority };
    const peerCalls = { interceptors: peerInterceptors(calls) };
    const toUser = createLocalTransport(user.routes, peerCalls);
    const room = await startRoomService({ ...engines, config, bus, user: toUser, sendsPushes: true });
    opened.push(() => room.close());
    const toRoom = createLocalTransport(room.routes, peerCalls);
    const roomPeer = roomsThrough(toRoom);
    const blobs = await openBlobs(config, store, random);
    opened.push(() => blobs.close());
    const media = await startMediaService({
      ...engines,
      config,
      blobs,
      bus,
      user: toUser,
      room: toRoom,
    });
    opened.push(() => media.close());
    const toMedia = createLocalTransport(media.routes, peerCalls);
    const mediaPeer = mediaThrough(toMedia);
    const own = describeProcess({ kind: 'all-in-one', clock, random, metrics, readiness });
    opened.push(async () => own.close());
    const moderation = await startModerationService({
      processes: onlyProcess(() => own.describe()),
      ...engines,
      config,
      bus,
      sendsWebhooks: true,
      user: toUser,
      room: toRoom,
      media: toMedia,
    });
    opened.push(() => moderation.close());
    subscribed.resolve();
    const trail = await startAuditTrail({
      ...engines,
      bus,
      maxRefusedAttempts: config.audit.refused_attempts_per_day,
    });
    opened.push(() => trail.close());
    const routes = [...user.routes, ...room.routes, ...media.routes, ...moderation.routes];
    const interceptors = serverInterceptors(calls, trail);
    const transport = createLocalTransport(routes, { interceptors });
    const disk = options.inMemory ? [] : [checkDisk(config)];
    readiness.serve([checkStore(store), ...disk, ...user.checks]);
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
