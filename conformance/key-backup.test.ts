import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const VERSION = '/_proto/client/v3/room_keys/version';
const KEYS = '/_proto/client/v3/room_keys/keys';
const UNKNOWN = '999';

const ALGORITHM = 'm.megolm_backup.v1.curve25519-aes-sha2';
const auth_data = { public_key: 'abc', signatures: {} };

const key = (fields: Readonly<Record<string, unknown>> = {}) => ({
  first_message_index: 1,
  forwarded_count: 1,
  is_verified: false,
  session_data: { ciphertext: 'x' },
  ...fields,
});

interface Fill {
  count: number;
  etag: string;
}

const keysAt = (...ids: readonly string[]) => [KEYS, ...ids.map(encodeURIComponent)].join('/');

async function createBackup(user: Actor): Promise<string> {
  const body = { algorithm: ALGORITHM, auth_data };
  const reply = await user.post<{ version: string }>(VERSION, { body });
  expect(reply).toMatchObject({ status: 200, body: { version: expect.any(String) } });
  return reply.body.version;
}

chapter('12 Key backup', (world) => {
  /** A user with a backup. */
  const withBackup = async () => {
    const user = await world.user();
    const version = await createBackup(user);
    const query = { version };
    const put = (rooms: unknown) => user.put<Fill>(KEYS, { query, body: { rooms } });
    const rooms = async () =>
      (await user.get<{ rooms: Record<string, { sessions: Record<string, unknown> }> }>(KEYS, { query })).body
        .rooms;
    return { user, version, query, put, rooms };
  };

  describe('versions', () => {
    it('do not exist at first', async () => {
      const user = await world.user();
      for (const target of [VERSION, `${VERSION}/1`, `${VERSION}/x`, `${VERSION}/`]) {
        expect(await user.get(target)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      }
      expect(await user.get(VERSION.replace('v3', 'r0'))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    });

    it('versions of a key backup are numbered in ascending order, and the newest one is current', async () => {
      const { user, version } = await withBackup();
      const shown = { algorithm: ALGORITHM, auth_data, count: 0, etag: '0', version };
      expect(await user.get(VERSION)).toMatchObject({ status: 200, body: shown });
      const next = await createBackup(user);
      expect(Number(next)).toBeGreaterThan(Number(version));
      expect((await user.get(VERSION)).body).toEqual({ ...shown, version: next });
      expect((await user.get(`${VERSION}/${version}`)).body).toEqual(shown);

      expect(await user.delete(`${VERSION}/${next}`)).toMatchObject({ status: 200, text: '{}' });
      expect((await user.get(VERSION)).body).toEqual(shown);
      expect(await user.delete(`${VERSION}/${next}`)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      // No version is assigned twice: clients identify backups by it.
      expect(Number(await createBackup(user))).toBeGreaterThan(Number(next));
    });

    it.each([
      ['no body', '', 'M_NOT_JSON'],
      ['no algorithm', '{"auth_data":{}}', 'M_MISSING_PARAM'],
      ['an algorithm that is not a string', '{"algorithm":1,"auth_data":{}}', 'M_BAD_JSON'],
      ['no data', '{"algorithm":"a"}', 'M_MISSING_PARAM'],
      ['data that are a list', '{"algorithm":"a","auth_data":[]}', 'M_BAD_JSON'],
      ['data that are null', '{"algorithm":"a","auth_data":null}', 'M_BAD_JSON'],
      ['long data', `{"algorithm":"a","auth_data":{"x":"${'x'.repeat(70_000)}"}}`, 'M_TOO_LARGE'],
    ])('cannot be created with %s', async (_, rawBody, errcode) => {
      expect(await world.admin.post(VERSION, { rawBody })).toMatchObject(refusal(400, errcode));
      expect((await world.admin.get(VERSION)).status).toBe(404);
    });

    it('have data that can be changed', async () => {
      const { user, version } = await withBackup();
      const changed = { algorithm: ALGORITHM, auth_data: { public_key: 'other' } };
      const change = (target: string, body: unknown) => user.put(`${VERSION}/${target}`, { body });
      expect(await change(version, changed)).toMatchObject({ status: 200, text: '{}' });
      expect(await change(version, { ...changed, version })).toMatchObject({ status: 200 });
      for (const wrong of [{ version: UNKNOWN }, { algorithm: 'other' }]) {
        expect(await change(version, { ...changed, ...wrong })).toMatchObject(
          refusal(400, 'M_INVALID_PARAM'),
        );
      }
      expect(await change(version, { algorithm: ALGORITHM })).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await change(UNKNOWN, changed)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect((await user.get(VERSION)).body).toMatchObject({ ...changed, version });
    });
  });

  describe('keys', () => {
    it('backed-up keys are stored and returned in bulk, by room, and one by one', async () => {
      const { user, query, put } = await withBackup();
      const [a, b] = ['!a:test', '!b/ä:test'];
      expect(await put({ [a]: { sessions: { s1: key() } } })).toMatchObject({
        status: 200,
        body: { count: 1, etag: '1' },
      });
      const session_data = { nested: [1, { a: null }], big: 12345678901234567890n.toString() };
      expect(
        await user.put(keysAt(b), { query, body: { sessions: { 's/2': key({ session_data }) } } }),
      ).toMatchObject({ status: 200, body: { count: 2, etag: '2' } });
      expect(await user.put(keysAt(b, 's3'), { query, body: key() })).toMatchObject({
        status: 200,
        body: { count: 3, etag: '3' },
      });
      const ofB = { sessions: { 's/2': key({ session_data }), s3: key() } };
      expect((await user.get(KEYS, { query })).body).toEqual({
        rooms: { [a]: { sessions: { s1: key() } }, [b]: ofB },
      });
      expect((await user.get(keysAt(b), { query })).body).toEqual(ofB);
      expect((await user.get(keysAt(b, 's/2'), { query })).body).toEqual(key({ session_data }));
      expect((await user.get(keysAt('!none:test'), { query })).body).toEqual({ sessions: {} });
      expect(await user.get(keysAt(a, 's3'), { query })).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect((await user.get(VERSION)).body).toMatchObject({ count: 3, etag: '3' });
    });

    it('backed-up keys are replaced by better ones only', async () => {
      const { user, query } = await withBackup();
      const put = (fields: Readonly<Record<string, unknown>>) =>
        user.put<Fill>(keysAt('!r:test', 's'), { query, body: key(fields) });
      const mark = (name: string) => ({ session_data: { name } });
      await put({ first_message_index: 5, forwarded_count: 5, ...mark('first') });
      const steps: readonly [Record<string, unknown>, boolean][] = [
        [{ first_message_index: 5, forwarded_count: 5 }, false],
        [{ first_message_index: 5, forwarded_count: 4 }, true],
        [{ first_message_index: 6, forwarded_count: 0 }, false],
        [{ first_message_index: 4, forwarded_count: 9 }, true],
        [{ first_message_index: 9, forwarded_count: 9, is_verified: true }, true],
        [{ first_message_index: 0, forwarded_count: 0, is_verified: false }, false],
        [{ first_message_index: 8, forwarded_count: 9, is_verified: true }, true],
      ];
      let etag = '1';
      for (const [index, [fields, replaces]] of steps.entries()) {
        const { body } = await put({ ...fields, ...mark(`step ${index}`) });
        const stored = (await user.get<{ session_data: unknown }>(keysAt('!r:test', 's'), { query })).body;
        expect(stored.session_data).toEqual(replaces ? { name: `step ${index}` } : expect.anything());
        if (!replaces) expect(stored.session_data).not.toEqual({ name: `step ${index}` });
        expect([body.etag !== etag, body.count]).toEqual([replaces, 1]);
        etag = body.etag;
      }
    });

    it('stored concurrently: the best one is kept', async () => {
      const { user, query, put, rooms } = await withBackup();
      const puts = Array.from({ length: 8 }, (_, i) =>
        put({ '!r:test': { sessions: { s: key({ first_message_index: i }), [`s${i}`]: key() } } }),
      );
      for (const { status } of await Promise.all(puts)) expect(status).toBe(200);
      const { sessions = {} } = (await rooms())['!r:test'] ?? {};
      expect(sessions.s).toEqual(key({ first_message_index: 0 }));
      expect(Object.keys(sessions)).toHaveLength(9);
      expect((await user.get(VERSION, { query })).body.count).toBe(9);
    });

    it('backed-up keys are accepted for the current backup only', async () => {
      const { user, version, query, put } = await withBackup();
      await put({ '!r:test': { sessions: { s: key() } } });
      const current_version = await createBackup(user);
      const bodies: readonly [string, unknown][] = [
        [KEYS, { rooms: {} }],
        [keysAt('!r:test'), { sessions: {} }],
        [keysAt('!r:test', 't'), key()],
      ];
      for (const [target, body] of bodies) {
        expect(await user.put(target, { query, body })).toMatchObject(
          refusal(403, 'M_WRONG_ROOM_KEYS_VERSION', { current_version }),
        );
        expect(await user.put(target, { query: { version: UNKNOWN }, body })).toMatchObject(
          refusal(404, 'M_NOT_FOUND'),
        );
        expect(await user.put(target, { body })).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      }
      // An older one can still be read.
      expect((await user.get(keysAt('!r:test', 's'), { query: { version } })).status).toBe(200);
    });

    it('backed-up keys are read with the version of the backup', async () => {
      const { user } = await withBackup();
      for (const target of [KEYS, keysAt('!r:test'), keysAt('!r:test', 's')]) {
        expect(await user.get(target)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
        expect(await user.delete(target)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
        for (const version of [UNKNOWN, 'x', '', '1e3', '9'.repeat(40)]) {
          expect(await user.get(target, { query: { version } })).toMatchObject(refusal(404, 'M_NOT_FOUND'));
          expect(await user.delete(target, { query: { version } })).toMatchObject(
            refusal(404, 'M_NOT_FOUND'),
          );
        }
      }
    });

    const violations: readonly [string, unknown, string][] = [
      ['no rooms', {}, 'M_MISSING_PARAM'],
      ['a list of rooms', { rooms: [] }, 'M_BAD_JSON'],
      ['a room without sessions', { rooms: { '!r:test': {} } }, 'M_MISSING_PARAM'],
      ['a list of sessions', { rooms: { '!r:test': { sessions: [] } } }, 'M_BAD_JSON'],
      ['no index', key({ first_message_index: undefined }), 'M_MISSING_PARAM'],
      ['a negative index', key({ first_message_index: -1 }), 'M_BAD_JSON'],
      ['a fraction', key({ forwarded_count: 0.5 }), 'M_BAD_JSON'],
      ['a verification that is a text', key({ is_verified: 'yes' }), 'M_BAD_JSON'],
      ['no data', key({ session_data: undefined }), 'M_MISSING_PARAM'],
      ['data that are a text', key({ session_data: 'x' }), 'M_BAD_JSON'],
      ['data that are null', key({ session_data: null }), 'M_BAD_JSON'],
    ];
    it.each(violations)('backed-up keys are refused with %s', async (_, invalid, errcode) => {
      const { user, query, rooms } = await sharedBackup();
      const isRooms =
        Object.hasOwn(invalid as object, 'rooms') || Object.keys(invalid as object).length === 0;
      const body = isRooms ? invalid : { rooms: { '!r:test': { sessions: { good: key(), bad: invalid } } } };
      expect(await user.put(KEYS, { query, body })).toMatchObject(refusal(400, errcode));
      if (!isRooms)
        expect(await user.put(keysAt('!r:test', 'bad'), { query, body: invalid })).toMatchObject(
          refusal(400, errcode),
        );
      expect(await rooms()).toEqual({});
    });

    it('backed-up keys are refused with an id that is too long', async () => {
      const { user, query } = await sharedBackup();
      const target = keysAt('!r:test', 's'.repeat(256));
      expect(await user.put(target, { query, body: key() })).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });

    it.each(['.', '..'])('backed-up keys are refused with the id %s, which no path can name', async (id) => {
      const { user, query, rooms } = await sharedBackup();
      for (const body of [
        { rooms: { '!r:test': { sessions: { [id]: key() } } } },
        { rooms: { [id]: { sessions: { s: key() } } } },
      ])
        expect(await user.put(KEYS, { query, body })).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
      expect(await rooms()).toEqual({});
    });

    it('can be stored in large numbers', async () => {
      const { query, put, rooms, user } = await withBackup();
      const sessions = Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`s${i}`, key()]));
      expect((await put({ '!r:test': { sessions } })).body.count).toBe(1200);
      expect(Object.keys((await rooms())['!r:test']?.sessions ?? {})).toHaveLength(1200);
      expect((await user.delete(KEYS, { query })).body.count).toBe(0);
    });

    it('backed-up keys are deleted one by one, by room, and in bulk', async () => {
      const { user, query, put, rooms } = await withBackup();
      const sessions = { s1: key(), s2: key() };
      await put({ '!a:test': { sessions }, '!b:test': { sessions }, '!c:test': { sessions } });
      expect((await user.delete(keysAt('!a:test', 's1'), { query })).body).toEqual({ count: 5, etag: '2' });
      expect((await user.delete(keysAt('!a:test', 's1'), { query })).body).toEqual({ count: 5, etag: '2' });
      expect((await user.delete(keysAt('!b:test'), { query })).body).toEqual({ count: 3, etag: '3' });
      expect(await rooms()).toEqual({ '!a:test': { sessions: { s2: key() } }, '!c:test': { sessions } });
      expect((await user.delete(KEYS, { query })).body).toEqual({ count: 0, etag: '4' });
      expect(await rooms()).toEqual({});
    });
  });

  it('a backup is visible to its user only', async () => {
    const [{ user, version, put }, other] = [await withBackup(), await world.user()];
    await put({ '!r:test': { sessions: { s: key() } } });
    expect(await other.get(`${VERSION}/${version}`)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    expect(await other.get(KEYS, { query: { version } })).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    await other.delete(`${VERSION}/${version}`);
    expect((await user.get(VERSION)).body).toMatchObject({ version, count: 1 });
  });

  it('a backup is deleted when its user is deactivated, and is not restored by reactivation', async () => {
    const { user, put } = await withBackup();
    await put({ '!r:test': { sessions: { s: key() } } });
    const account = path`/_service/admin/v2/users/${user.userId}`;
    await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`);
    await world.whenIdle();
    await world.admin.put(account, { body: { deactivated: false, password: user.password } });
    const again = await world.login(user);
    expect(await again.get(VERSION)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    const version = await createBackup(again);
    expect((await again.get(VERSION)).body).toMatchObject({ version, count: 0 });
  });

  let shared: ReturnType<typeof withBackup> | undefined;
  /** A backup that stays empty. */
  function sharedBackup() {
    shared ??= withBackup();
    return shared;
  }
});
