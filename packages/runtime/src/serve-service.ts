import { startAuditTrail } from '@steward/audit';
import { closeAll } from '@steward/kernel';
import { type Authenticate, type Route, serveRpc } from '@steward/rpc';
import { createMetrics } from '@steward/telemetry';
import { aroundCalls } from './around-calls.ts';
import { internalCredential } from './credential.ts';
import { type Engines, openEngines } from './engines.ts';
import type { ProcessContext, RunningProcess } from './run-process.ts';
import { serveProbes } from './serve-probes.ts';

/** A service as a process serves it. */
export interface ServableService {
  readonly routes: readonly Route[];
  /** Looks tokens up. */
  readonly authenticate: Authenticate;
  /** Answers those who wait for something to happen, before the calls under way are waited for. */
  release?(): void;
  close(): Promise<void>;
}

/**
 * Serves a service in a process of its own: opens the engines, starts it, listens. Ends in the reverse
 * order, so that no call finds its engines gone.
 */
export async function serveService(
  { config, logger }: ProcessContext,
  start: (engines: Engines) => Promise<ServableService>,
): Promise<RunningProcess> {
  const credential = internalCredential(config);
  const opened: (() => Promise<unknown>)[] = [];
  const close = () => closeAll(opened.splice(0).reverse());
  try {
    const engines = await openEngines(config, logger);
    opened.push(() => engines.close());
    const service = await start(engines);
    opened.push(() => service.close());
    const trail = await startAuditTrail(engines);
    opened.push(() => trail.close());
    const healthy = () => engines.store.healthy();
    const { host, port } = config.server;
    const server = await serveRpc({
      routes: service.routes,
      interceptors: aroundCalls(logger, trail, service.authenticate),
      credential,
      host,
      port,
      healthy,
    });
    opened.push(() => {
      service.release?.();
      return server.close();
    });
    if (config.telemetry.metrics_port !== undefined) {
      const probes = await serveProbes({
        host,
        port: config.telemetry.metrics_port,
        metrics: createMetrics(),
        healthy,
      });
      opened.push(() => probes.close());
    }
    return { banner: `ready at ${server.url}\n`, close };
  } catch (error) {
    // What keeps the process from starting is what its operator has to know.
    await close().catch((closeError: unknown) => logger.error({ err: closeError }, 'a part was not closed'));
    throw error;
  }
}
