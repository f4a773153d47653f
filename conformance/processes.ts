import { loadConfig } from '@steward/config';
import { type Bus, createJetStreamBus } from '@steward/events';
import { systemClock, systemRandom } from '@steward/kernel';
import { type Room, rooms } from '@steward/room/testing';
import { openMongoStore } from '@steward/store';
import { type RunningSetup, type Setup, type SetupOptions, withLongTimeouts } from '@steward/testing';
import { startTopology } from '@steward/topology';
import { type Engines, freePorts, newSandbox, type Sandbox } from '@steward/topology/testing';
import { type Account, accounts } from '@steward/user/testing';
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

/** Gateway and services as processes, with a separate database and broker namespace. */
export function processes(engines: Engines, instances = 1): Setup {
  return {
    name: instances === 1 ? 'processes on MongoDB and NATS' : `${instances} processes of each service`,
    start: (options) =>
      run(newSandbox({ ...engines, mongo: withLongTimeouts(engines.mongo) }), instances, options),
  };
}

async function run(sandbox: Sandbox, instances: number, options: SetupOptions): Promise<RunningSetup> {
  const clients = await configureClients();
  const settings = {
    ...sandbox.settings({ services: clients.services, ...options.config }),
    STEWARD_INTERNAL_CREDENTIAL: CREDENTIAL,
  };
  const metricsPorts = await freePorts(GATEWAYS + SERVICES * instances);
  const topology = await startTopology({ env: settings, instances, metricsPorts });
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
  const stop = async () => {
    await (await bus)?.close();
    await topology.close();
    await store.close();
    await clients.remove();
  };
  return {
    url: topology.url,
    serverName: config.server.name,
    sharedSecret: config.registration.shared_secret,
    seed: await seedThrough(store, openBus),
    ports: {
      credential: CREDENTIAL,
      urlOf(service) {
        const [child] = topology[service];
        if (!child) throw new Error(`There is no process of the service ${service}`);
        return child.url;
      },
    },
    async whenIdle() {
      while (await accountsOf.findOne({ 'pending.id': { $gt: '' } }, { projection: { _id: 1 } })) {
        await pause(PENDING_POLL_MS);
      }
      while (await roomsOf.findOne({ 'pending.id': { $gt: '' } }, { projection: { _id: 1 } })) {
        await pause(PENDING_POLL_MS);
      }
      if (instances > 1) await pause(TOTALS_MAX_AGE_MS);
    },
    async metrics() {
      const texts = metricsPorts.map(async (port) =>
        (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      );
      return (await Promise.all(texts)).join('\n');
    },
    async restart(next) {
      await stop();
      return run(sandbox, instances, next);
    },
    async close() {
      await stop();
      await sandbox.drop();
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
