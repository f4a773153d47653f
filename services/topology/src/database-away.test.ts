import { isDue, path, requireEngine, startFaultyProxy } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, createKeepAliveClient } from './fixtures/keep-alive-client.ts';
import { startLoad } from './fixtures/load.ts';
import { metricsOf } from './fixtures/metrics-of.ts';
import { registerAdmin } from './fixtures/register-admin.ts';
import { newSandbox } from './fixtures/sandbox.ts';
import { freePorts } from './free-ports.ts';
import { startTopology } from './start-topology.ts';

const CLIENTS = 8;
const MONGODB_PORT = 27_017;

/** How long a process waits for the database, in milliseconds: longer than its answers take on a busy machine. */
const LIMIT_MS = 3_000;
const LIMITS = ['serverSelectionTimeoutMS', 'connectTimeoutMS', 'waitQueueTimeoutMS'];

/** The longest time that an answer may take, in milliseconds, so that callers do not hang. */
const ANSWER_LIMIT_MS = 25_000;

/** How long the server may take to notice the database's return, in milliseconds. */
const RETURN_LIMIT_MS = 60_000;

const TIMEOUT_MS = 300_000;

/** What notices an outage, waits and goes on. */
const GUARDS = ['services/topology/', 'packages/runtime/', 'packages/store/'];

const STORE_READY = 'steward_ready{check="store"}';

const mongo = requireEngine('mongo');
const nats = requireEngine('nats');
const missing = mongo.url === undefined || nats.url === undefined;

describe.skipIf(missing || !isDue('outage of the database', GUARDS))(
  `without a database: ${mongo.title}, ${nats.title}`,
  () => {
    it('the server answers requests with 503, and serves them again when the database is back', {
      timeout: TIMEOUT_MS,
    }, async () => {
      const [port] = await freePorts(1);
      const proxy = await startFaultyProxy(mongo.url ?? '', MONGODB_PORT, port);
      const throughProxy = new URL(proxy.url);
      throughProxy.searchParams.set('directConnection', 'true');
      for (const limit of LIMITS) throughProxy.searchParams.set(limit, String(LIMIT_MS));
      const sandbox = newSandbox({ mongo: throughProxy.href, nats: nats.url ?? '' });
      onTestFinished(async () => {
        await sandbox.drop();
        await proxy.cut();
      });
      const env = { ...sandbox.settings(), STEWARD_LOG_LEVEL: 'silent' };
      // Of the gateway and of the user service.
      const metricsPorts = await freePorts(2);
      const topology = await startTopology({ env, metricsPorts });
      onTestFinished(() => topology.close());
      const shown = () => metricsOf(metricsPorts[1], [STORE_READY]);
      const token = await registerAdmin(topology.url);

      const clients = Array.from({ length: CLIENTS }, () => createKeepAliveClient([topology.url]));
      const user = (name: string) => path`/_service/admin/v2/users/${`@${name}:test`}`;
      const answers: Answer[] = [];
      const slow: number[] = [];
      const rounds = clients.map((client, n) => async (count: number) => {
        const began = performance.now();
        const put = { token, body: { displayname: `name ${count}` } };
        const answer = await ((count + n) % 2 === 0
          ? client.send('PUT', user(`user-${n}`), put)
          : client.send('GET', '/_service/admin/v2/users?limit=5', { token }));
        answers.push(answer);
        if (performance.now() - began > ANSWER_LIMIT_MS) slow.push(performance.now() - began);
      });
      const load = startLoad(rounds);
      onTestFinished(() => load.stop());
      await load.rounds(2);
      expect(answers.every(({ status }) => status < 300)).toBe(true);

      await proxy.cut();
      await load.rounds(1);
      const probe = createKeepAliveClient([topology.url]);
      answers.splice(0);
      await load.rounds(1);
      const unavailable = { status: 503, body: { errcode: 'M_UNKNOWN', error: expect.any(String) } };
      expect(answers).toEqual(answers.map(() => expect.objectContaining(unavailable)));
      expect(await probe.send('GET', '/health')).toMatchObject({ status: 503 });
      expect(await shown()).toEqual({ [STORE_READY]: 0 });
      const login = {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: 'admin' },
        password: 'wrong',
      };
      expect(await probe.send('POST', '/_proto/client/v3/login', { body: login })).toMatchObject(unavailable);

      await proxy.repair();
      const health = async () => (await probe.send('GET', '/health')).status;
      await expect.poll(health, { timeout: RETURN_LIMIT_MS }).toBe(200);
      await expect.poll(shown, { timeout: RETURN_LIMIT_MS }).toEqual({ [STORE_READY]: 1 });
      await load.rounds(1);
      answers.splice(0);
      await load.rounds(2);
      await load.stop();
      expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
      expect({ failures: load.failures, slow }).toEqual({ failures: [], slow: [] });
      for (const client of [...clients, probe]) client.close();
    });
  },
);
