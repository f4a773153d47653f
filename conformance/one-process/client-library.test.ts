import { type Actor, path } from '@steward/testing';
import { silentLogger } from '@steward/testing/silent-logger';
import { createClient, type MatrixClient } from 'matrix-js-sdk';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { librarySession, untilSynced } from '../library-session.ts';

/** The number of messages in a conversation, and the size of a page of a sync or a search. */
const MESSAGES = 12;
const SYNCED = 5;

chapter('A client library', (world) => {
  let user: Actor;
  let client: MatrixClient;
  beforeAll(async () => {
    user = await world.user('alice');
    client = await librarySession(world.running.url, user);
  });

  it('finds a supported server', async () => {
    expect(await client.isVersionSupported('v1.5')).toBe(true);
  });

  it('logs in', async () => {
    expect(await client.whoami()).toEqual({
      user_id: user.userId,
      device_id: client.getDeviceId(),
      is_guest: false,
    });
  });

  it('sets its profile', async () => {
    await client.setDisplayName('Alice');
    await client.setAvatarUrl('mxc://test/avatar');
    const profile = { displayname: 'Alice', avatar_url: 'mxc://test/avatar' };
    expect(await client.getProfileInfo(user.userId)).toEqual(profile);
    expect((await world.admin.get(path`/_service/admin/v2/users/${user.userId}`)).body).toMatchObject(
      profile,
    );
  });

  it('lists its devices', async () => {
    const { devices } = await client.getDevices();
    expect(devices).toContainEqual(
      expect.objectContaining({ device_id: client.getDeviceId(), display_name: 'Library' }),
    );
    expect(devices).toHaveLength(2);
  });

  it('searches for other users', async () => {
    const found = await client.searchUserDirectory({ term: 'nobody' });
    expect(found).toEqual({ limited: false, results: [] });
  });

  it('recognises a refusal', async () => {
    await expect(client.getProfileInfo('@nobody:test')).rejects.toMatchObject({
      httpStatus: 404,
      errcode: 'M_NOT_FOUND',
    });
  });

  it('receives a conversation, and finds its messages by search', async () => {
    const bob = await world.user('bob');
    const invited = await librarySession(world.running.url, bob);
    const { room_id: roomId } = await client.createRoom({ name: 'Talk', invite: [bob.userId] });
    for (let n = 0; n < MESSAGES; n++) await client.sendTextMessage(roomId, `Message ${n}`);
    try {
      await invited.startClient({ initialSyncLimit: SYNCED });
      await untilSynced(invited, () => invited.getRoom(roomId)?.getMyMembership() === 'invite');
      expect(invited.getRoom(roomId)?.name).toBe('Talk');
      await invited.joinRoom(roomId);
      const texts = () =>
        invited
          .getRoom(roomId)
          ?.getLiveTimeline()
          .getEvents()
          .flatMap((event) => (event.getType() === 'm.room.message' ? event.getContent().body : [])) ?? [];
      await untilSynced(invited, () => invited.getRoom(roomId)?.getMyMembership() === 'join');
      await client.sendTextMessage(roomId, 'Welcome');
      await untilSynced(invited, () => texts().includes('Welcome'));
      const room = invited.getRoom(roomId);
      if (!room) throw new Error('The room is unknown');
      expect(room.getJoinedMembers().map(({ userId }) => userId)).toEqual(
        expect.arrayContaining([user.userId, bob.userId]),
      );
      while (room.getLiveTimeline().getPaginationToken('b' as never) !== null) {
        await invited.scrollback(room, SYNCED);
      }
      const all = Array.from({ length: MESSAGES }, (_, n) => `Message ${n}`);
      expect(texts()).toEqual([...all, 'Welcome']);
      await invited.sendTextMessage(roomId, 'Thanks');
      await untilSynced(invited, () => texts().at(-1) === 'Thanks');
      expect(room.getUnfilteredTimelineSet().getTimelines()).toHaveLength(1);
    } finally {
      invited.stopClient();
    }
  });

  it('dehydrates a device', async () => {
    const carol = await world.user('carol');
    const keys = new Map<string, Uint8Array<ArrayBuffer>>();
    const encrypting = createClient({
      baseUrl: world.running.url,
      logger: silentLogger,
      userId: carol.userId,
      deviceId: carol.deviceId,
      accessToken: carol.token,
      cryptoCallbacks: {
        getSecretStorageKey: async ({ keys: requested }) => [...keys].find(([id]) => id in requested) ?? null,
        cacheSecretStorageKey: (id, _, key) => {
          keys.set(id, key);
        },
      },
    });
    await encrypting.initRustCrypto({ useIndexedDB: false });
    const crypto = encrypting.getCrypto();
    if (!crypto) throw new Error('The library has no encryption');
    /** The dehydrated devices that administrators see; clients get the others. */
    const dehydrated = async () => {
      const { body } = await world.admin.get<{ devices: { device_id: string; dehydrated?: boolean }[] }>(
        path`/_service/admin/v2/users/${carol.userId}/devices`,
      );
      const { devices } = await encrypting.getDevices();
      expect(devices.map(({ device_id: id }) => id)).toEqual([carol.deviceId]);
      return body.devices.filter((device) => device.dehydrated).map(({ device_id: id }) => id);
    };
    try {
      expect(await crypto.isDehydrationSupported()).toBe(true);
      // Secret storage waits for its account data in the sync.
      await encrypting.startClient();
      await crypto.bootstrapCrossSigning({ authUploadDeviceSigningKeys: (upload) => upload(null) });
      await crypto.bootstrapSecretStorage({
        createSecretStorageKey: () => crypto.createRecoveryKeyFromPassphrase(),
      });
      await crypto.startDehydration();
      const first = await dehydrated();
      expect(first).toEqual([expect.any(String)]);
      await crypto.startDehydration();
      const second = await dehydrated();
      expect(second).toEqual([expect.any(String)]);
      expect(second).not.toEqual(first);
      const { body } = await world.admin.get(
        path`/_service/admin/v2/users/${carol.userId}/devices/${second[0] ?? ''}`,
      );
      expect(body).toMatchObject({ display_name: 'Dehydrated device', dehydrated: true });
    } finally {
      encrypting.stopClient();
    }
  });

  it('logs out', async () => {
    await client.logout(true);
    await expect(client.whoami()).rejects.toMatchObject({ httpStatus: 401, errcode: 'M_UNKNOWN_TOKEN' });
  });
});
