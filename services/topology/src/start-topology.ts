import { fileURLToPath } from 'node:url';
import { randomId, systemRandom } from '@steward/kernel';
import { type Child, startChild } from './child.ts';
import { freePorts } from './free-ports.ts';

const MEDIA = fileURLToPath(new URL('../../media/src/main.ts', import.meta.url));
const MODERATION = fileURLToPath(new URL('../../moderation/src/main.ts', import.meta.url));
const ROOM = fileURLToPath(new URL('../../room/src/main.ts', import.meta.url));
const USER = fileURLToPath(new URL('../../user/src/main.ts', import.meta.url));
const GATEWAY = fileURLToPath(new URL('../../../gateway/src/main.ts', import.meta.url));

const HOST = '127.0.0.1';

const CREDENTIAL_BYTES = 32;

/** The settings and the number of the processes. */
export interface TopologyOptions {
  /** The settings of all processes, as environment variables: at least the store and the broker. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The port of the first gateway; a free one by default. */
  readonly port?: number;
  /** The number of processes of each service; one by default. */
  readonly instances?: number;
  /** The number of gateways; one by default. */
  readonly gateways?: number;
}

/** The processes of a server. */
export interface Topology {
  /** The URL of the first gateway. */
  readonly url: string;
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
 * front of them. They authenticate each other with the configured credential, or a random one for this run.
 */
export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const env = {
    ...options.env,
    STEWARD_HOST: HOST,
    STEWARD_INTERNAL_CREDENTIAL:
      options.env.STEWARD_INTERNAL_CREDENTIAL || randomId(systemRandom, CREDENTIAL_BYTES),
  };
  const started: Child[] = [];
  const close = async () => {
    const faults: unknown[] = [];
    for (const child of started.splice(0).reverse()) {
      await child.stop().catch((error: unknown) => faults.push(error));
    }
    if (faults.length > 0) throw faults[0];
  };
  const start = async (entry: string, more: Readonly<Record<string, string>>) => {
    const child = await startChild(entry, { ...env, ...more });
    started.push(child);
    return child;
  };
  try {
    const urls: Record<string, string> = {};
    // Sequentially, so that the first process creates the indexes of its service.
    const startEach = async (entry: string, ports: readonly number[]) => {
      const children: Child[] = [];
      for (const port of ports) children.push(await start(entry, { STEWARD_PORT: String(port), ...urls }));
      return children;
    };
    // Chosen in advance, because services need the URLs of services that start with or after them, and because a
    // restarted process keeps its port.
    const { port, instances = 1, gateways = 1 } = options;
    const ports = [...(await freePorts(4 * instances + gateways))];
    const roomPorts = ports.splice(0, instances);
    const mediaPorts = ports.splice(0, instances);
    urls.STEWARD_ROOM_URLS = urlsAt(roomPorts);
    urls.STEWARD_MEDIA_URLS = urlsAt(mediaPorts);
    const user = await startEach(USER, ports.splice(0, instances));
    urls.STEWARD_USER_URLS = urlsOf(user);
    const [room, media, moderation] = await allOrNone(
      startEach(ROOM, roomPorts),
      startEach(MEDIA, mediaPorts),
      startEach(MODERATION, ports.splice(0, instances)),
    );
    urls.STEWARD_MODERATION_URLS = urlsOf(moderation);
    const [anyPort = 0, ...otherPorts] = ports;
    const first = await start(GATEWAY, { STEWARD_PORT: String(port || anyPort), ...urls });
    const others = await startEach(GATEWAY, otherPorts);
    return { url: first.url, gateways: [first, ...others], user, room, media, moderation, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Works as `Promise.all`, but rejects only after all promises have settled, so that the caller can end what has started. */
async function allOrNone<T extends readonly unknown[]>(
  ...promises: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as unknown as T;
}

/** Returns the URLs of the processes with these ports. */
function urlsAt(ports: readonly number[]): string {
  return ports.map((port) => `http://${HOST}:${port}`).join(',');
}

function urlsOf(children: readonly Child[]): string {
  return children.map(({ url }) => url).join(',');
}
