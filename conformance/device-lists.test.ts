import { type Actor, path } from '@steward/testing';
import { expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { deviceKeysOf, newCrossSigning, newSigningKey, signed } from './signing-key.ts';

const V3 = '/_proto/client/v3';

/** Longer than any notification of a waiting client takes. */
const LONG_MS = 50_000;

interface Lists {
  readonly changed?: readonly string[];
  readonly left?: readonly string[];
}

interface Synced {
  readonly next_batch: string;
  readonly device_lists?: Lists;
}

const ENCRYPTION = {
  type: 'm.room.encryption',
  state_key: '',
  content: { algorithm: 'm.megolm.v1.aes-sha2' },
};

pairedChapter('7.6 Device lists', (world) => {
  const room = async (by: Actor, ...members: readonly Actor[]) => {
    const body = { preset: 'public_chat', initial_state: [ENCRYPTION] };
    const { body: made } = await by.post<{ room_id: string }>(`${V3}/createRoom`, { body });
    for (const member of members) await join(member, made.room_id);
    return made.room_id;
  };
  const join = (user: Actor, roomId: string) =>
    user.post(path`/_proto/client/v3/join/${roomId}`, { body: {} });
  const leave = (user: Actor, roomId: string) =>
    user.post(path`/_proto/client/v3/rooms/${roomId}/leave`, { body: {} });
  const upload = (device: Actor) =>
    device.post(`${V3}/keys/upload`, { body: { device_keys: deviceKeysOf(device, newSigningKey()) } });
  const sync = async (device: Actor, since?: string, timeout = 0) =>
    (
      await device.get<Synced>(`${V3}/sync`, {
        query: { timeout, ...(since === undefined ? {} : { since }) },
      })
    ).body;
  const sorted = ({ changed = [], left = [] }: Lists = {}) => ({
    changed: changed.toSorted(),
    left: left.toSorted(),
  });
  const ids = (...users: readonly Actor[]) => users.map(({ userId }) => userId).toSorted();
  const nothing = { changed: [], left: [] };

  /** What the client of a user learns from now on, once for each call. */
  const follow = async (device: Actor) => {
    let { next_batch: since } = await sync(device);
    const first = since;
    return {
      async next(timeout?: number) {
        const { next_batch, device_lists } = await sync(device, since, timeout);
        since = next_batch;
        return sorted(device_lists);
      },
      async whole() {
        const query = { from: first, to: since };
        return sorted((await device.get<Lists>(`${V3}/keys/changes`, { query })).body);
      },
    };
  };

  it('name those whose keys change in a shared encrypted room, and no other users', async () => {
    const [alice, bob, carol, dave] = [
      await world.user(),
      await world.user(),
      await world.user(),
      await world.user(),
    ];
    await room(alice, bob);
    const { body } = await alice.post<{ room_id: string }>(`${V3}/createRoom`, {
      body: { preset: 'public_chat' },
    });
    await join(carol, body.room_id);
    const [hers, his] = [await follow(alice), await follow(dave)];
    for (const user of [bob, carol, dave]) expect((await upload(user)).status).toBe(200);
    expect(await hers.next()).toEqual({ changed: ids(bob), left: [] });
    expect(await hers.next()).toEqual(nothing);
    expect(await his.next()).toEqual({ changed: ids(dave), left: [] });
    const { userId } = bob;
    const { body: keys } = newCrossSigning(userId);
    for (const [what, change] of [
      [
        'a new name',
        () => bob.put(path`/_proto/client/v3/devices/${bob.deviceId}`, { body: { display_name: 'x' } }),
      ],
      ['cross-signing keys', () => bob.post(`${V3}/keys/device_signing/upload`, { body: keys })],
      ['a logout', () => bob.post(`${V3}/logout`)],
    ] as const) {
      expect((await change()).status, what).toBe(200);
      expect(await hers.next(), what).toEqual({ changed: [userId], left: [] });
      expect(await hers.next(), what).toEqual(nothing);
    }
    expect(await hers.whole()).toEqual({ changed: [userId], left: [] });
  });

  it('wake a client that waits, for its own user too', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const second = await world.login(alice);
    await room(alice, bob);
    const hers = await follow(second);
    const [woken] = await Promise.all([hers.next(LONG_MS), upload(bob)]);
    expect(woken).toEqual({ changed: ids(bob), left: [] });
    const [again] = await Promise.all([hers.next(LONG_MS), upload(alice)]);
    expect(again).toEqual({ changed: ids(alice), left: [] });
  });

  it('follow joins, leaves, and rooms that become encrypted', async () => {
    const [alice, bob, carol] = [await world.user(), await world.user(), await world.user()];
    const first = await room(alice);
    const hers = await follow(alice);
    await join(bob, first);
    expect(await hers.next()).toEqual({ changed: ids(bob), left: [] });
    const second = await room(bob, alice);
    // They already share a room.
    expect(await hers.next()).toEqual(nothing);
    await leave(bob, first);
    expect(await hers.next()).toEqual(nothing);
    await leave(alice, second);
    expect(await hers.next()).toEqual({ changed: [], left: ids(bob) });

    const { body } = await alice.post<{ room_id: string }>(`${V3}/createRoom`, {
      body: { preset: 'public_chat' },
    });
    await join(carol, body.room_id);
    expect(await hers.next()).toEqual(nothing);
    await alice.put(path`/_proto/client/v3/rooms/${body.room_id}/state/m.room.encryption`, {
      body: ENCRYPTION.content,
    });
    expect(await hers.next()).toEqual({ changed: ids(carol), left: [] });
    // A new name of a member changes nothing.
    await carol.put(path`/_proto/client/v3/profile/${carol.userId}/displayname`, {
      body: { displayname: 'Carol' },
    });
    expect(await hers.next()).toEqual(nothing);
    expect(await hers.whole()).toEqual({ changed: ids(carol), left: [] });
  });

  it('name a user who has left and come back, with new keys, while a client was away', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const shared = await room(alice, bob);
    const hers = await follow(alice);
    await leave(bob, shared);
    await upload(bob);
    await join(bob, shared);
    expect(await hers.next()).toEqual({ changed: ids(bob), left: [] });
  });

  it('show signatures over the keys of others to the signer only', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    await room(alice, bob);
    const [ofAlice, ofBob] = [newCrossSigning(alice.userId), newCrossSigning(bob.userId)];
    await alice.post(`${V3}/keys/device_signing/upload`, { body: ofAlice.body });
    await bob.post(`${V3}/keys/device_signing/upload`, { body: ofBob.body });
    const [hers, his] = [await follow(alice), await follow(bob)];
    const { userSigning } = ofAlice;
    const object = signed(
      ofBob.body.master_key,
      alice.userId,
      `ed25519:${userSigning.publicKey}`,
      userSigning,
    );
    const body = { [bob.userId]: { [ofBob.master.publicKey]: object } };
    expect((await alice.post(`${V3}/keys/signatures/upload`, { body })).body).toEqual({ failures: {} });
    expect(await hers.next()).toEqual({ changed: ids(bob), left: [] });
    expect(await his.next()).toEqual(nothing);
  });

  it('end with a deactivation', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    await room(alice, bob);
    await upload(bob);
    const hers = await follow(alice);
    await world.admin.post(path`/_service/admin/v1/deactivate/${bob.userId}`, { body: {} });
    await expect.poll(async () => (await hers.whole()).left, { timeout: 10_000 }).toEqual(ids(bob));
  });

  it('need two tokens', async () => {
    const alice = await world.user();
    expect(await alice.get(`${V3}/keys/changes`)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    const query = { from: 'nonsense', to: 's1' };
    expect(await alice.get(`${V3}/keys/changes`, { query })).toMatchObject(refusal(400, 'M_UNKNOWN'));
  });
});
