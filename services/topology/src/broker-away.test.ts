import { type HttpRequest, isDue, path, requireEngine, sendHttp, withLongTimeouts } from '@steward/testing';
import { MongoClient } from 'mongodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { metricsOf } from './fixtures/metrics-of.ts';
import { findNatsServer, startNatsServer } from './fixtures/nats-server.ts';
import { publishedFacts } from './fixtures/published-facts.ts';
import { registerAdmin } from './fixtures/register-admin.ts';
import { newSandbox } from './fixtures/sandbox.ts';
import { freePorts } from './free-ports.ts';
import { startTopology } from './start-topology.ts';

/** Changes made during each failure of the broker. */
const CHANGES = 5;

/** How long the server may take to notice the broker's return and to publish the waiting facts, in milliseconds. */
const RETURN_LIMIT_MS = 60_000;

const TIMEOUT_MS = 300_000;

/** What notices an outage, waits and goes on. */
const GUARDS = ['services/topology/', 'packages/runtime/', 'packages/events/'];

const BROKER_READY = 'steward_ready{check="broker"}';

const mongo = requireEngine('mongo');
const program = findNatsServer(process.env);
const skipReason = program === undefined ? ' (no nats-server was found: set NATS_SERVER)' : '';

describe.skipIf(mongo.url === undefined || program === undefined || !isDue('outage of the broker', GUARDS))(
  `without a broker${skipReason}: ${mongo.title}`,
  () => {
    it('the server accepts changes and tasks, and publishes and executes them when the broker is back', {
      timeout: TIMEOUT_MS,
    }, async () => {
      const broker = await startNatsServer(program ?? '');
      onTestFinished(() => broker.close());
      const sandbox = newSandbox({ mongo: withLongTimeouts(mongo.url ?? ''), nats: broker.url });
      onTestFinished(() => sandbox.drop());
      const env = { ...sandbox.settings(), STEWARD_LOG_LEVEL: 'silent' };
      // Of the gateway and of the user service.
      const metricsPorts = await freePorts(2);
      const topology = await startTopology({ env, metricsPorts });
      onTestFinished(() => topology.close());
      const client = await MongoClient.connect(sandbox.store);
      onTestFinished(() => client.close());
      const limit = { timeout: RETURN_LIMIT_MS };
      const waiting = () => client.db().collection('user.outbox').countDocuments();
      const shown = () => metricsOf(metricsPorts[1], ['steward_bus_connected', BROKER_READY]);
      const token = await registerAdmin(topology.url);

      const userId = '@alice:test';
      const put = (body: object) =>
        sendHttp(topology.url, 'PUT', path`/_service/admin/v2/users/${userId}`, { token, body });
      expect((await put({})).status).toBe(201);
      const change = async (when: string) => {
        for (let n = 0; n < CHANGES; n++) {
          expect(await put({ displayname: `${when} ${n}` })).toMatchObject({ status: 200 });
        }
        await expect.poll(waiting, limit).toBe(CHANGES);
      };
      const api = async (verb: string, target: string, request: HttpRequest = {}) => {
        const { status, body } = await sendHttp(topology.url, verb, target, { token, ...request });
        expect({ target, status, body }).toMatchObject({ status: 200 });
        return body;
      };
      const login = { type: 'm.login.password', identifier: { type: 'm.id.user', user: 'alice' } };
      expect((await put({ password: 'wonderland' })).status).toBe(200);
      const client3 = '/_proto/client/v3';
      const alice = await api('POST', `${client3}/login`, { body: { ...login, password: 'wonderland' } });
      const asAlice = { token: String(alice.access_token) };
      const createRoom = async () => {
        const { room_id: roomId } = await api('POST', `${client3}/createRoom`, { ...asAlice, body: {} });
        return String(roomId);
      };
      const [kept, deleted] = [await createRoom(), await createRoom()];
      const note = `${client3}${path`/user/${userId}/rooms/${deleted}/account_data/note`}`;
      await api('PUT', note, { ...asAlice, body: { x: 1 } });
      await expect.poll(waiting, limit).toBe(0);

      await broker.freeze();
      await change('while it is silent');
      broker.thaw();
      await expect.poll(waiting, limit).toBe(0);

      await broker.kill();
      await change('while it is gone');
      await expect.poll(shown, limit).toEqual({ steward_bus_connected: 0, [BROKER_READY]: 0 });
      const { delete_id: deleteId } = await api('DELETE', path`/_service/admin/v2/rooms/${deleted}`, {
        body: { block: true },
      });
      await api('POST', path`/_service/admin/v1/deactivate/${userId}`, { body: {} });
      await broker.start();
      await expect.poll(waiting, limit).toBe(0);
      await expect.poll(shown, limit).toEqual({ steward_bus_connected: 1, [BROKER_READY]: 1 });
      const task = async () => (await api('GET', path`/_service/admin/v1/tasks/${deleteId as string}`)).state;
      await expect.poll(task, limit).toBe('complete');
      const membersOf = async () => (await api('GET', path`/_service/admin/v1/rooms/${kept}`)).joined_members;
      await expect.poll(membersOf, limit).toBe(0);
      const notes = async () => api('GET', path`/_service/admin/v1/users/${userId}/accountdata`);
      const isKept = async () => JSON.stringify(await notes()).includes(deleted);
      await expect.poll(isKept, limit).toBe(false);

      const changed = Array.from({ length: 2 * CHANGES }, () => 'user.profile_changed');
      const factsOf = async (id: string) => (await publishedFacts(broker.url, sandbox.namespace)).get(id);
      const all = ['user.created', ...changed, 'user.deactivated'];
      // Its other facts are events of the feed.
      const accountFacts = async () => (await factsOf(userId))?.filter((type) => type.startsWith('user.'));
      await expect.poll(accountFacts, limit).toEqual(all);
      await expect.poll(() => factsOf(deleted), limit).toContain('room.purged');
    });
  },
);
