import { fileURLToPath } from 'node:url';
import { randomId, systemClock, systemRandom } from '@steward/kernel';
import { type Child, startChild } from './child.ts';
import { freePorts } from './free-ports.ts';
import { type Supervisor, supervise } from './supervise.ts';

/** The services, in the order of their ports. */
export const SERVICES = ['user', 'room', 'media', 'moderation'] as const;

type Service = (typeof SERVICES)[number];

const HOST = '127.0.0.1';

const CREDENTIAL_BYTES = 32;

/** The settings and the number of the processes. */
export interface TopologyOptions {
  /** The settings of all processes, as environment variables: at least the store and the broker. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the settings of `env` are such that the services are called over TLS; false by default. */
  readonly tls?: boolean;
  /** Further settings of the processes of single services, which replace those of all. */
  readonly own?: Readonly<Partial<Record<Service, Readonly<Record<string, string>>>>>;
  /** The number of processes that each run the whole server, in place of gateways and services; none by default. */
  readonly whole?: number;
  /** The port of the first gateway, or whole server; a free one by default. */
  readonly port?: number;
  /** The number of processes of each service; one by default. */
  readonly instances?: number;
  /** The number of gateways; one by default. */
  readonly gateways?: number;
  /**
   * The ports of the services: first those of the user service, then of the room, media and moderation services. Free
   * ones by default.
   */
  readonly servicePorts?: readonly number[];
  /** The ports for metrics: first those of the gateways, then as `servicePorts`. Without them, no service has one. */
  readonly metricsPorts?: readonly number[];
  /**
   * Receives a line about each process that ends by itself, which is then started again, see `supervise`. Without it,
   * such a process does not run any more.
   */
  readonly onEnd?: (line: string) => void;
}

/** The processes of a server. */
export interface Topology {
  /** The URL of the first gateway, or whole server. */
  readonly url: string;
  /** The processes that clients connect to: gateways, or whole servers, besides which there are no others. */
  readonly gateways: readonly Child[];
  /** The processes of the user service. */
  readonly user: readonly Child[];
  /** The processes of the room service. */
  readonly room: readonly Child[];
  /** The processes of the media service. */
  readonly media: readonly Child[];
  /** The processes of the moderation service. */
  readonly moderation: readonly Child[];
  /**
   * Drains and ends all processes, the gateways first.
   *
   * @throws Error after all have ended, if one of them exited with another code than 0
   */
  close(): Promise<void>;
}

/**
 * Starts the server as several processes: those of each service, on free ports, and the gateways in
 * front of them; or whole servers. They authenticate each other with the configured credential, or a random one for this run.
 */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const env = {
    ...options.env,
    STEWARD_HOST: HOST,
    STEWARD_INTERNAL_CREDENTIAL:
      options.env.STEWARD_INTERNAL_CREDENTIAL || randomId(systemRandom, CREDENTIAL_BYTES),
  };
  const { port, instances = 1, whole = 0, gateways = whole || 1, onEnd } = options;
  const scheme = options.tls ? 'https' : 'http';
  // Chosen in advance, because services need the URLs of services that start with or after them, and because a
  // restarted process keeps its port.
  const ports = options.servicePorts ?? (await freePorts(whole > 0 ? 0 : SERVICES.length * instances));
  const [anyPort = 0, ...otherPorts] = await freePorts(gateways);
  const gatewayPorts = [port || anyPort, ...otherPorts];
  const metricsPorts = new Map(
    options.metricsPorts?.map((metricsPort, n) => [[...gatewayPorts, ...ports][n], metricsPort]),
  );
  const portsOf = (service: Service) => {
    const first = SERVICES.indexOf(service) * instances;
    return ports.slice(first, first + instances);
  };
  const started: Child[] = [];
  const supervisors: Supervisor[] = [];
  const close = async () => {
    for (const supervisor of supervisors) supervisor.stop();
    const faults: unknown[] = [];
    for (const child of started.splice(0).reverse()) {
      await child.stop().catch((error: unknown) => faults.push(error));
    }
    if (faults.length > 0) throw faults[0];
  };
  const urls: Record<string, string> = {};
  // Sequentially, so that the first process creates the indexes of its service.
  const startEach = async (name: string, entry: string, itsPorts: readonly number[], settings = {}) => {
    const children: Child[] = [];
    for (const port of itsPorts) {
      const metricsPort = metricsPorts.get(port);
      const own = {
        STEWARD_PORT: String(port),
        ...(metricsPort === undefined ? {} : { STEWARD_METRICS_PORT: String(metricsPort) }),
      };
      const child = await startChild(entry, { ...env, ...settings, ...urls, ...own });
      children.push(child);
      started.push(child);
      if (onEnd) supervisors.push(supervise(child, { name, clock: systemClock, report: onEnd }));
    }
    return children;
  };
  const startService = (service: Service) =>
    startEach(`${service} service`, programOf(service), portsOf(service), options.own?.[service]);
  const url = urlsAt('http', gatewayPorts.slice(0, 1));
  try {
    if (whole > 0) {
      const servers = await startEach('server', programOf('serve'), gatewayPorts);
      return { url, gateways: servers, user: [], room: [], media: [], moderation: [], close };
    }
    urls.STEWARD_ROOM_URLS = urlsAt(scheme, portsOf('room'));
    urls.STEWARD_MEDIA_URLS = urlsAt(scheme, portsOf('media'));
    const user = await startService('user');
    urls.STEWARD_USER_URLS = urlsOf(user);
    const [room, media, moderation] = await allOrNone(
      startService('room'),
      startService('media'),
      startService('moderation'),
    );
    urls.STEWARD_MODERATION_URLS = urlsOf(moderation);
    const inFront = await startEach('gateway', programOf('gateway'), gatewayPorts);
    return { url, gateways: inFront, user, room, media, moderation, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the path of a built program. */
function programOf(command: Service | 'gateway' | 'serve'): string {
  return fileURLToPath(new URL(`../../../dist/${command}.js`, import.meta.url));
}

/** Works as `Promise.all`, but rejects only after all promises have settled, so that the caller can end what has started. */
async function allOrNone<T extends readonly unknown[]>(
  ...promises: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as unknown as T;
}

/** Returns the URLs of the processes with these ports. */
function urlsAt(scheme: 'http' | 'https', ports: readonly number[]): string {
  return ports.map((port) => `${scheme}://${HOST}:${port}`).join(',');
}

function urlsOf(children: readonly Child[]): string {
  return children.map(({ url }) => url).join(',');
}
