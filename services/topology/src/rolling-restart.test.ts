import { isDue, path, requireEngine, withLongTimeouts } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, createKeepAliveClient, type KeepAliveClient } from './fixtures/keep-alive-client.ts';
import { startLoad } from './fixtures/load.ts';
import { registerAdmin } from './fixtures/register-admin.ts';
import { newSandbox } from './fixtures/sandbox.ts';
import { startTopology, type Topology, type TopologyOptions } from './start-topology.ts';

/** What starts and stops processes, and what sends requests to them. */
const GUARDS = ['services/topology/', 'packages/runtime/', 'packages/rpc/'];

const CLIENTS = 2;

/** Few logins, because hashing passwords would use up the processor. */
const ROUNDS_PER_LOGIN = 4;

/** Long, because starting a process takes seconds on a busy machine. */
const TIMEOUT_MS = 300_000;

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');
const missing = mongo.url === undefined || nats.url === undefined;

/**
 * Starts a server and restarts some of its processes one after the other under load: first services, then gateways.
 * Returns the failures, and how many requests had gone to another gateway before the first gateway was restarted.
 */
async function restartUnderLoad(
  options: Pick<TopologyOptions, 'gateways' | 'instances' | 'whole'>,
  choose: (
    topology: Topology,
  ) => Partial<Pick<Topology, 'gateways'>> & { readonly services: Topology['user'] },
) {
  const sandbox = newSandbox({ mongo: withLongTimeouts(mongo.url ?? ''), nats: nats.url ?? '' });
  onTestFinished(() => sandbox.drop());
  const topology = await startTopology({ env: sandbox.settings(), ...options });
  onTestFinished(() => topology.close());
  const token = await registerAdmin(topology.url);
  const urls = topology.gateways.map(({ url }) => url);
  const clients = Array.from({ length: CLIENTS }, (_, n) => createKeepAliveClient(urls, { first: n }));

  const load = startLoad(clients.map((client, n) => roundOf(client, `user-${n}`, token)));
  onTestFinished(() => load.stop());
  await load.rounds(1);
  const restart = async (children: Topology['user']) => {
    for (const child of children) {
      await child.stop();
      await child.start();
      await load.rounds(1);
    }
  };
  const { services, gateways = [] } = choose(topology);
  await restart(services);
  const moved = clients.reduce((sum, client) => sum + client.moved, 0);
  await restart(gateways);
  await load.stop();
  for (const client of clients) client.close();
  return { failures: load.failures, moved };
}

/** The round of a client: it writes and reads an account, lists accounts, sets and reads a topic, logs in and uses the session. */
function roundOf(client: KeepAliveClient, name: string, token: string): (count: number) => Promise<void> {
  const account = path`/_service/admin/v2/users/${`@${name}:test`}`;
  const password = `secret of ${name}`;
  let room = '';
  return async (count) => {
    const displayname = `${name} ${count}`;
    const fields = count === 0 ? { displayname, password } : { displayname };
    accept(await client.send('PUT', account, { token, body: fields }));
    const read = accept(await client.send('GET', account, { token }));
    if (read.displayname !== displayname) throw new Error(`${read.displayname} was read, not ${displayname}`);
    accept(await client.send('GET', '/_service/admin/v2/users?limit=5&order_by=displayname', { token }));
    if (count === 0) {
      const created = accept(await client.send('POST', '/_proto/client/v3/createRoom', { token, body: {} }));
      room = path`/_proto/client/v3/rooms/${String(created.room_id)}`;
    }
    const topic = `${room}/state/m.room.topic`;
    accept(await client.send('PUT', topic, { token, body: { topic: displayname } }));
    const state = accept(await client.send('GET', topic, { token }));
    if (state.topic !== displayname) throw new Error(`${state.topic} was read, not ${displayname}`);
    if (count % ROUNDS_PER_LOGIN > 0) return;
    const body = { type: 'm.login.password', identifier: { type: 'm.id.user', user: name }, password };
    const session = accept(await client.send('POST', '/_proto/client/v3/login', { body }));
    accept(await client.send('GET', '/_proto/client/v3/account/whoami', { token: session.access_token }));
  };
}

function accept({ status, text, body }: Answer): Answer['body'] {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}

describe.skipIf(missing)(`a rolling restart: ${mongo.title}, ${nats.title}`, () => {
  it.skipIf(!isDue('rolling restart', GUARDS))(
    'fails no request of clients with two gateways; restarting services redirects none',
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      const all = ({ gateways, user, room }: Topology) => ({ services: [...user, ...room], gateways });
      const outcome = await restartUnderLoad({ gateways: 2, instances: 2 }, all);
      expect(outcome).toEqual({ failures: [], moved: 0 });
    },
  );

  it.skipIf(!isDue('rolling restart of whole servers', GUARDS))(
    'of whole servers fails no request',
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      const all = ({ gateways }: Topology) => ({ services: [], gateways });
      const outcome = await restartUnderLoad({ whole: 3 }, all);
      expect(outcome).toEqual({ failures: [], moved: 0 });
    },
  );

  it.skipIf(!isDue('rolling restart of the only instance', GUARDS))(
    'of the only instance of a service fails and redirects no request',
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      const thrice = ({ user }: Topology) => ({ services: [...user, ...user, ...user] });
      const outcome = await restartUnderLoad({ gateways: 1, instances: 1 }, thrice);
      expect(outcome).toEqual({ failures: [], moved: 0 });
    },
  );
});
