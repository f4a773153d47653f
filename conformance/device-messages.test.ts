import { type Actor, path } from '@steward/testing';
import { expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { deviceKeysOf, newCrossSigning, newSigningKey, signed } from './signing-key.ts';

const V3 = '/_proto/client/v3';
const DEHYDRATED = '/_proto/client/unstable/org.matrix.msc3814.v1/dehydrated_device';

/** Longer than any notification of a waiting client takes. */
const LONG_MS = 50_000;

interface Message {
  readonly sender: string;
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
}

interface Synced {
  readonly next_batch: string;
  readonly to_device?: { readonly events: readonly Message[] };
}

let transactions = 0;

pairedChapter('12 Messages between devices', (world) => {
  const send = (from: Actor, messages: unknown, txn = `t${transactions++}`, type = 'm.test') =>
    from.put(path`/_proto/client/v3/sendToDevice/${type}/${txn}`, { body: { messages } });
  const say = (from: Actor, to: Actor, n: number, txn?: string) =>
    send(from, { [to.userId]: { [to.deviceId]: { n } } }, txn);
  const sync = async (device: Actor, since?: string, timeout = 0) =>
    (
      await device.get<Synced>(`${V3}/sync`, {
        query: { timeout, ...(since === undefined ? {} : { since }) },
      })
    ).body;
  const numbersIn = ({ to_device }: Synced) => (to_device?.events ?? []).map(({ content }) => content.n);

  it('arrive in order until the next request acknowledges them, and never again', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const { next_batch: start } = await sync(bob);
    expect(await say(alice, bob, 1)).toMatchObject({ status: 200, body: {} });
    await say(alice, bob, 2);
    const first = await sync(bob, start);
    expect(first.to_device?.events[0]).toEqual({ sender: alice.userId, type: 'm.test', content: { n: 1 } });
    await say(alice, bob, 3);
    expect(numbersIn(await sync(bob, start))).toEqual([1, 2, 3]);
    // The client acknowledges the first response; it may never have received the second one.
    const third = await sync(bob, first.next_batch);
    expect(numbersIn(third)).toEqual([3]);
    expect(await sync(bob, third.next_batch)).not.toHaveProperty('to_device');
    for (const since of [undefined, start, first.next_batch]) {
      expect(numbersIn(await sync(bob, since))).toEqual([]);
    }
  });

  it('arrive once however often the transaction is repeated', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    await Promise.all([1, 2, 3].map(() => say(alice, bob, 1, 'same')));
    const received = await sync(bob);
    expect(numbersIn(received)).toEqual([1]);
    const after = await sync(bob, received.next_batch);
    await say(alice, bob, 1, 'same');
    expect(numbersIn(await sync(bob, after.next_batch))).toEqual([]);
    // Another device, and another type, have transactions of their own.
    await say(await world.login(alice), bob, 2, 'same');
    await send(alice, { [bob.userId]: { [bob.deviceId]: { n: 3 } } }, 'same', 'm.other');
    expect(numbersIn(await sync(bob, after.next_batch))).toEqual([2, 3]);
  });

  it('can go to all devices of a user, and to none that does not exist', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const second = await world.login(bob);
    const messages = {
      [bob.userId]: { '*': { n: 1 }, [second.deviceId]: { n: 2 }, UNKNOWN: { n: 3 } },
      [world.userId('unknown')]: { '*': { n: 4 } },
      '@remote:elsewhere': { '*': { n: 5 } },
    };
    expect((await send(alice, messages)).status).toBe(200);
    expect([numbersIn(await sync(bob)), numbersIn(await sync(second))]).toEqual([[1], [2]]);
    // A token of another device acknowledges nothing.
    const { next_batch } = await sync(second);
    expect(numbersIn(await sync(bob, next_batch))).toEqual([1]);
  });

  it('wake a waiting client', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const { next_batch } = await sync(bob);
    const [woken] = await Promise.all([sync(bob, next_batch, LONG_MS), say(alice, bob, 1)]);
    expect(numbersIn(woken)).toEqual([1]);
  });

  it('come a hundred at a time', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    for (let n = 0; n < 105; n++) await say(alice, bob, n);
    const first = await sync(bob);
    const second = await sync(bob, first.next_batch, LONG_MS);
    expect([...numbersIn(first), ...numbersIn(second)]).toEqual(Array.from({ length: 105 }, (_, n) => n));
    expect(numbersIn(first)).toHaveLength(100);
  });

  it('end with their device, whose id a later device may have', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const device = await world.login(bob);
    await say(alice, device, 1);
    await device.post(`${V3}/logout`);
    const { body } = await bob.post<{ access_token: string }>(`${V3}/login`, {
      body: {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: bob.userId },
        password: bob.password,
        device_id: device.deviceId,
      },
    });
    const later = world.actor({ ...device, token: body.access_token });
    expect(numbersIn(await sync(later))).toEqual([]);
  });

  it('to a dehydrated device can be read repeatedly, and end with it', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const device_id = 'DRY';
    const body = {
      device_id,
      device_data: { algorithm: 'm.dehydration.v2' },
      device_keys: deviceKeysOf({ userId: bob.userId, deviceId: device_id }, newSigningKey()),
    };
    await bob.put(DEHYDRATED, { body });
    await send(alice, { [bob.userId]: { '*': { n: 1 } } });
    const events = `${DEHYDRATED}/${device_id}/events`;
    const read = (next_batch?: string) => bob.post(events, { body: { next_batch } });
    const first = await read();
    expect(first).toMatchObject({ status: 200, body: { events: [{ content: { n: 1 } }] } });
    expect((await read()).body).toEqual(first.body);
    const { next_batch } = first.body as { next_batch: string };
    expect((await read(next_batch)).body).toEqual({ events: [], next_batch });
    expect(await read('no token')).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    await bob.put(DEHYDRATED, { body });
    expect((await read()).body).toMatchObject({ events: [] });
    await bob.delete(DEHYDRATED);
    expect(await read()).toMatchObject(refusal(404, 'M_NOT_FOUND'));
  });

  it('administrators see how many wait for each device, which are verified, and the key backup', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const target = path`/_service/admin/v1/users/${bob.userId}/encryption`;
    const none = {
      has_keys: false,
      verified: false,
      dehydrated: false,
      waiting_messages: 0,
      oldest_waiting_ms: null,
    };
    const device = { device_id: bob.deviceId, display_name: null };
    expect((await world.admin.get(target)).body).toEqual({
      cross_signing: false,
      devices: [{ ...device, ...none }],
      key_backup: null,
    });
    const { body: keys, selfSigning } = newCrossSigning(bob.userId);
    await bob.post(`${V3}/keys/device_signing/upload`, { body: keys });
    const own = deviceKeysOf({ userId: bob.userId, deviceId: bob.deviceId }, newSigningKey());
    const upload = (device_keys: object) => bob.post(`${V3}/keys/upload`, { body: { device_keys } });
    const ed25519 = `ed25519:${selfSigning.publicKey}`;
    const forged = {
      ...own,
      signatures: { [bob.userId]: { ...own.signatures[bob.userId], [ed25519]: 'A'.repeat(86) } },
    };
    await upload(forged);
    await say(alice, bob, 1);
    await say(alice, bob, 2);
    const waiting = { has_keys: true, waiting_messages: 2, oldest_waiting_ms: expect.any(Number) };
    expect((await world.admin.get(target)).body).toMatchObject({
      cross_signing: true,
      devices: [{ ...device, ...waiting, verified: false }],
    });
    await upload(signed(own, bob.userId, ed25519, selfSigning));
    const backup = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: {} };
    await bob.post(`${V3}/room_keys/version`, { body: backup });
    const received = await sync(bob);
    await sync(bob, received.next_batch);
    expect((await world.admin.get(target)).body).toMatchObject({
      devices: [{ ...device, ...none, has_keys: true, verified: true }],
      key_backup: { version: '1', algorithm: backup.algorithm, count: 0 },
    });
    expect(await bob.get(target)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
  });

  it.each([
    ['no messages', undefined, 'M_MISSING_PARAM'],
    ['a user id of the wrong form', { bob: { '*': {} } }, 'M_INVALID_PARAM'],
    ['a list of devices', { '@a:b': [] }, 'M_BAD_JSON'],
    ['a content that is not an object', { '@a:b': { D: 'text' } }, 'M_BAD_JSON'],
    ['a content of more than 64 KiB', { '@a:b': { D: { n: 'x'.repeat(65_536) } } }, 'M_TOO_LARGE'],
  ])('messages between devices are refused with %s', async (_, messages, errcode) => {
    expect(await send(await world.user(), messages)).toMatchObject(refusal(400, errcode));
  });
});
