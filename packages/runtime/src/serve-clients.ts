import type { Interceptor } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import { closeAll, type Random } from '@steward/kernel';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { methodRules, type Route, type RpcServer, serveRpc, type Tls } from '@steward/rpc';
import type { Logger } from '@steward/telemetry';
import { openClients } from './files/open-clients.ts';

/** The size of the credential that nobody has, in bytes. */
const CREDENTIAL_BYTES = 32;

/** What one process serves to the programs in `services.clients`. */
export interface ServeClientsOptions {
  readonly config: Config;
  readonly random: Random;
  readonly logger: Logger;
  readonly tls?: Tls | undefined;
  /** 0 takes any free port. */
  readonly port: number;
  /** The routes of all services. */
  readonly routes: readonly Route[];
  readonly interceptors: readonly Interceptor[];
  readonly healthy: () => Promise<boolean>;
}

/**
 * Serves the services of one process to programs, as a service that is a process serves its own. The services call each other
 * within the process, so that nobody has the credential of the server's processes, and services for these alone are not served.
 */
export async function serveClients(options: ServeClientsOptions): Promise<RpcServer> {
  const { config, random, logger, routes, ...served } = options;
  const credential = random.bytes(CREDENTIAL_BYTES).toString('base64url');
  const clients = await openClients(config, credential, logger);
  try {
    const { host } = config.server;
    const server = await serveRpc({ ...served, routes: routes.filter(isPublic), credential, clients, host });
    return { url: server.url, close: () => closeAll([() => server.close(), () => clients.close()]) };
  } catch (error) {
    await clients.close();
    throw error;
  }
}

/** Whether others than the services may call a method of a service. */
function isPublic({ service }: Route): boolean {
  return service.methods.some((method) => methodRules(method).access !== Access.INTERNAL);
}
