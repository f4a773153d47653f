import { isDue } from '@steward/testing';
import { createKeepAliveClient, registerAdmin, seededRandom } from '@steward/topology/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createCaller } from './caller.ts';
import { createDeviceClient } from './device-client.ts';
import { openGateway } from './gateway.ts';
import { createPushClient } from './push-client.ts';
import { missing, mongo, nats, openOnEngines } from './scene.ts';

/** What reads, counts and sends. */
const GUARDS = ['chaos/', 'services/room/src/core/push/', 'services/room/src/core/unread/'];

/** The story takes half a minute on an idle machine. */
const TIMEOUT_MS = 480_000;

const PHONES = 3;

/** How many steps of a client pass between a recovery and the next kill. */
const STEPS = 10;

it.skipIf(missing || !isDue('pushes through kills', GUARDS))(
  `phones ring for each message, and show what is unread, while each of five processes is killed: ${mongo.title}, ${nats.title}`,
  { timeout: TIMEOUT_MS },
  async () => {
    const site = await openOnEngines({ engines: false });
    onTestFinished(() => site.close());
    const gateway = await openGateway();
    onTestFinished(() => gateway.close());
    const adminToken = await registerAdmin(site.urls[0] ?? '');
    const newCaller = () => {
      const http = createKeepAliveClient(site.urls, { trustClosed: false });
      onTestFinished(() => http.close());
      return createCaller(http, () => {});
    };
    const clients = await Promise.all([
      ...Array.from({ length: PHONES }, (_, n) => {
        const random = seededRandom(`phone ${n}`);
        return createPushClient({ name: `${n}`, random, caller: newCaller(), adminToken, gateway });
      }),
      createDeviceClient({
        name: 'devices',
        random: seededRandom('devices'),
        caller: newCaller(),
        adminToken,
      }),
    ]);
    let isRunning = true;
    const stepped = clients.map(() => 0);
    const running = clients.map(async (client, n) => {
      for (; isRunning; stepped[n] = (stepped[n] ?? 0) + 1) await client.step();
    });
    // A failed step is a failure of the story, not one that nothing handles.
    const ended = Promise.all(running);
    ended.catch(() => {});
    for (const victim of site.victims) {
      const goal = (stepped[0] ?? 0) + STEPS;
      await Promise.race([
        expect.poll(() => stepped[0], { timeout: TIMEOUT_MS }).toBeGreaterThan(goal),
        ended,
      ]);
      await victim.kill();
      await victim.start();
    }
    isRunning = false;
    await ended;
    for (const client of clients) expect(await client.check(newCaller())).toEqual([]);
  },
);
