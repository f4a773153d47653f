import { type Actor, path } from '@steward/testing';
import { expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const SESSION = '/_service/admin/v1/session';
const TOKENS = '/_service/admin/v1/tokens';

const DAY_MS = 86_400_000;

const forbidden = refusal(403, 'M_FORBIDDEN');
const unknown = refusal(401, 'M_UNKNOWN_TOKEN');
const stepUpRequired = refusal(401, 'STEWARD_STEP_UP_REQUIRED');

const at = (userId: string) => path`/_service/admin/v2/users/${userId}`;

/** An automation token that a test uses. */
interface Automation {
  readonly id: string;
  readonly token: string;
}

chapter('Escalation', (world) => {
  /** A new automation token. */
  async function automation(body: Readonly<Record<string, unknown>>): Promise<Automation> {
    const reply = await world.admin.post<Automation>(TOKENS, { body: { name: 'for a test', ...body } });
    expect(reply).toMatchObject({ status: 200 });
    return reply.body;
  }

  /** A user with a role, and a browser with a session of the user that nothing proves. */
  async function unproved(role: string): Promise<{ readonly user: Actor; readonly browser: Browser }> {
    const user = await world.user('session');
    const target = path`/_service/admin/v1/users/${user.userId}/roles`;
    expect(await world.admin.put(target, { body: { roles: [role] } })).toMatchObject({ status: 200 });
    const browser = new Browser(world);
    expect(await browser.send('POST', SESSION, { token: user.token })).toMatchObject({ status: 200 });
    return { user, browser };
  }

  it.each(['support', 'admin'])(
    'by a session of the role %s, which sets the password that proves it, is refused',
    async (role) => {
      const { user, browser } = await unproved(role);
      const other = await world.account();
      for (const userId of [user.userId, other]) {
        const reset = path`/_service/admin/v1/reset_password/${userId}`;
        const body = { new_password: 'known', logout_devices: false };
        expect(await browser.send('POST', reset, { body })).toMatchObject(stepUpRequired);
        expect(
          await browser.send('PUT', at(userId), { body: { password: 'known', logout_devices: false } }),
        ).toMatchObject(stepUpRequired);
      }
      const proof = (password: string) => browser.send('POST', `${SESSION}/step_up`, { body: { password } });
      expect(await proof('known')).toMatchObject(forbidden);
      expect(await proof(user.password)).toMatchObject({ status: 200 });
      expect(await browser.send('PUT', at(other), { body: { password: 'known' } })).toMatchObject({
        status: 200,
      });
    },
  );

  it('by credentials that begin a session, or act as others, is refused', async () => {
    const { token } = await automation({ role: 'admin' });
    const user = await world.user();
    const login = path`/_service/admin/v1/users/${user.userId}/login`;
    expect(await world.http('POST', login, { token, body: {} })).toMatchObject(forbidden);
    const { body } = await world.admin.post<{ access_token: string }>(
      path`/_service/admin/v1/users/${(await unproved('support')).user.userId}/login`,
      { body: {} },
    );
    for (const sent of [token, body.access_token]) {
      const reply = await world.http('POST', SESSION, { token: sent });
      expect([401, 403]).toContain(reply.status);
      expect(reply.headers).not.toHaveProperty('set-cookie');
    }
    for (const carrier of [`/_service/admin/v2/users?access_token=${token}`, '/_proto/client/versions'])
      expect(await world.http('GET', carrier, carrier.includes('?') ? {} : { token })).toMatchObject(unknown);
  });

  it('by an automation token, which rotates one that is accepted longer or elsewhere, is refused', async () => {
    const scopes = ['access:read', 'access:write'];
    const near = { allowed_addresses: ['127.0.0.1', '::1'] };
    const caller = await automation({ scopes, expires_in_ms: DAY_MS, ...near });
    const rotate = ({ id }: Automation) =>
      world.http('POST', path`/_service/admin/v1/tokens/${id}/rotate`, { token: caller.token, body: {} });
    for (const wider of [
      near,
      { ...near, expires_in_ms: 2 * DAY_MS },
      { expires_in_ms: 1_000_000 },
      { expires_in_ms: 1_000_000, allowed_addresses: ['127.0.0.1', '192.0.2.1'] },
    ]) {
      const other = await automation({ scopes, ...wider });
      expect(await rotate(other), JSON.stringify(wider)).toMatchObject(forbidden);
      expect(await world.http('GET', TOKENS, { token: other.token })).toMatchObject({ status: 200 });
    }
    const narrower = await automation({ scopes, expires_in_ms: 1_000_000, allowed_addresses: ['127.0.0.1'] });
    expect(await rotate(narrower)).toMatchObject({ status: 200 });
    expect(await rotate(caller)).toMatchObject({ status: 200 });
  });
});
