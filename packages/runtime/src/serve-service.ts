import type { Transport } from '@connectrpc/connect';
import { startAuditTrail } from '@steward/audit';
import { forwardedWriters } from '@steward/http';
import { startIdempotencyKeys } from '@steward/idempotency';
import { closeAll } from '@steward/kernel';
import { type Authenticate, type Authority, orderedCalls, type Route, serveRpc } from '@steward/rpc';
import { internalCredential } from './credential.ts';
import { type Engines, openEngines } from './engines.ts';
import { openClients } from './files/open-clients.ts';
import { serverInterceptors } from './interceptors.ts';
import type { Peer } from './open-peer.ts';
import { announceProcess } from './processes/announce-process.ts';
import { openProcesses } from './processes/stored-processes.ts';
import { checkBroker, checkPeers, checkStore } from './readiness/checks.ts';
import { type Check, createReadiness } from './readiness/readiness.ts';
import type { ProcessContext, RunningProcess } from './run-process.ts';
import { serveProbes } from './serve-probes.ts';

/** A service that a process can serve. */
export interface ServableService {
  readonly kind: Peer;
  readonly routes: readonly Route[];
  /** Looks tokens up. */
  readonly authenticate: Authenticate;
  /** Knows the scopes of accounts. */
  readonly authority: Authority;
  /** Answers long polls, before the process waits for running calls. */
  drain?(): void;
  close(): Promise<void>;
  /** The services that it calls. */
  readonly peers: Readonly<Partial<Record<Peer, Transport>>>;
  /** What it needs besides the store, the broker and its peers. */
  readonly checks?: readonly Check[];
}

/**
 * Serves a service in its own process: opens the engines, starts the service, listens. It closes in the reverse
 * order, so that no call finds its engines closed.
 */
export async function serveService(
  context: Pick<ProcessContext, 'name' | 'config' | 'logger' | 'metrics' | 'tracing' | 'tls'>,
  start: (engines: Engines) => Promise<ServableService>,
): Promise<RunningProcess> {
  const { config, logger, metrics, tracing, tls } = context;
  const credential = internalCredential(config);
  const { host, port } = config.server;
  const readiness = createReadiness(metrics);
  const opened: (() => Promise<unknown>)[] = [];
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
    const clients = await openClients(config, credential, logger);
    opened.push(() => clients.close());
    const engines = await openEngines(context);
    opened.push(() => engines.close());
    const service = await start(engines);
    opened.push(() => service.close());
    const trail = await startAuditTrail({
      ...engines,
      maxRefusedAttempts: config.audit.refused_attempts_per_day,
    });
    opened.push(() => trail.close());
    const keys = await startIdempotencyKeys(engines);
    opened.push(() => keys.close());
    const { store, bus } = engines;
    const peers = checkPeers(service.peers, () => 'degraded');
    readiness.serve([checkStore(store), checkBroker(bus), ...(service.checks ?? []), ...peers]);
    const { clock, random } = engines;
    const { authenticate, authority } = service;
    const calls = { config, clock, logger, metrics, tracing, authenticate, authority };
    const { routes } = service;
    const ordered = orderedCalls(routes, clock);
    const server = await serveRpc({
      routes: [...routes, ordered.route],
      interceptors: serverInterceptors(calls, { trail, keys, routes, ordered }),
      credential,
      clients,
      tls,
      host,
      port,
      healthy: () => readiness.isReady(),
      writers: forwardedWriters(service.routes.map((route) => route.service)),
    });
    opened.push(() => {
      service.drain?.();
      return server.close();
    });
    const described = { kind: service.kind, clock, random, metrics, readiness };
    const announcing = announceProcess(described, await openProcesses(store, clock));
    opened.push(() => announcing.close());
    return { banner: `ready at ${server.url}\n`, close };
  } catch (error) {
    // The operator needs the error that prevented the start, not that of the close.
    await close().catch((closeError: unknown) => logger.error({ err: closeError }, 'a part was not closed'));
    throw error;
  }
}
