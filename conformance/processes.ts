import { loadConfig } from '@steward/config';
import { type Bus, createJetStreamBus } from '@steward/events';
import { systemClock, systemRandom } from '@steward/kernel';
import { type Room, rooms } from '@steward/room/testing';
import { openMongoStore } from '@steward/store';
import {
  type RunningSetup,
  type ServiceName,
  type Setup,
  type SetupOptions,
  withLongTimeouts,
} from '@steward/testing';
import { startTopology, type Topology, type TopologyOptions } from '@steward/topology';
import { type Engines, freePorts, newSandbox, type Sandbox } from '@steward/topology/testing';
import { type Account, accounts } from '@steward/user/testing';
import { balance } from './balance.ts';
import { configureClients } from './clients.ts';
import { seedThrough } from './seed.ts';

/** The number of gateways, and of services. */
const GATEWAYS = 1;
const SERVICES = 4;

/** How long an instance may use totals from before a change by another instance, in milliseconds. */
const TOTALS_MAX_AGE_MS = 1_000;

/** The interval of the queries for pending effects, in milliseconds. */
const PENDING_POLL_MS = 20;

/** The credential of the processes. */
const CREDENTIAL = 'the credential of the processes';

/** Which processes a set-up has. */
type Shape = Required<Pick<TopologyOptions, 'instances' | 'whole'>>;

/** Gateway and services as processes, with a separate database and broker namespace. */
export function processes(engines: Engines, instances = 1): Setup {
  return {
    name: instances === 1 ? 'processes on MongoDB and NATS' : `${instances} processes of each service`,
    start: (options) => run(newSandboxOn(engines), { instances, whole: 0 }, options),
  };
}

/** Whole servers on a separate database and broker namespace; requests go to each in turn. */
export function wholeServers(engines: Engines, whole: number): Setup {
  return {
    name: `${whole} whole servers on MongoDB and NATS`,
    start: (options) => run(newSandboxOn(engines), { instances: 0, whole }, options),
  };
}

function newSandboxOn(engines: Engines): Sandbox {
  return newSandbox({ ...engines, mongo: withLongTimeouts(engines.mongo) });
}

async function run(sandbox: Sandbox, shape: Shape, options: SetupOptions): Promise<RunningSetup> {
  const { instances, whole } = shape;
  const clients = await configureClients();
  const settings = {
    ...sandbox.settings({ services: clients.services, ...options.config }),
    STEWARD_INTERNAL_CREDENTIAL: CREDENTIAL,
  };
  const metricsPorts = await freePorts(whole || GATEWAYS + SERVICES * instances);
  const topology = await startTopology({ env: settings, ...shape, metricsPorts });
  const store = await openMongoStore({ url: sandbox.store });
  const accountsOf = await store.collection<Account>(accounts);
  const roomsOf = await store.collection<Room>(rooms);
  const config = loadConfig({ env: settings });
  let bus: Promise<Bus> | undefined;
  const openBus = () => {
    const { nats_url: servers = '', namespace } = config.bus;
    bus ??= createJetStreamBus({ broker: { servers }, namespace, clock: systemClock, random: systemRandom });
    return bus;
  };
  const balancer = whole > 0 ? await balance(topology.gateways.map(({ url }) => url)) : undefined;
  const stop = async () => {
    await balancer?.close();
    await (await bus)?.close();
    await topology.close();
    await store.close();
    await clients.remove();
  };
  return {
    url: balancer?.url ?? topology.url,
    serverName: config.server.name,
    sharedSecret: config.registration.shared_secret,
    seed: await seedThrough(store, openBus),
    ...(whole > 0 ? {} : { ports: { credential: CREDENTIAL, urlOf: (service) => urlOf(topology, service) } }),
    async whenIdle() {
      while (await accountsOf.findOne({ 'pending.id': { $gt: '' } }, { projection: { _id: 1 } })) {
        await pause(PENDING_POLL_MS);
      }
      while (await roomsOf.findOne({ 'pending.id': { $gt: '' } }, { projection: { _id: 1 } })) {
        await pause(PENDING_POLL_MS);
      }
      if (Math.max(instances, whole) > 1) await pause(TOTALS_MAX_AGE_MS);
    },
    async metrics() {
      const texts = metricsPorts.map(async (port) =>
        (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      );
      return (await Promise.all(texts)).join('\n');
    },
    async restart(next) {
      await stop();
      return run(sandbox, shape, next);
    },
    async close() {
      await stop();
      await sandbox.drop();
    },
  };
}

function urlOf(topology: Topology, service: ServiceName): string {
  const [child] = topology[service];
  if (!child) throw new Error(`There is no process of the service ${service}`);
  return child.url;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
