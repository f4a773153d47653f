import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { path, requireTool, sendHttp } from '@steward/testing';
import { type Account, findNatsServer, registerAccount, registerAdmin } from '@steward/topology/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBrowsers } from './encryption/browser-device.ts';
import type { Device, Login } from './encryption/device.ts';
import { type LibraryDevice, libraryDevice, logIn } from './encryption/library-device.ts';
import { programDevice } from './encryption/program-device.ts';
import { openOneProcess } from './one-process.ts';
import { missing, mongo, nats, openOnEngines } from './scene.ts';
import type { Site } from './site.ts';

/** A story takes a minute on an idle machine. */
const TIMEOUT_MS = 480_000;

/** How long clients may take until they have read a message: they wait between attempts while the server is away. */
const READ_MS = 90_000;

const nio = requireTool('nio_python');
const mautrix = requireTool('mautrix_client');
const chromium = requireTool('chromium');
const withoutClients = [nio, mautrix, chromium].some(({ command }) => command === undefined);
const title = `${nio.title}, ${mautrix.title}, ${chromium.title}`;

/** Four users with two devices each, in an encrypted room; each user has another client. */
async function talk(site: Site): Promise<void> {
  const [url = ''] = site.urls;
  const store = await mkdtemp(join(tmpdir(), 'steward-encryption-'));
  onTestFinished(() => rm(store, { recursive: true, force: true }));
  const admin = await registerAdmin(url);
  const [alice, bob, carol, dave] = await Promise.all(
    ['alice', 'bob', 'carol', 'dave'].map((name) => registerAccount(url, name)),
  );
  if (!alice || !bob || !carol || !dave) throw new Error('Four accounts are needed');
  const open = async <D extends Device>(
    make: (login: Login) => Promise<D>,
    account: Account,
    deviceId: string,
  ) => {
    const device = await make({ url, userId: account.userId, password: account.password, deviceId });
    onTestFinished(() => device.close());
    return device;
  };
  const program = (command: readonly [string, ...string[]]) => async (login: Login) =>
    programDevice(command, login, await mkdtemp(join(store, 'device-')));
  const withNio = program([nio.command ?? '', join(import.meta.dirname, 'encryption/nio/client.py')]);
  const withMautrix = program([mautrix.command ?? '']);
  const inNode = async (login: Login) => libraryDevice(await logIn(login));
  const browsers = await startBrowsers(chromium.command ?? '');
  onTestFinished(() => browsers.close());

  const [a1, a2, b1, b2, c1, c2, d1, d2] = [
    await open(inNode, alice, 'A1'),
    await open(inNode, alice, 'A2'),
    await open(withNio, bob, 'B1'),
    await open(withNio, bob, 'B2'),
    await open(withMautrix, carol, 'C1'),
    await open(withMautrix, carol, 'C2'),
    await open(browsers.open, dave, 'D1'),
    await open(browsers.open, dave, 'D2'),
  ];
  const recoveryKey = await a1.setUp();
  // Requests of unknown devices are ignored.
  await expect
    .poll(() => Promise.all([a1.knows('A2'), a2.knows('A1')]), { timeout: READ_MS })
    .toEqual([true, true]);
  // As a user would, who tries again when it was cancelled: a device was too slow.
  const [shown, shownByOther] = await a1.verify(a2).catch(() => a1.verify(a2));
  expect(shown).toBe(shownByOther);
  await expect
    .poll(() => Promise.all([a1.hasVerified('A2'), a2.hasVerified('A1')]), { timeout: READ_MS })
    .toEqual([true, true]);

  const { room_id: roomId } = await a1.client.createRoom({
    invite: [bob.userId, carol.userId, dave.userId],
    initial_state: [
      { type: 'm.room.encryption', state_key: '', content: { algorithm: 'm.megolm.v1.aes-sha2' } },
    ],
  });
  await b1.join(roomId);
  await c1.join(roomId);
  await d1.join(roomId);

  const all: Device[] = [a1, a2, b1, b2, c1, c2, d1, d2];
  const sent: string[] = [];
  /** Each device sends, and each other one reads it. */
  const everyoneSends = async (what: string) => {
    const ids = all.map(({ id }) => id);
    for (const device of all) await recipientsAre(device, ids);
    for (const device of all) {
      await device.send(roomId, `${what} from ${device.id}`);
      sent.push(`${what} from ${device.id}`);
    }
    for (const device of all) await reads(device, sent);
  };
  const recipientsAre = async (device: Device, ids: readonly string[]) => {
    // Some clients do not list the device itself, and all list the session of the registration.
    const others = async () =>
      (await device.recipients(roomId)).filter((id) => id !== device.id && /^[A-D]\d$/.test(id)).sort();
    await expect
      .poll(others, { timeout: READ_MS, message: `to whom ${device.id} sends` })
      .toEqual(ids.filter((id) => id !== device.id));
  };
  const reads = (device: Device, texts: readonly string[]) =>
    expect
      .poll(() => device.received(roomId), { timeout: READ_MS, message: `what ${device.id} reads` })
      .toEqual({
        texts: expect.toSatisfy((read) => [...read].sort().join() === [...texts].sort().join()),
        unreadable: 0,
      });

  await everyoneSends('hello');
  // Of two devices, one in a browser: each sees that the other's user types, until they say that they have ended, or send.
  const typingIs = async (device: typeof a1 | typeof d1, users: readonly string[]) =>
    expect.poll(() => device.typing(roomId), { timeout: READ_MS }).toEqual(users);
  await a1.setTyping(roomId, true);
  await typingIs(d1, [alice.userId]);
  await a1.setTyping(roomId, false);
  await typingIs(d1, []);
  await d1.setTyping(roomId, true);
  await typingIs(a1, [dave.userId]);
  await d1.send(roomId, 'typed in a browser');
  sent.push('typed in a browser');
  await typingIs(a1, []);
  for (const victim of site.victims) {
    const sending = a1.send(roomId, `while ${victim.name} is away`);
    sent.push(`while ${victim.name} is away`);
    await victim.kill();
    await victim.start();
    await sending;
  }
  // It can still read what is older than its page.
  await d1.reload();
  await d1.readAll(roomId);
  await everyoneSends('after kills');

  // A device that is added later reads nothing older, unless it restores the backup.
  const b3 = await open(withNio, bob, 'B3');
  const a3: LibraryDevice = await open(
    async (login) => libraryDevice(await logIn(login), recoveryKey),
    alice,
    'A3',
  );
  expect((await b3.received(roomId)).texts).toEqual([]);
  expect((await a3.readAll(roomId)).texts).toEqual([]);
  // The others may still be writing keys into the backup.
  const restored = async () => {
    await a3.restore();
    return [...(await a3.readAll(roomId)).texts].sort();
  };
  await expect.poll(restored, { timeout: READ_MS }).toEqual([...sent].sort());

  // A device that was removed reads nothing newer.
  const devices = path`/_service/admin/v2/users/${carol.userId}/devices/${c2.id}`;
  expect((await sendHttp(url, 'DELETE', devices, { token: admin })).status).toBe(200);
  const left = [a1, a2, a3, b1, b2, b3, c1, d1, d2];
  const ids = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3', 'C1', 'D1', 'D2'];
  for (const device of left) await recipientsAre(device, ids);
  await b1.send(roomId, 'without C2');
  for (const device of left) {
    await expect
      .poll(async () => (await device.received(roomId)).texts, { timeout: READ_MS })
      .toContain('without C2');
  }
  expect((await c2.received(roomId)).texts).not.toContain('without C2');
}

describe.skipIf(withoutClients)(`four clients talk in an encrypted room (${title})`, () => {
  const during = async (open: () => Promise<Site>) => {
    const site = await open();
    onTestFinished(() => site.close());
    await talk(site);
  };

  it('of one process, which is killed', { timeout: TIMEOUT_MS }, () => during(openOneProcess));

  it.skipIf(missing)(
    `of several, each of which is killed: ${mongo.title}, ${nats.title}`,
    { timeout: TIMEOUT_MS },
    () => during(() => openOnEngines({ natsServer: findNatsServer(process.env), engines: false })),
  );
});
