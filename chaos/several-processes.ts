import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startFaultyProxy, withLongTimeouts } from '@steward/testing';
import { startTopology } from '@steward/topology';
import {
  type Engines,
  freePorts,
  newSandbox,
  publishedFacts,
  startEngine,
  startNatsServer,
} from '@steward/topology/testing';
import { MongoClient } from 'mongodb';
import { type Site, type StoredDocument, type Victim, victimOf } from './site.ts';

const MONGODB_PORT = 27_017;

/** The parameters of the server. */
export interface SeveralOptions extends Engines {
  /** How many processes each service has, and how many gateways there are. */
  readonly instances: number;
  /** How many whole servers there are in place of those; none by default. */
  readonly whole?: number;
  /** Whether the broker and the database are victims as well. */
  readonly engines: boolean;
  /** The program of a NATS server. Without one the run uses the shared broker and does not kill it. */
  readonly natsServer?: string | undefined;
  /**
   * The command that runs a database server in the foreground, with `{port}` instead of its port. Without one the run
   * uses the shared server at `mongo` and cuts its own connection to it instead.
   */
  readonly database?: string | undefined;
}

/** Starts the server as several processes. */
export async function openSeveralProcesses(options: SeveralOptions): Promise<Site> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    const { mongo, nats, victims } = options.engines
      ? await ownEngines(options, (each) => closing.push(each))
      : { ...options, victims: [] };
    const sandbox = newSandbox({ mongo, nats });
    closing.push(() => sandbox.drop());
    const { instances, whole } = options;
    const env = {
      ...sandbox.settings({ push: { allowed_addresses: ['127.0.0.1'] } }),
      STEWARD_LOG_LEVEL: 'silent',
    };
    const shape = whole === undefined ? { instances, gateways: instances } : { whole };
    const topology = await startTopology({ env, ...shape });
    closing.push(() => topology.close());
    const client = await MongoClient.connect(sandbox.store);
    closing.push(() => client.close());
    const services = { ...topology, gateway: topology.gateways };
    const processes = (['user', 'room', 'media', 'moderation', 'gateway'] as const).flatMap((service) =>
      services[service].map((child, n) => victimOf(`${whole ? 'server' : service} ${n}`, child)),
    );
    return {
      urls: topology.gateways.map(({ url }) => url),
      victims: [...victims, ...processes],
      documents: () => documentsIn(client),
      undelivered: () => undeliveredAt(nats, sandbox.namespace),
      facts: () => publishedFacts(nats, sandbox.namespace),
      damage: async () => [],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ownEngines(
  { mongo, nats, natsServer, database }: SeveralOptions,
  closing: (close: () => Promise<unknown>) => void,
): Promise<Engines & { readonly victims: readonly Victim[] }> {
  const broker = natsServer === undefined ? undefined : await startNatsServer(natsServer);
  if (broker) closing(() => broker.close());
  const victims: Victim[] = broker ? [{ name: 'broker', ...broker }] : [];
  if (database !== undefined) {
    const engine = await startEngine((port) => database.replaceAll('{port}', String(port)).split(' '));
    closing(() => engine.kill());
    victims.push({ name: 'database', ...engine });
    return { mongo: `mongodb://127.0.0.1:${engine.port}/`, nats: broker?.url ?? nats, victims };
  }
  const [port] = await freePorts(1);
  const proxy = await startFaultyProxy(mongo, MONGODB_PORT, port);
  closing(() => proxy.cut());
  const behindProxy = new URL(proxy.url);
  behindProxy.searchParams.set('directConnection', 'true');
  victims.push({ name: 'connection to the database', kill: () => proxy.cut(), start: () => proxy.repair() });
  // The connection is cut for less than half a second; a longer absence means that the server is busy.
  return { mongo: withLongTimeouts(behindProxy.href), nats: broker?.url ?? nats, victims };
}

async function* documentsIn(client: MongoClient): AsyncGenerator<StoredDocument> {
  for (const { collectionName } of await client.db().collections()) {
    for await (const document of client.db().collection(collectionName).find()) {
      yield { collection: collectionName, document };
    }
  }
}

async function undeliveredAt(servers: string, namespace: string): Promise<readonly string[]> {
  const connection = await connect({ servers });
  try {
    const { streams, consumers } = await jetstreamManager(connection);
    const stream = namespace.toUpperCase();
    const found: string[] = [];
    for await (const { name, num_pending: waiting, num_ack_pending: handed } of consumers.list(stream)) {
      if (waiting + handed > 0) found.push(`${waiting} facts wait for ${name}, ${handed} are being handled`);
    }
    const { messages } = (await streams.info(`${stream}_DEAD_LETTERS`)).state;
    if (messages > 0) found.push(`${messages} dead letters`);
    return found;
  } finally {
    await connection.close();
  }
}
