import { path, type Reply } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

/** The concurrent requests with one key. */
const CONCURRENT = 200;

const account = (userId: string) => path`/_service/admin/v2/users/${userId}`;
const isReplayed = ({ headers }: Reply) => headers['idempotent-replayed'] === 'true';

let made = 0;
const newKey = () => `key-${made++}-${Math.random()}`;

chapter('Idempotency-Key', (world) => {
  /** Makes an administrative request with a key. */
  const send = (verb: string, requestPath: string, key: string, body: unknown = {}) =>
    world.http(verb, requestPath, {
      token: world.admin.token,
      body,
      headers: { 'idempotency-key': key },
    });

  /** How many entries the audit log has of an action on a target. */
  async function entries(action: string, target: string): Promise<number> {
    await world.whenIdle();
    const { body } = await world.admin.get('/_service/admin/v1/audit_log', { query: { action, target } });
    return (body as { readonly entries: readonly unknown[] }).entries.length;
  }

  it('a repeated request gets the first answer, and is recorded once', async () => {
    const userId = world.userId(world.freshName());
    const key = newKey();
    const first = await send('PUT', account(userId), key, {
      displayname: 'Ada',
      password: 'a long password',
    });
    expect(first.status).toBe(201);
    expect(isReplayed(first)).toBe(false);
    for (const spelling of [key, `"${key}"`, ` "${key}" `]) {
      const again = await send('PUT', account(userId), spelling, {
        displayname: 'Ada',
        password: 'a long password',
      });
      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(isReplayed(again)).toBe(true);
    }
    expect(await entries('user.put_user', userId)).toBe(1);
  });

  it('another request with the same key is refused, one to another path or of another caller is not', async () => {
    const [one, other] = [await world.user(), await world.user()];
    const key = newKey();
    expect(await send('PUT', account(one.userId), key, { displayname: 'A' })).toMatchObject({ status: 200 });
    expect(await send('PUT', account(one.userId), key, { displayname: 'B' })).toMatchObject(
      refusal(422, 'STEWARD_IDEMPOTENCY_KEY_REUSED'),
    );
    expect(await send('PUT', account(other.userId), key, { displayname: 'A' })).toMatchObject({
      status: 200,
    });
    const second = await world.user('second', { admin: true });
    const reply = await world.http('PUT', account(one.userId), {
      token: second.token,
      body: { displayname: 'C' },
      headers: { 'idempotency-key': key },
    });
    expect(reply).toMatchObject({ status: 200, body: { displayname: 'C' } });
    expect(isReplayed(reply)).toBe(false);
  });

  it('a refused request is forgotten, so that it can be repeated when the cause is gone', async () => {
    const userId = world.userId(world.freshName());
    const key = newKey();
    const deactivation = path`/_service/admin/v1/deactivate/${userId}`;
    expect(await send('POST', deactivation, key)).toMatchObject({ status: 404 });
    await world.admin.put(account(userId), { body: { password: 'a long password' } });
    const done = await send('POST', deactivation, key);
    expect(done).toMatchObject({ status: 200 });
    expect(isReplayed(done)).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['blank', '   '],
    ['too long', 'k'.repeat(256)],
    ['an unfinished string', '"key'],
    ['with characters outside of ASCII', 'schlüssel'],
  ])('a key that is %s is refused, and nothing is done', async (_, key) => {
    const userId = world.userId(world.freshName());
    const reply = await send('PUT', account(userId), key, { password: 'a long password' });
    expect(reply).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    expect(await world.admin.get(account(userId))).toMatchObject({ status: 404 });
  });

  it('a key of 255 characters is accepted, and reads ignore it', async () => {
    const user = await world.user();
    expect(await send('PUT', account(user.userId), 'k'.repeat(255))).toMatchObject({ status: 200 });
    const read = await send('GET', account(user.userId), newKey(), undefined);
    expect(read).toMatchObject({ status: 200 });
    expect(isReplayed(read)).toBe(false);
  });

  it('a registration token, which administrators can read, is in the answer to the repetition', async () => {
    const key = newKey();
    const create = () => send('POST', '/_service/admin/v1/registration_tokens/new', key, { uses_allowed: 1 });
    const first = await create();
    expect(first).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    expect(await create()).toMatchObject({ status: 200, body: first.body });
  });

  it('an answer with a secret is not kept: the repetition says that it was done, and what was made', async () => {
    const key = newKey();
    const body = { name: 'keyed', scopes: ['users:read'] };
    const created = await send('POST', '/_service/admin/v1/tokens', key, body);
    expect(created).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    const { id } = created.body as { readonly id: string };
    const again = await send('POST', '/_service/admin/v1/tokens', key, body);
    expect(again).toMatchObject(refusal(409, 'STEWARD_ALREADY_DONE'));
    expect((again.body as { readonly targets: readonly string[] }).targets.join()).toContain(id);
    expect(again.text).not.toContain((created.body as { readonly token: string }).token);
  });

  it('many concurrent requests with one key have one effect', { timeout: 120_000 }, async () => {
    const user = await world.user();
    const created = await user.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body: {} });
    const roomId = created.body.room_id;
    const key = newKey();
    const order = () =>
      send('POST', path`/_service/admin/v1/rooms/${roomId}/send_notice`, key, { body: 'Once' });
    const replies = await Promise.all(Array.from({ length: CONCURRENT }, order));
    const answered = replies.filter(({ status }) => status === 200);
    const others = replies.filter(({ status }) => status !== 200);
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.filter((reply) => !isReplayed(reply))).toHaveLength(1);
    for (const reply of others) {
      expect(reply).toMatchObject(refusal(409, 'STEWARD_ACTION_IN_PROGRESS'));
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(new Set(answered.map(({ body }) => (body as { event_id: string }).event_id)).size).toBe(1);
    const { body } = await user.get(path`/_proto/client/v3/rooms/${roomId}/messages`, {
      query: { dir: 'b' },
    });
    const sent = (body as { chunk: { type: string; content: { body?: string } }[] }).chunk;
    expect(sent.filter(({ content }) => content.body === 'Once')).toHaveLength(1);
    expect(await entries('room.send_room_notice', roomId)).toBe(1);
  });

  it('an action that became a task stays that task', async () => {
    const user = await world.user();
    const key = newKey();
    const redaction = path`/_service/admin/v1/user/${user.userId}/redact`;
    const first = await send('POST', redaction, key, { rooms: [] });
    expect(first).toMatchObject({ status: 200, body: { redact_id: expect.any(String) } });
    await world.whenIdle();
    const again = await send('POST', redaction, key, { rooms: [] });
    expect(again.body).toEqual(first.body);
    expect(isReplayed(again)).toBe(true);
  });

  describe('the client API', () => {
    it('ignores the header', async () => {
      const user = await world.user();
      const body = { name: 'Twice' };
      const create = () =>
        world.http('POST', '/_proto/client/v3/createRoom', {
          token: user.token,
          body,
          headers: { 'idempotency-key': 'k' },
        });
      const [one, other] = [await create(), await create()];
      expect(one.body).not.toEqual(other.body);
    });
  });
});
