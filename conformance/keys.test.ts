import { type Actor, path, type World } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { crossSigningKey, deviceKeysOf, newCrossSigning, newSigningKey, signed } from './signing-key.ts';

const CLIENT = '/_proto/client/v3';
const UPLOAD = `${CLIENT}/keys/upload`;
const QUERY = `${CLIENT}/keys/query`;
const CLAIM = `${CLIENT}/keys/claim`;
const CROSS_SIGNING = `${CLIENT}/keys/device_signing/upload`;
const SIGNATURES = `${CLIENT}/keys/signatures/upload`;

const CURVE = 'signed_curve25519';
const key = (id: string, value = id) => ({ [`${CURVE}:${id}`]: { key: value } });

interface Keys {
  signatures: Record<string, Record<string, string>>;
  unsigned?: Record<string, unknown>;
}
interface Queried {
  device_keys: Record<string, Record<string, Keys>>;
  failures: Record<string, unknown>;
  master_keys: Record<string, Keys>;
  self_signing_keys: Record<string, Keys>;
  user_signing_keys: Record<string, Keys>;
}
interface Claimed {
  one_time_keys: Record<string, Record<string, Record<string, unknown>>>;
  failures: Record<string, unknown>;
}

const upload = (device: Actor, body: unknown) => device.post(UPLOAD, { body });
const query = async (by: Actor, ...users: readonly string[]) => {
  const device_keys = Object.fromEntries(users.map((user) => [user, []]));
  return (await by.post<Queried>(QUERY, { body: { device_keys } })).body;
};
const claim = async (by: Actor, of: Actor, algorithm = CURVE) => {
  const one_time_keys = { [of.userId]: { [of.deviceId]: algorithm } };
  const { body } = await by.post<Claimed>(CLAIM, { body: { one_time_keys } });
  return body.one_time_keys[of.userId]?.[of.deviceId];
};
const countsOf = async (device: Actor) => (await upload(device, {})).body.one_time_key_counts;

const proofOf = ({ userId, password }: Actor) => ({
  type: 'm.login.password',
  identifier: { type: 'm.id.user', user: userId },
  password,
});

chapter('7.6 Keys', (world) => {
  describe('of a device', () => {
    it('keys of a device are returned as uploaded, with the name of the device', async () => {
      const [alice, bob] = [await world.user(), await world.user()];
      const keys = deviceKeysOf(alice, newSigningKey());
      const sent = { ...keys, unsigned: { device_display_name: 'A lie' }, extra: [1, { a: null }] };
      expect(await upload(alice, { device_keys: sent })).toMatchObject({
        status: 200,
        body: { one_time_key_counts: { [CURVE]: 0 } },
      });
      const shown = { ...sent, unsigned: {} };
      expect((await query(bob, alice.userId)).device_keys).toEqual({
        [alice.userId]: { [alice.deviceId]: shown },
      });
      await alice.put(`${CLIENT}/devices/${alice.deviceId}`, { body: { display_name: 'Laptop' } });
      const named = (await query(bob, alice.userId)).device_keys[alice.userId]?.[alice.deviceId];
      expect(named).toEqual({ ...sent, unsigned: { device_display_name: 'Laptop' } });
    });

    it('can be queried by user and by device', async () => {
      const [alice, bob] = [await world.user(), await world.user()];
      const second = await world.login(alice);
      const unused = await world.login(alice);
      for (const device of [alice, second]) {
        await upload(device, { device_keys: deviceKeysOf(device, newSigningKey()) });
      }
      const unknown = world.userId('unknown');
      const all = await query(bob, alice.userId, bob.userId, unknown, '@remote:elsewhere');
      expect(Object.keys(all.device_keys[alice.userId] ?? {})).toEqual(
        [alice.deviceId, second.deviceId].sort(),
      );
      expect(all).toMatchObject({
        device_keys: { [bob.userId]: {}, [unknown]: {} },
        failures: { elsewhere: expect.any(Object) },
        master_keys: {},
        self_signing_keys: {},
        user_signing_keys: {},
      });
      expect(all.device_keys).not.toHaveProperty('@remote:elsewhere');
      const device_keys = { [alice.userId]: [second.deviceId, unused.deviceId, 'UNKNOWN', second.deviceId] };
      const named = await bob.post<Queried>(QUERY, { body: { device_keys } });
      expect(Object.keys(named.body.device_keys[alice.userId] ?? {})).toEqual([second.deviceId]);
    });

    it('can be queried for many users in one request', async () => {
      const user = await world.user();
      await upload(user, { device_keys: deviceKeysOf(user, newSigningKey()) });
      const unknown = Array.from({ length: 700 }, (_, i) => world.userId(`unknown-${i}`));
      const { device_keys } = await query(user, ...unknown, user.userId);
      expect(Object.keys(device_keys)).toHaveLength(701);
      expect(Object.keys(device_keys[user.userId] ?? {})).toEqual([user.deviceId]);
    });

    it.each([
      ['no list of users', '{}', 'M_MISSING_PARAM'],
      ['a list for the users', '{"device_keys":[]}', 'M_BAD_JSON'],
      ['null for the users', '{"device_keys":null}', 'M_BAD_JSON'],
      ['an object for the devices', '{"device_keys":{"@a:test":{}}}', 'M_BAD_JSON'],
      ['a malformed device id', '{"device_keys":{"@a:test":["A",1]}}', 'M_BAD_JSON'],
      ['a malformed user id', '{"device_keys":{"a":[]}}', 'M_INVALID_PARAM'],
      ['an empty body', '', 'M_NOT_JSON'],
    ])('keys of a device are not returned for %s', async (_, rawBody, errcode) => {
      expect(await world.admin.post(QUERY, { rawBody })).toMatchObject(refusal(400, errcode));
    });

    describe('are refused', () => {
      const violations: readonly [string, (keys: Record<string, unknown>) => unknown][] = [
        ['as null', () => null],
        ['as a list', () => []],
        ['for another user', (keys) => ({ ...keys, user_id: '@other:test' })],
        ['for another device', (keys) => ({ ...keys, device_id: 'OTHER' })],
        ['without algorithms', ({ algorithms, ...keys }) => keys],
        ['with an algorithm that is not a string', (keys) => ({ ...keys, algorithms: ['a', 1] })],
        ['without keys', ({ keys: _, ...keys }) => keys],
        ['with a key that is not a string', (keys) => ({ ...keys, keys: { 'a:b': 1 } })],
        ['without signatures', ({ signatures, ...keys }) => keys],
        ['with signatures in a list', (keys) => ({ ...keys, signatures: { '@a:test': [] } })],
        ['with a fraction', (keys) => ({ ...keys, extra: 0.5 })],
      ];
      it.each(violations)('with %s', async (_, violate) => {
        const device = await sharedUser(world);
        const device_keys = violate(deviceKeysOf(device, newSigningKey()));
        expect(await upload(device, { device_keys, one_time_keys: key('A') })).toMatchObject(
          refusal(400, 'M_BAD_JSON'),
        );
        expect(await countsOf(device)).toEqual({ [CURVE]: 0 });
      });

      it('when they are too long', async () => {
        const device = await sharedUser(world);
        const device_keys = { ...deviceKeysOf(device, newSigningKey()), extra: 'x'.repeat(20_000) };
        expect(await upload(device, { device_keys })).toMatchObject(refusal(400, 'M_TOO_LARGE'));
        expect((await query(device, device.userId)).device_keys).toEqual({ [device.userId]: {} });
      });

      it('from a token without a device', async () => {
        const token = await world.seed?.token({ userId: world.admin.userId });
        if (token === undefined) return;
        expect(await world.http('POST', UPLOAD, { token, body: {} })).toMatchObject(
          refusal(400, 'M_UNKNOWN'),
        );
      });
    });
  });

  describe('one-time', () => {
    it('one-time keys are counted, and each is returned once, the oldest first', async () => {
      const [alice, bob] = [await world.user(), await world.user()];
      const answer = await upload(alice, { one_time_keys: { ...key('B'), 'other:1': 'text' } });
      expect(answer.body.one_time_key_counts).toEqual({ [CURVE]: 1, other: 1 });
      world.moveClock?.(1);
      await upload(alice, { one_time_keys: key('A') });
      if (world.moveClock) expect(await claim(bob, alice)).toEqual(key('B'));
      else expect([key('A'), key('B')]).toContainEqual(await claim(bob, alice));
      expect(await claim(bob, alice, 'other')).toEqual({ 'other:1': 'text' });
      expect(await claim(bob, alice)).toBeDefined();
      expect(await claim(bob, alice)).toBeUndefined();
      expect(await countsOf(alice)).toEqual({ [CURVE]: 0 });
    });

    it('one-time keys are returned once each to concurrent claims', async () => {
      const [alice, bob] = [await world.user(), await world.user()];
      const ids = Array.from({ length: 8 }, (_, i) => `K${i}`);
      await upload(alice, { one_time_keys: Object.assign({}, ...ids.map((id) => key(id))) });
      const claims = await Promise.all(Array.from({ length: 12 }, () => claim(bob, alice)));
      const taken = claims.flatMap((keys) => Object.keys(keys ?? {}));
      expect(taken.sort()).toEqual(ids.map((id) => `${CURVE}:${id}`));
    });

    it('can be uploaded again if unchanged', async () => {
      const device = await world.user();
      const signedBy = (signature: string) => ({
        [`${CURVE}:A`]: { key: 'A', signatures: { [device.userId]: { 'ed25519:D': signature } } },
      });
      await upload(device, { one_time_keys: { ...signedBy('one'), 'other:A': 'text' } });
      const again = { ...signedBy('another'), 'other:A': 'text', ...key('B') };
      expect(await upload(device, { one_time_keys: again })).toMatchObject({
        status: 200,
        body: { one_time_key_counts: { [CURVE]: 2, other: 1 } },
      });
      for (const one_time_keys of [key('A', 'changed'), { 'other:A': 'changed' }, { 'other:A': {} }]) {
        const refused = await upload(device, { one_time_keys: { ...key('C'), ...one_time_keys } });
        expect(refused).toMatchObject(refusal(400, 'M_UNKNOWN'));
        expect(refused.body.error).toMatch(/^One time key \S+ already exists/);
      }
      expect(await countsOf(device)).toEqual({ [CURVE]: 2, other: 1 });
    });

    it.each([
      ['null', '{"one_time_keys":null}', 'M_BAD_JSON'],
      ['a list', '{"one_time_keys":[]}', 'M_BAD_JSON'],
      ['a key that is null', '{"one_time_keys":{"a:b":null}}', 'M_BAD_JSON'],
      ['a key that is a number', '{"one_time_keys":{"a:b":1}}', 'M_BAD_JSON'],
      ['a name without an algorithm', '{"one_time_keys":{":b":"k"}}', 'M_BAD_JSON'],
      ['a name without an id', '{"one_time_keys":{"a:":"k"}}', 'M_BAD_JSON'],
      ['a name that is too long', `{"one_time_keys":{"a:${'b'.repeat(254)}":"k"}}`, 'M_TOO_LARGE'],
      ['a key that is too long', `{"one_time_keys":{"a:b":"${'k'.repeat(9000)}"}}`, 'M_TOO_LARGE'],
      ['a fallback key that is null', '{"fallback_keys":{"a:b":null}}', 'M_BAD_JSON'],
    ])('one-time keys are refused with %s', async (_, rawBody, errcode) => {
      const device = await sharedUser(world);
      expect(await device.post(UPLOAD, { rawBody })).toMatchObject(refusal(400, errcode));
      expect(await countsOf(device)).toEqual({ [CURVE]: 0 });
    });

    it('one-time keys are limited to a thousand', async () => {
      const device = await world.user();
      const one_time_keys = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a:${i}`, 'k']));
      expect(await upload(device, { one_time_keys })).toMatchObject({
        status: 200,
        body: { one_time_key_counts: { a: 1000 } },
      });
      expect(await upload(device, { one_time_keys: key('A') })).toMatchObject(
        refusal(400, 'M_INVALID_PARAM'),
      );
      expect((await upload(device, { one_time_keys: { 'a:7': 'k' } })).status).toBe(200);
    });

    it.each([
      ['no list of users', '{}', 'M_MISSING_PARAM'],
      ['null for the users', '{"one_time_keys":null}', 'M_BAD_JSON'],
      ['a list for the devices', '{"one_time_keys":{"@a:test":["D"]}}', 'M_BAD_JSON'],
      ['a malformed algorithm', '{"one_time_keys":{"@a:test":{"D":1}}}', 'M_BAD_JSON'],
      ['a malformed user id', '{"one_time_keys":{"a":{}}}', 'M_INVALID_PARAM'],
    ])('cannot be claimed for %s', async (_, rawBody, errcode) => {
      expect(await world.admin.post(CLAIM, { rawBody })).toMatchObject(refusal(400, errcode));
    });

    it('do not exist for unknown devices and other servers', async () => {
      const user = await sharedUser(world);
      const body = {
        one_time_keys: { [user.userId]: { UNKNOWN: CURVE }, '@remote:elsewhere': { D: CURVE } },
      };
      expect(await user.post<Claimed>(CLAIM, { body })).toMatchObject({
        status: 200,
        body: { one_time_keys: {}, failures: { elsewhere: expect.any(Object) } },
      });
    });
  });

  it('as fallback are returned repeatedly when no other is left', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    await upload(alice, { one_time_keys: key('O'), fallback_keys: { ...key('F'), 'other:F': 'text' } });
    expect(await countsOf(alice)).toEqual({ [CURVE]: 1 });
    expect(await claim(bob, alice)).toEqual(key('O'));
    expect([await claim(bob, alice), await claim(bob, alice)]).toEqual([key('F'), key('F')]);
    await upload(alice, { fallback_keys: key('G') });
    expect(await claim(bob, alice)).toEqual(key('G'));
    expect(await claim(bob, alice, 'other')).toEqual({ 'other:F': 'text' });
  });

  it('as fallback are at most 16 for a device, over all uploads', async () => {
    const user = await world.user();
    const fallback = (from: number, to: number) => ({
      fallback_keys: Object.fromEntries(
        Array.from({ length: to - from }, (_, n) => [`a${from + n}:F`, 'text']),
      ),
    });
    await upload(user, fallback(0, 16));
    expect(await user.post(UPLOAD, { body: fallback(15, 17) })).toMatchObject(
      refusal(400, 'M_INVALID_PARAM'),
    );
    expect(await claim(user, user, 'a16')).toBeUndefined();
    await upload(user, { fallback_keys: { 'a15:G': 'text' } });
    expect(await claim(user, user, 'a15')).toEqual({ 'a15:G': 'text' });
  });

  it('keys are served at the legacy path', async () => {
    const user = await sharedUser(world);
    const r0 = (target: string) => target.replace('v3', 'r0');
    expect((await user.post(r0(UPLOAD), { body: {} })).status).toBe(200);
    expect((await user.post(r0(QUERY), { body: { device_keys: {} } })).status).toBe(200);
    expect((await user.post(r0(CLAIM), { body: { one_time_keys: {} } })).status).toBe(200);
    expect((await user.post(r0(SIGNATURES), { body: {} })).status).toBe(200);
    expect(await user.post(r0(CROSS_SIGNING), { body: {} })).toMatchObject(refusal(404, 'M_UNRECOGNIZED'));
  });

  describe('for cross-signing', () => {
    it('keys for cross-signing are visible to all users, except the user-signing key', async () => {
      const [alice, bob] = [await world.user(), await world.user()];
      const { body } = newCrossSigning(alice.userId);
      expect(await alice.post(CROSS_SIGNING, { body })).toMatchObject({ status: 200, text: '{}' });
      const shared = {
        master_keys: { [alice.userId]: body.master_key },
        self_signing_keys: { [alice.userId]: body.self_signing_key },
      };
      expect(await query(bob, alice.userId)).toMatchObject({ ...shared, user_signing_keys: {} });
      expect(await query(alice, alice.userId)).toMatchObject({
        ...shared,
        user_signing_keys: { [alice.userId]: body.user_signing_key },
      });
      expect((await query(bob, alice.userId)).user_signing_keys).toEqual({});
    });

    it('keys for cross-signing are replaced with the password, and uploaded again unchanged without it', async () => {
      const [user, other] = [await world.user(), await world.user()];
      const [first, second] = [newCrossSigning(user.userId), newCrossSigning(user.userId)];
      for (let i = 0; i < 2; i++)
        expect((await user.post(CROSS_SIGNING, { body: first.body })).status).toBe(200);
      expect((await user.post(CROSS_SIGNING, { body: {} })).status).toBe(200);

      const challenge = await user.post<{ session: string }>(CROSS_SIGNING, { body: second.body });
      expect(challenge).toMatchObject({ status: 401, body: { flows: [{ stages: ['m.login.password'] }] } });
      expect(challenge.body).not.toHaveProperty('errcode');
      const { session } = challenge.body;
      const wrong = { ...proofOf(user), password: 'wrong', session };
      expect(await user.post(CROSS_SIGNING, { body: { ...second.body, auth: wrong } })).toMatchObject(
        refusal(401, 'M_FORBIDDEN', { session }),
      );
      const strangers = { ...proofOf(other), session };
      expect((await user.post(CROSS_SIGNING, { body: { ...second.body, auth: strangers } })).status).toBe(
        403,
      );
      expect((await query(user, user.userId)).master_keys).toEqual({ [user.userId]: first.body.master_key });

      // The session stores the first request.
      const auth = { ...proofOf(user), session };
      expect(await user.post(CROSS_SIGNING, { body: { auth } })).toMatchObject({ status: 200, text: '{}' });
      expect(await query(user, user.userId)).toMatchObject({
        master_keys: { [user.userId]: second.body.master_key },
        self_signing_keys: { [user.userId]: second.body.self_signing_key },
      });
    });

    it('can be replaced without the password for a limited time after an administrator allows it', async () => {
      const user = await world.user();
      await user.post(CROSS_SIGNING, { body: newCrossSigning(user.userId).body });
      const { body } = newCrossSigning(user.userId);
      const permit = path`/_service/admin/v1/users/${user.userId}/_allow_cross_signing_replacement_without_uia`;
      expect((await world.admin.post(permit, { body: {} })).status).toBe(200);
      expect((await user.post(CROSS_SIGNING, { body })).status).toBe(200);
      expect((await query(user, user.userId)).master_keys).toEqual({ [user.userId]: body.master_key });
    });

    it('keys for cross-signing that an earlier master key signed are removed with it', async () => {
      const user = await world.user();
      await user.post(CROSS_SIGNING, { body: newCrossSigning(user.userId).body });
      const { master_key } = newCrossSigning(user.userId).body;
      const body = { master_key, auth: proofOf(user) };
      expect((await user.post(CROSS_SIGNING, { body })).status).toBe(200);
      expect(await query(user, user.userId)).toMatchObject({
        master_keys: { [user.userId]: master_key },
        self_signing_keys: {},
        user_signing_keys: {},
      });
      expect((await query(user, user.userId)).self_signing_keys).toEqual({});
    });

    it('require a master key first', async () => {
      const user = await sharedUser(world);
      const { self_signing_key } = newCrossSigning(user.userId).body;
      for (const body of [{}, { self_signing_key }, { master_key: null }]) {
        expect(await user.post(CROSS_SIGNING, { body })).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      }
    });

    const violations: readonly [string, string, (user: Actor) => unknown][] = [
      ['a text', 'M_INVALID_PARAM', () => ({ master_key: 'key' })],
      [
        'the key of another user',
        'M_INVALID_PARAM',
        () => ({ master_key: crossSigningKey('@other:test', 'master', newSigningKey()) }),
      ],
      [
        'a key for another usage',
        'M_INVALID_PARAM',
        ({ userId }) => ({ master_key: crossSigningKey(userId, 'user_signing', newSigningKey()) }),
      ],
      [
        'two keys in one',
        'M_INVALID_PARAM',
        ({ userId }) => ({
          master_key: {
            ...crossSigningKey(userId, 'master', newSigningKey()),
            keys: { 'ed25519:a': 'a', 'ed25519:b': 'b' },
          },
        }),
      ],
      [
        'a key of another name',
        'M_INVALID_PARAM',
        ({ userId }) => ({
          master_key: { user_id: userId, usage: ['master'], keys: { 'ed25519:a': 'b' } },
        }),
      ],
      [
        'a key that is a device',
        'M_INVALID_PARAM',
        ({ userId, deviceId }) => ({
          master_key: { user_id: userId, usage: ['master'], keys: { [`ed25519:${deviceId}`]: deviceId } },
        }),
      ],
      [
        'a key that the master key has not signed',
        'M_INVALID_SIGNATURE',
        ({ userId }) => ({
          ...newCrossSigning(userId).body,
          self_signing_key: crossSigningKey(userId, 'self_signing', newSigningKey()),
        }),
      ],
      [
        'a key that another one has signed',
        'M_INVALID_SIGNATURE',
        ({ userId }) => ({
          master_key: newCrossSigning(userId).body.master_key,
          user_signing_key: newCrossSigning(userId).body.user_signing_key,
        }),
      ],
      [
        'a key that was changed after it was signed',
        'M_INVALID_SIGNATURE',
        ({ userId }) => {
          const { master_key, self_signing_key } = newCrossSigning(userId).body;
          return { master_key, self_signing_key: { ...self_signing_key, extra: 1 } };
        },
      ],
    ];
    it.each(violations)('keys for cross-signing are refused with %s', async (_, errcode, bodyFor) => {
      const user = await sharedUser(world);
      expect(await user.post(CROSS_SIGNING, { body: bodyFor(user) })).toMatchObject(refusal(400, errcode));
      expect((await query(user, user.userId)).master_keys).toEqual({});
    });

    it('must not share an id with a device', async () => {
      const user = await world.user();
      const { master, body } = newCrossSigning(user.userId);
      await user.post(CROSS_SIGNING, { body });
      const devices = path`/_service/admin/v2/users/${user.userId}/devices`;
      expect(await world.admin.post(devices, { body: { device_id: master.publicKey } })).toMatchObject(
        refusal(400, 'M_FORBIDDEN'),
      );
    });
  });

  describe('signatures', () => {
    /** A user with cross-signing keys and a device with keys. */
    const userWithKeys = async () => {
      const user = await world.user();
      const deviceKey = newSigningKey();
      const device = deviceKeysOf(user, deviceKey);
      await upload(user, { device_keys: device });
      const keys = newCrossSigning(user.userId);
      await user.post(CROSS_SIGNING, { body: keys.body });
      return { user, deviceKey, device, keys };
    };
    const sign = async (by: Actor, target: string, id: string, object: unknown) => {
      const reply = await by.post<{ failures: Record<string, Record<string, { errcode: string }>> }>(
        SIGNATURES,
        { body: { [target]: { [id]: object } } },
      );
      expect(reply.status).toBe(200);
      return reply.body.failures[target]?.[id]?.errcode;
    };
    const idOf = ({ publicKey }: { readonly publicKey: string }) => `ed25519:${publicKey}`;

    it('of a device by its user are visible to all', async () => {
      const { user, device, deviceKey, keys } = await userWithKeys();
      const other = await world.user();
      const bySelf = signed(device, user.userId, idOf(keys.selfSigning), keys.selfSigning);
      expect(await sign(user, user.userId, user.deviceId, bySelf)).toBeUndefined();
      const shown = async () => (await query(other, user.userId)).device_keys[user.userId]?.[user.deviceId];
      expect((await shown())?.signatures).toEqual(bySelf.signatures);
      // The signature covers these keys, not later ones.
      await upload(user, { device_keys: device });
      expect((await shown())?.signatures).toEqual(bySelf.signatures);
      const changed = signed(
        { ...device, algorithms: [], signatures: {} },
        user.userId,
        `ed25519:${user.deviceId}`,
        deviceKey,
      );
      await upload(user, { device_keys: changed });
      expect((await shown())?.signatures).toEqual(changed.signatures);
    });

    it('of a user by their device are visible to all', async () => {
      const { user, deviceKey, keys } = await userWithKeys();
      const other = await world.user();
      const { publicKey } = keys.master;
      const byDevice = signed(keys.body.master_key, user.userId, `ed25519:${user.deviceId}`, deviceKey);
      expect(await sign(user, user.userId, publicKey, byDevice)).toBeUndefined();
      expect(await sign(user, user.userId, publicKey, byDevice)).toBeUndefined();
      const { master_keys } = await query(other, user.userId);
      expect(master_keys[user.userId]?.signatures).toEqual(byDevice.signatures);
    });

    it('of another user are visible to the signer only', async () => {
      const [alice, bob] = [await userWithKeys(), await userWithKeys()];
      const { publicKey } = bob.keys.master;
      const byAlice = signed(
        bob.keys.body.master_key,
        alice.user.userId,
        idOf(alice.keys.userSigning),
        alice.keys.userSigning,
      );
      expect(await sign(alice.user, bob.user.userId, publicKey, byAlice)).toBeUndefined();
      const signaturesFor = async (user: Actor) =>
        (await query(user, bob.user.userId)).master_keys[bob.user.userId]?.signatures;
      expect(await signaturesFor(alice.user)).toEqual(byAlice.signatures);
      expect(await signaturesFor(bob.user)).toBeUndefined();

      const auth = proofOf(bob.user);
      await bob.user.post(CROSS_SIGNING, { body: { ...newCrossSigning(bob.user.userId).body, auth } });
      expect(await signaturesFor(alice.user)).toBeUndefined();
    });

    it('signatures are checked one by one, and errors are reported', async () => {
      const [alice, bob] = [await userWithKeys(), await userWithKeys()];
      const { user, keys, device, deviceKey } = alice;
      const own = user.userId;
      const good = signed(device, own, idOf(keys.selfSigning), keys.selfSigning);
      const forged = signed(device, own, idOf(keys.selfSigning), keys.userSigning);
      const byMaster = signed(device, own, idOf(keys.master), keys.master);
      const tampered = signed({ ...device, algorithms: [] }, own, idOf(keys.selfSigning), keys.selfSigning);
      const byUnknown = signed(keys.body.master_key, own, 'ed25519:UNKNOWN', deviceKey);
      const bobs = bob.keys.body.master_key;
      const bySelf = signed(bobs, own, idOf(keys.selfSigning), keys.selfSigning);
      expect(await sign(user, own, user.deviceId, forged)).toBe('M_INVALID_SIGNATURE');
      expect(await sign(user, own, user.deviceId, byMaster)).toBe('M_INVALID_SIGNATURE');
      expect(await sign(user, own, user.deviceId, tampered)).toBe('M_INVALID_PARAM');
      expect(await sign(user, own, 'UNKNOWN', good)).toBe('M_NOT_FOUND');
      expect(await sign(user, own, keys.master.publicKey, byUnknown)).toBe('M_INVALID_SIGNATURE');
      expect(await sign(user, bob.user.userId, bob.keys.master.publicKey, bySelf)).toBe(
        'M_INVALID_SIGNATURE',
      );
      expect(await sign(user, bob.user.userId, bob.user.deviceId, good)).toBe('M_NOT_FOUND');
      expect(await sign(user, '@remote:elsewhere', 'x', {})).toBe('M_NOT_FOUND');

      const body = { [own]: { [user.deviceId]: good, UNKNOWN: good } };
      expect((await user.post(SIGNATURES, { body })).body).toEqual({
        failures: { [own]: { UNKNOWN: { errcode: 'M_NOT_FOUND', error: expect.any(String) } } },
      });
      const shown = (await query(user, own)).device_keys[own]?.[user.deviceId];
      expect(shown?.signatures).toEqual(good.signatures);
    });

    it.each([
      ['a list of users', '[]', 'M_BAD_JSON'],
      ['a list of keys', '{"@a:test":[]}', 'M_BAD_JSON'],
      ['a key that is a text', '{"@a:test":{"D":"x"}}', 'M_BAD_JSON'],
      ['no JSON', 'x', 'M_NOT_JSON'],
    ])('signatures are refused for %s', async (_, rawBody, errcode) => {
      expect(await world.admin.post(SIGNATURES, { rawBody })).toMatchObject(refusal(400, errcode));
    });
  });

  describe('are deleted with their device', () => {
    const removals: readonly [string, (user: Actor) => Promise<unknown>][] = [
      [
        'deletes it',
        (user) => world.admin.delete(path`/_service/admin/v2/users/${user.userId}/devices/${user.deviceId}`),
      ],
      ['logs out', (user) => user.post(`${CLIENT}/logout`)],
      ['logs out everywhere', (user) => user.post(`${CLIENT}/logout/all`)],
    ];
    it.each(removals)('when a user %s', async (_, remove) => {
      const [user, other] = [await world.user(), await world.user()];
      await upload(user, {
        device_keys: deviceKeysOf(user, newSigningKey()),
        one_time_keys: key('A'),
        fallback_keys: key('F'),
      });
      await user.post(CROSS_SIGNING, { body: newCrossSigning(user.userId).body });
      await remove(user);
      await world.whenIdle();
      const queried = await query(other, user.userId);
      expect(queried.device_keys).toEqual({ [user.userId]: {} });
      expect(Object.keys(queried.master_keys)).toEqual([user.userId]);
      expect(await claim(other, user)).toBeUndefined();

      // A later device with the same id has none of its keys.
      const { body } = await world.http<{ access_token: string }>('POST', `${CLIENT}/login`, {
        body: {
          type: 'm.login.password',
          user: user.userId,
          password: user.password,
          device_id: user.deviceId,
        },
      });
      const later = world.actor({ ...user, token: body.access_token });
      expect(await countsOf(later)).toEqual({ [CURVE]: 0 });
      expect((await upload(later, { one_time_keys: key('A', 'another') })).status).toBe(200);
    });

    it('when their user is deactivated, together with all others', async () => {
      const [user, other] = [await world.user(), await world.user()];
      await upload(user, { device_keys: deviceKeysOf(user, newSigningKey()), one_time_keys: key('A') });
      await user.post(CROSS_SIGNING, { body: newCrossSigning(user.userId).body });
      await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`);
      await world.whenIdle();
      expect(await query(other, user.userId)).toMatchObject({
        device_keys: { [user.userId]: {} },
        master_keys: {},
      });
      expect((await query(other, user.userId)).master_keys).toEqual({});
      expect(await claim(other, user)).toBeUndefined();
    });
  });
});

const shared = new WeakMap<World, Promise<Actor>>();

/** A user whose requests are all refused, so that no keys exist. */
function sharedUser(world: World): Promise<Actor> {
  const known = shared.get(world) ?? world.user('keyless');
  shared.set(world, known);
  return known;
}
