import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const WHOAMI = '/_proto/client/v3/account/whoami';

/** Longer than the time for which repeated uses of a token from one address are recorded once. */
const LATER_MS = 600_000;

const FORMS = [
  '/_service/admin/v1/whois/',
  '/_proto/client/v3/admin/whois/',
  '/_proto/client/r0/admin/whois/',
  '/_proto/client/unstable/admin/whois/',
  '/_proto/client/api/v1/admin/whois/',
  '/_synapse/admin/v1/whois/',
  '/_matrix/client/r0/admin/whois/',
];

interface Connection {
  ip: string;
  last_seen: number;
  user_agent: string;
}

interface Whois {
  user_id: string;
  devices: Record<string, { sessions: { connections: Connection[] }[] }>;
}

const ip = expect.stringMatching(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);

chapter('2.4 Whois', (world) => {
  const whois = (userId: string) => world.admin.get<Whois>(path`/_service/admin/v1/whois/${userId}`);

  /** The connections of a user, who has one session on the device without a name. */
  async function connectionsOf(userId: string): Promise<Connection[]> {
    await world.whenIdle();
    const { status, body } = await whois(userId);
    expect(status).toBe(200);
    const connections = body.devices['']?.sessions[0]?.connections ?? [];
    expect(body).toEqual({ user_id: userId, devices: { '': { sessions: [{ connections }] } } });
    return connections;
  }

  describe.each(FORMS)('%s', (form) => {
    const at = (userId: string) => form + encodeURIComponent(userId);

    it.each(['', 'nobody', 'nobody:test', '@nobody'])(
      'refuses %j before it authenticates the caller',
      async (userId) => {
        const invalid = refusal(400, 'M_INVALID_PARAM');
        expect(await world.http('GET', at(userId))).toMatchObject(invalid);
        expect(await world.http('GET', at(userId), { token: 'nobody' })).toMatchObject(invalid);
        expect(await world.admin.get(at(userId))).toMatchObject(invalid);
      },
    );

    it('shows administrators any user, including themselves', async () => {
      const user = await world.user();
      expect(await world.http('GET', at(user.userId))).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
      expect(await user.get(at(user.userId))).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      expect(await user.get(at('@a:elsewhere'))).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      for (const { userId } of [user, world.admin]) {
        expect(await world.admin.get(at(userId))).toMatchObject({ status: 200, body: { user_id: userId } });
      }
    });

    it('accepts only users of this server', async () => {
      expect(await world.admin.get(at('@a:elsewhere'))).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });
  });

  it('does not find an unknown user', async () => {
    expect(await connectionsOf('@nobody:test')).toEqual([]);
    expect(await connectionsOf(await world.account())).toEqual([]);
  });

  it('shows address, time and user agent of the first use immediately', async () => {
    const user = await world.user();
    await user.get(WHOAMI, { headers: { 'user-agent': 'a client/1.0' } });
    expect((await whois(user.userId)).body.devices['']?.sessions).toEqual([
      { connections: [{ ip, last_seen: expect.any(Number), user_agent: 'a client/1.0' }] },
    ]);
    const { body } = await world.admin.get(path`/_service/admin/v2/users/${user.userId}`);
    const [connection] = await connectionsOf(user.userId);
    expect(connection?.last_seen).toBe(body.last_seen_ts);
  });

  it('shows each session separately, newest first', async () => {
    const first = await world.user();
    const second = await world.login(first);
    await first.get(WHOAMI, { headers: { 'user-agent': 'first' } });
    world.moveClock?.(1);
    await second.get(WHOAMI, { headers: { 'user-agent': 'second' } });
    const connections = await connectionsOf(first.userId);
    expect(connections.map(({ user_agent }) => user_agent)).toEqual(['second', 'first']);
  });

  it('shows the latest use', async ({ skip }) => {
    if (!world.moveClock) return skip('the set-up cannot move its clock');
    const user = await world.user();
    await user.get(WHOAMI, { headers: { 'user-agent': 'old' } });
    const [before] = await connectionsOf(user.userId);
    world.moveClock(LATER_MS);
    await user.get(WHOAMI, { headers: { 'user-agent': 'new' } });
    expect(await connectionsOf(user.userId)).toEqual([
      { ip: before?.ip, last_seen: (before?.last_seen ?? 0) + LATER_MS, user_agent: 'new' },
    ]);
  });

  it('shows ended sessions', async () => {
    const user = await world.user();
    await user.get(WHOAMI);
    await user.post('/_proto/client/v3/logout');
    expect(await connectionsOf(user.userId)).toHaveLength(1);
    await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`);
    expect(await connectionsOf(user.userId)).toHaveLength(1);
  });

  it('attributes requests of an administrator who acts as a user to the administrator', async () => {
    const admin = await world.user('admin', { admin: true });
    const user = await world.account();
    const { body } = await admin.post(path`/_service/admin/v1/users/${user}/login`);
    const token = String(body.access_token);
    const headers = { 'user-agent': 'the hand of the admin' };
    expect(await world.http('GET', WHOAMI, { token, headers })).toMatchObject({ body: { user_id: user } });
    expect(await connectionsOf(user)).toEqual([]);
    const agents = (await connectionsOf(admin.userId)).map(({ user_agent }) => user_agent);
    expect(agents).toContain('the hand of the admin');
  });
});
