import { path, registrationMac } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { oneProcessChapter } from '../chapter.ts';
import { refusal } from '../refusal.ts';

/** The same password, as two keyboards compose it. */
const COMPOSED = 'caf\u00e9';
const DECOMPOSED = 'cafe\u0301';

/** Half a surrogate pair, as the JSON of a request has it. */
const BROKEN = 'a\ud800';

const SECRET = '/_service/admin/v1/register';

oneProcessChapter('7.2 Passwords', (world) => {
  const login = (user: string, password: string) =>
    world.http<{ access_token: string }>('POST', '/_proto/client/v3/login', {
      body: { type: 'm.login.password', identifier: { type: 'm.id.user', user }, password },
    });

  async function withSecret(username: string, password: string) {
    const { nonce } = (await world.http<{ nonce: string }>('GET', SECRET)).body;
    const input = { nonce, username, password };
    const mac = registrationMac(world.running.sharedSecret ?? '', input);
    return world.http('POST', SECRET, { body: { ...input, mac } });
  }

  const account = (name: string) => path`/_service/admin/v2/users/@${name}:test`;

  /** Every way to set a password of the account of a name, which the last three find existing. */
  const ways: Readonly<Record<string, (name: string, password: string) => Promise<{ status: number }>>> = {
    'POST register': (username, password) =>
      world.http('POST', '/_proto/client/v3/register', {
        body: { username, password, auth: { type: 'm.login.dummy' } },
      }),
    'POST register with the shared secret': withSecret,
    'PUT of a new account': (name, password) => world.admin.put(account(name), { body: { password } }),
    'PUT of an account': async (name, password) => {
      await world.admin.put(account(name), { body: { password: 'first' } });
      return world.admin.put(account(name), { body: { password } });
    },
    'POST reset_password': async (name, password) => {
      await world.admin.put(account(name), { body: { password: 'first' } });
      const reset = path`/_service/admin/v1/reset_password/@${name}:test`;
      return world.admin.post(reset, { body: { new_password: password } });
    },
    'POST account/password': async (name, password) => {
      await world.admin.put(account(name), { body: { password: 'first' } });
      const token = (await login(name, 'first')).body.access_token;
      const auth = { type: 'm.login.password', user: name, password: 'first' };
      return world.http('POST', '/_proto/client/v3/account/password', {
        token,
        body: { new_password: password, auth },
      });
    },
  };

  describe.each(Object.entries(ways))('%s', (_, set) => {
    it('sets a password that is the same however its characters are composed', async () => {
      for (const [chosen, typed] of [
        [COMPOSED, DECOMPOSED],
        [DECOMPOSED, COMPOSED],
      ] as const) {
        const name = world.freshName('nfkc');
        expect((await set(name, chosen)).status).toBeLessThan(300);
        expect(await login(name, typed)).toMatchObject({ status: 200 });
        expect(await login(name, chosen)).toMatchObject({ status: 200 });
      }
    });

    it('refuses one with a character that cannot be read, and changes nothing', async () => {
      const name = world.freshName('broken');
      expect(await set(name, BROKEN)).toMatchObject({ status: 400 });
      expect(await login(name, BROKEN)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });
  });

  it('proves an identity however its characters are composed', async () => {
    const name = world.freshName('proof');
    await world.admin.put(account(name), { body: { password: COMPOSED, admin: true } });
    const headers = { origin: world.running.url };
    const session = { user: name, password: DECOMPOSED };
    expect(await world.http('POST', '/_service/admin/v1/session', { headers, body: session })).toMatchObject({
      status: 200,
    });
    const token = (await login(name, DECOMPOSED)).body.access_token;
    expect(
      await world.http('POST', '/_service/admin/v1/me/totp', { token, body: { password: DECOMPOSED } }),
    ).toMatchObject({ status: 200 });
    const auth = { type: 'm.login.password', user: name, password: DECOMPOSED };
    expect(
      await world.http('POST', '/_proto/client/v3/account/password', {
        token,
        body: { new_password: 'another', auth },
      }),
    ).toMatchObject({ status: 200 });
  });
});
