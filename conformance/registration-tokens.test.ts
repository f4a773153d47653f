import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { strictServer } from './shared-settings.ts';

const TOKENS = '/_service/admin/v1/registration_tokens';
const tokenPath = (token: string) => path`/_service/admin/v1/registration_tokens/${token}`;
const REGISTER = '/_proto/client/v3/register';
const VALIDITY = '/_proto/client/v1/register/m.login.registration_token/validity';

/** The lifetime of a session of user-interactive authentication, in milliseconds. */
const SESSION_LIFE_MS = 48 * 60 * 60 * 1000;

/** Later than the clock of any server: milliseconds since the Unix epoch. */
const FAR_FUTURE_MS = 4_102_444_800_000;

interface Token {
  token: string;
  uses_allowed: number | null;
  pending: number;
  completed: number;
  expiry_time: number | null;
}

chapter(
  '13.2 Registration tokens',
  (world, { isOneProcess }) => {
    const create = async (body: Readonly<Record<string, unknown>> = {}) => {
      const reply = await world.admin.post<Token>(`${TOKENS}/new`, { body });
      expect(reply.status).toBe(200);
      return reply.body.token;
    };
    const shown = async (token: string) => (await world.admin.get<Token>(tokenPath(token))).body;
    const register = (fields: Readonly<Record<string, unknown>>, address = '198.51.100.1') =>
      world.http<{ session: string; user_id: string }>('POST', REGISTER, {
        headers: { 'x-forwarded-for': address },
        body: fields,
      });
    const stage = (token: unknown, session?: string) => ({
      type: 'm.login.registration_token',
      token,
      session,
    });
    const newAccount = () => ({ username: world.freshName(), password: 'Passw0rd!' });
    const isValid = async (token: string) =>
      (await world.http<{ valid: boolean }>('GET', VALIDITY, { query: { token } })).body.valid;

    describe('POST new', () => {
      it('creates a random token', async () => {
        const { status, body } = await world.admin.post<Token>(`${TOKENS}/new`, { body: {} });
        expect(status).toBe(200);
        expect(body).toEqual({
          token: expect.stringMatching(/^[A-Za-z0-9._~-]{16}$/),
          uses_allowed: null,
          pending: 0,
          completed: 0,
          expiry_time: null,
        });
        expect(await shown(body.token)).toEqual(body);
        expect(await create({ length: 64 })).toHaveLength(64);
        expect(await create({ length: 1 })).toHaveLength(1);
      });

      it('creates the requested token', async () => {
        const token = `A-z_9.~${world.freshName()}`;
        const body = { token, uses_allowed: 0, expiry_time: FAR_FUTURE_MS, unknown: 1 };
        expect(await world.admin.post(`${TOKENS}/new`, { body })).toMatchObject({
          status: 200,
          body: { token, uses_allowed: 0, pending: 0, completed: 0, expiry_time: FAR_FUTURE_MS },
        });
        expect(await world.admin.post(`${TOKENS}/new`, { body })).toMatchObject(
          refusal(400, 'M_INVALID_PARAM'),
        );
      });

      it.each([
        '{"token": ""}',
        '{"token": 1}',
        '{"token": null}',
        '{"token": "new"}',
        '{"token": "."}',
        '{"token": ".."}',
        '{"token": "a b"}',
        '{"token": "é"}',
        '{"token": "a\\n"}',
        `{"token": "${'a'.repeat(65)}"}`,
        '{"length": 0}',
        '{"length": 65}',
        '{"length": "16"}',
        '{"length": 16.5}',
        '{"uses_allowed": -1}',
        '{"uses_allowed": 1.0}',
        '{"uses_allowed": true}',
        '{"uses_allowed": 9007199254740993}',
        '{"expiry_time": 1}',
        '{"expiry_time": "4102444800000"}',
        '{"expiry_time": 4102444800000.5}',
      ])('refuses %s', async (rawBody) => {
        expect(await world.admin.post(`${TOKENS}/new`, { rawBody })).toMatchObject(
          refusal(400, 'M_INVALID_PARAM'),
        );
      });

      it.each([
        ['', 'M_NOT_JSON'],
        ['[]', 'M_BAD_JSON'],
      ])('refuses the body %j', async (rawBody, errcode) => {
        expect(await world.admin.post(`${TOKENS}/new`, { rawBody })).toMatchObject(refusal(400, errcode));
      });

      it('supports no other verb', async () => {
        expect((await world.admin.get(`${TOKENS}/new`)).status).toBe(405);
      });
    });

    describe('PUT', () => {
      const change = (token: string, body: unknown) => world.admin.put<Token>(tokenPath(token), { body });

      it('changes the given fields', async () => {
        const token = await create();
        const changed = { token, uses_allowed: 3, pending: 0, completed: 0, expiry_time: null };
        expect((await change(token, { uses_allowed: 3 })).body).toEqual(changed);
        const dated = { ...changed, expiry_time: FAR_FUTURE_MS };
        expect((await change(token, { expiry_time: FAR_FUTURE_MS })).body).toEqual(dated);
        expect((await change(token, {})).body).toEqual(dated);
        expect((await change(token, { ...dated, completed: 9, token: 'x' })).body).toEqual(dated);
        expect((await change(token, { uses_allowed: null, expiry_time: null })).body).toEqual({
          ...changed,
          uses_allowed: null,
        });
      });

      it.each([{ uses_allowed: -1 }, { uses_allowed: '1' }, { expiry_time: 1 }, { expiry_time: true }])(
        'refuses %j',
        async (body) => {
          const token = await create({ uses_allowed: 7 });
          expect(await change(token, body)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
          expect(await shown(token)).toMatchObject({ uses_allowed: 7, expiry_time: null });
        },
      );

      it('does not find unknown tokens', async () => {
        expect(await change('unknown', { uses_allowed: 1 })).toMatchObject(refusal(404, 'M_NOT_FOUND'));
        expect(await change('unknown', {})).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      });
    });

    it('DELETE removes a token', async () => {
      const token = await create();
      expect(await world.admin.delete(tokenPath(token))).toMatchObject({ status: 200, body: {} });
      expect(await world.admin.get(tokenPath(token))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect(await world.admin.delete(tokenPath(token))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    });

    it('GET lists valid or invalid tokens', async () => {
      const good = await create({ token: `list-${world.freshName()}`, uses_allowed: 1 });
      const spent = await create({ uses_allowed: 0 });
      const list = async (query: Readonly<Record<string, string>>) =>
        (
          await world.admin.get<{ registration_tokens: Token[] }>(TOKENS, { query })
        ).body.registration_tokens.map(({ token }) => token);
      expect(await list({})).toEqual(expect.arrayContaining([good, spent]));
      expect(await list({ order_by: 'id', from: 'x' })).toEqual((await list({})).toSorted());
      expect(await list({ valid: 'true' })).toContain(good);
      expect(await list({ valid: 'true' })).not.toContain(spent);
      expect(await list({ valid: 'false' })).toContain(spent);
      expect(await list({ valid: 'false' })).not.toContain(good);
      expect(await world.admin.get(TOKENS, { query: { valid: '1' } })).toMatchObject(
        refusal(400, 'M_INVALID_PARAM'),
      );
    });

    describe('7.3 registration', () => {
      it('requires a token', async () => {
        const { status, body } = await register(newAccount());
        expect(status).toBe(401);
        expect(body).toEqual({
          flows: [{ stages: ['m.login.registration_token'] }],
          params: {},
          session: expect.any(String),
        });
        const dummy = { ...newAccount(), auth: { type: 'm.login.dummy' } };
        expect(await register(dummy)).toMatchObject({ status: 401, body: { errcode: 'M_UNRECOGNIZED' } });
      });

      it('consumes a use of a token', async () => {
        const token = await create({ uses_allowed: 2 });
        expect(await isValid(token)).toBe(true);
        const account = newAccount();
        const { session } = (await register(account)).body;
        const done = { ...account, auth: stage(token, session) };
        expect(await register(done)).toMatchObject({ status: 200 });
        expect(await shown(token)).toMatchObject({ pending: 0, completed: 1 });
        // The response may have been lost.
        expect(await register(done)).toMatchObject({
          status: 200,
          body: { user_id: world.userId(account.username) },
        });
        expect(await shown(token)).toMatchObject({ pending: 0, completed: 1 });
        expect(await register({ ...newAccount(), auth: stage(token) })).toMatchObject({ status: 200 });
        expect(await shown(token)).toMatchObject({ pending: 0, completed: 2 });
        expect(await isValid(token)).toBe(false);
        expect(await register({ ...newAccount(), auth: stage(token) })).toMatchObject({
          status: 401,
          body: { errcode: 'M_UNAUTHORIZED', completed: [], session: expect.any(String) },
        });
      });

      it.each([
        ['unknown', 'M_UNAUTHORIZED'],
        ['', 'M_UNAUTHORIZED'],
        [undefined, 'M_MISSING_PARAM'],
      ])('with the token %j is refused with %s', async (token, errcode) => {
        const reply = await register({ ...newAccount(), auth: stage(token) });
        expect(reply).toMatchObject({ status: 401, body: { errcode } });
      });

      it('admits no more concurrent users than the token allows', async () => {
        const token = await create({ uses_allowed: 3 });
        const replies = await Promise.all(
          Array.from({ length: 8 }, () => register({ ...newAccount(), auth: stage(token) })),
        );
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
        expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
        expect(await shown(token)).toMatchObject({ pending: 0, completed: 3 });
      });

      it('consumes one use for concurrent requests of one session, including the last', async () => {
        const token = await create({ uses_allowed: 1 });
        const account = newAccount();
        const { session } = (await register(account)).body;
        const replies = await Promise.all(
          Array.from({ length: 4 }, () => register({ auth: stage(token, session) })),
        );
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect(await shown(token)).toMatchObject({ pending: 0, completed: 1 });
      });

      it('reserves a use while a session is incomplete', async ({ skip }) => {
        const token = await create({ uses_allowed: 1 });
        const { username } = newAccount();
        const { session } = (await register({ username })).body;
        const again = () => register({ username, auth: stage(token, session) });
        expect(await again()).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
        expect(await again()).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
        expect(await shown(token)).toMatchObject({ pending: 1, completed: 0 });
        expect(await isValid(token)).toBe(false);
        const other = { ...newAccount(), auth: stage(token) };
        expect(await register(other)).toMatchObject({ status: 401, body: { errcode: 'M_UNAUTHORIZED' } });
        if (!world.moveClock) return skip('the set-up cannot move its clock');
        world.moveClock(SESSION_LIFE_MS + 1);
        expect(await shown(token)).toMatchObject({ pending: 0, completed: 0 });
        expect(await register(other)).toMatchObject({ status: 200 });
      });

      it('returns the use of a session that fails', async () => {
        const token = await create({ uses_allowed: 1 });
        const { username } = newAccount();
        expect(await register({ username, auth: stage(token) })).toMatchObject(
          refusal(400, 'M_MISSING_PARAM'),
        );
        expect(await shown(token)).toMatchObject({ pending: 0, completed: 0 });
      });

      it('registration is refused after the expiry time of the token', async ({ skip }) => {
        if (!world.moveClock) return skip('the set-up cannot move its clock');
        const token = await create();
        const now = (
          await world.admin.get<{ creation_ts: number }>(
            path`/_service/admin/v2/users/${await world.account()}`,
          )
        ).body.creation_ts;
        await world.admin.put(tokenPath(token), { body: { expiry_time: now + 1_000 } });
        expect(await isValid(token)).toBe(true);
        world.moveClock(1_001);
        expect(await isValid(token)).toBe(false);
        const late = { ...newAccount(), auth: stage(token) };
        expect(await register(late)).toMatchObject({ status: 401, body: { errcode: 'M_UNAUTHORIZED' } });
      });
    });

    describe('the validity check', () => {
      it('the validity check is public, and reports unknown tokens as invalid', async () => {
        expect(await world.http('GET', VALIDITY, { query: { token: 'unknown' } })).toMatchObject({
          status: 200,
          body: { valid: false },
        });
      });

      it('requires a token', async () => {
        expect(await world.http('GET', VALIDITY)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      });

      it.runIf(isOneProcess)('the validity check is forbidden where registration is disabled', async () => {
        await world.restart({ config: { registration: { enabled: false } } });
        for (const query of ['token=x', '']) {
          expect(await world.http('GET', VALIDITY, { query })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        }
      });
    });
  },
  { config: strictServer },
);
