import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const CLIENT = '/_proto/client/v3';
const WHOAMI = `${CLIENT}/account/whoami`;

const proofOf = ({ userId, password }: Actor) => ({
  type: 'm.login.password',
  identifier: { type: 'm.id.user', user: userId },
  password,
});

const challenged = { status: 401, body: { flows: [{ stages: ['m.login.password'] }] } };
const unknownToken = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });

interface Listed {
  devices: { device_id: string }[];
}

chapter('7.6 Devices of the caller', (world) => {
  describe.each(['v3', 'r0'])('at %s', (version) => {
    const DEVICES = `/_proto/client/${version}/devices`;
    const DELETE_DEVICES = `/_proto/client/${version}/delete_devices`;
    const at = (deviceId: string) => `${DEVICES}/${encodeURIComponent(deviceId)}`;
    const idsOf = async (user: Actor) =>
      (await user.get<Listed>(DEVICES)).body.devices.map(({ device_id }) => device_id);
    /** A user and a second session of theirs. */
    const twice = async () => {
      const user = await world.user();
      return [user, await world.login(user)] as const;
    };

    it('devices of the caller are listed for their owner only', async () => {
      const [user, other] = await twice();
      await world.user();
      const { status, body } = await user.get<Listed>(DEVICES);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['devices']);
      expect(body.devices.map(({ device_id }) => device_id)).toEqual([user.deviceId, other.deviceId].sort());
      expect(body.devices.find(({ device_id }) => device_id === user.deviceId)).toEqual({
        device_id: user.deviceId,
        user_id: user.userId,
        display_name: null,
        last_seen_ip: expect.any(String),
        last_seen_ts: expect.any(Number),
      });
    });

    it('can be read one by one', async () => {
      const [user, other] = await twice();
      // Some clients require the keys.
      expect((await user.get(at(other.deviceId))).body).toEqual({
        device_id: other.deviceId,
        user_id: user.userId,
        display_name: null,
        last_seen_ip: null,
        last_seen_ts: null,
      });
      const stranger = await world.user();
      for (const id of ['UNKNOWN', stranger.deviceId]) {
        expect(await user.get(at(id))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      }
    });

    it('can be renamed', async () => {
      const user = await world.user();
      for (const name of ['Téléphone 📱', 'x'.repeat(100), '']) {
        const reply = await user.put(at(user.deviceId), { body: { display_name: name } });
        expect(reply).toMatchObject({ status: 200, body: {} });
        expect((await user.get(at(user.deviceId))).body).toMatchObject({ display_name: name });
      }
      expect(await user.put(at(user.deviceId), { body: {} })).toMatchObject({ status: 200 });
      expect((await user.get(at(user.deviceId))).body).toMatchObject({ display_name: '' });
    });

    it.each([
      ['another user’s device', undefined, { body: { display_name: 'x' } }, 404, 'M_NOT_FOUND'],
      ['an unknown device', 'UNKNOWN', { body: { display_name: 'x' } }, 404, 'M_NOT_FOUND'],
      ['a long name', 'own', { body: { display_name: 'x'.repeat(101) } }, 400, 'M_TOO_LARGE'],
      ['a malformed name', 'own', { body: { display_name: 1 } }, 400, 'M_BAD_JSON'],
      ['no body', 'own', {}, 400, 'M_NOT_JSON'],
    ] as const)('are not named with %s', async (_, device, request, status, errcode) => {
      const user = await world.user();
      const deviceId = device === 'own' ? user.deviceId : (device ?? (await world.user()).deviceId);
      expect(await user.put(at(deviceId), request)).toMatchObject(refusal(status, errcode));
    });

    it('devices of the caller are deleted with their tokens, after authentication', async () => {
      const [user, other] = await twice();
      for (const request of [{}, { body: {} }]) {
        expect(await user.delete(at(other.deviceId), request)).toMatchObject(challenged);
      }
      expect(await other.get(WHOAMI)).toMatchObject({ status: 200 });
      const { session } = (await user.delete<{ session: string }>(at(other.deviceId))).body;
      const auth = { ...proofOf(user), session };
      expect((await user.delete(at('ANOTHER'), { body: { auth } })).status).toBe(403);
      expect(await user.delete(at(other.deviceId), { body: { auth } })).toMatchObject({
        status: 200,
        body: {},
      });
      expect(await other.get(WHOAMI)).toMatchObject(unknownToken);
      expect(await idsOf(user)).toEqual([user.deviceId]);
      // A repetition changes nothing.
      expect(await user.delete(at(other.deviceId), { body: { auth } })).toMatchObject({ status: 200 });
    });

    it('can be deleted in bulk', async () => {
      const [user, other] = await twice();
      const stranger = await world.user();
      const devices = [other.deviceId, stranger.deviceId, 'UNKNOWN', other.deviceId];
      const challenge = await user.post<{ session: string }>(DELETE_DEVICES, { body: { devices } });
      expect(challenge).toMatchObject(challenged);
      const auth = { ...proofOf(user), session: challenge.body.session };
      expect(await user.post(DELETE_DEVICES, { body: { auth } })).toMatchObject({ status: 200, body: {} });
      expect(await other.get(WHOAMI)).toMatchObject(unknownToken);
      expect(await idsOf(user)).toEqual([user.deviceId]);
      expect(await stranger.get(WHOAMI)).toMatchObject({ status: 200 });
    });

    it.each([
      ['no list', {}, 'M_BAD_JSON'],
      ['a malformed list', { devices: 'x' }, 'M_BAD_JSON'],
      ['a malformed id', { devices: [1] }, 'M_BAD_JSON'],
    ])('devices of the caller are not deleted with %s', async (_, body, errcode) => {
      const user = await world.user();
      const auth = proofOf(user);
      expect(await user.post(DELETE_DEVICES, { body: { ...body, auth } })).toMatchObject(
        refusal(400, errcode),
      );
    });
  });

  it('a list too long to store must be sent again', async () => {
    const user = await world.user();
    const devices = Array.from({ length: 10_000 }, (_, i) => `DEVICE ${i}`);
    const challenge = await user.post<{ session: string }>(`${CLIENT}/delete_devices`, { body: { devices } });
    const auth = { ...proofOf(user), session: challenge.body.session };
    const send = (body: unknown) => user.post(`${CLIENT}/delete_devices`, { body });
    expect(await send({ auth })).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    expect(await send({ devices, auth })).toMatchObject({ status: 200 });
  });

  it('a session that deletes its own device ends', async () => {
    const user = await world.user();
    const body = { auth: proofOf(user) };
    expect(await user.delete(path`/_proto/client/v3/devices/${user.deviceId}`, { body })).toMatchObject({
      status: 200,
    });
    expect(await user.get(WHOAMI)).toMatchObject(unknownToken);
    expect((await world.login(user)).deviceId).not.toBe(user.deviceId);
  });

  it('guests can read theirs and delete none', async ({ skip }) => {
    if (!world.seed) return skip('the set-up cannot make guests');
    const guest = await world.user();
    await world.seed.account(guest.userId, { is_guest: true });
    expect(await guest.get(`${CLIENT}/devices`)).toMatchObject({ status: 200 });
    const target = path`/_proto/client/v3/devices/${guest.deviceId}`;
    expect(await guest.put(target, { body: { display_name: 'x' } })).toMatchObject({ status: 200 });
    expect(await guest.delete(target)).toMatchObject(refusal(403, 'M_GUEST_ACCESS_FORBIDDEN'));
  });

  it('8.2 a deactivated account has none', async () => {
    const user = await world.user();
    await world.login(user);
    await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`);
    expect(await user.get(`${CLIENT}/devices`)).toMatchObject(unknownToken);
    const body = { deactivated: false, password: user.password };
    await world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body });
    const back = await world.login(user);
    expect((await back.get<Listed>(`${CLIENT}/devices`)).body.devices).toMatchObject([
      { device_id: back.deviceId },
    ]);
  });
});
