import { type Actor, path, type Reply } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { GRACE_MS, strictServer } from './shared-settings.ts';

const CLIENT = '/_proto/client/v3';
const PASSWORD = `${CLIENT}/account/password`;
const DEACTIVATE = `${CLIENT}/account/deactivate`;
const WHOAMI = `${CLIENT}/account/whoami`;

/** The lifetime of a session of user-interactive authentication, in milliseconds. */
const SESSION_LIFE_MS = 48 * 60 * 60 * 1000;

/** A password that satisfies the policy below. */
const GOOD = 'New passw0rd';

const FLOWS = [{ stages: ['m.login.password'] }];

interface Challenge {
  session: string;
}

/** Proves that a request comes from a user. */
const proofOf = (user: Actor, password = user.password) => ({
  type: 'm.login.password',
  identifier: { type: 'm.id.user', user: user.userId },
  password,
});

const challenged = (failure: Readonly<Record<string, unknown>> = {}) => ({
  status: 401,
  body: { flows: FLOWS, params: {}, session: expect.stringMatching(/./), ...failure },
});

const unknownToken = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });

chapter(
  "7.4 The caller's account",
  (world) => {
    const login = (user: Actor, password: string) =>
      world.http('POST', `${CLIENT}/login`, {
        body: { type: 'm.login.password', user: user.userId, password },
      });
    const change = (user: Actor, body: unknown) => user.post<Challenge>(PASSWORD, { body });
    const deviceIds = async (user: Actor) => {
      const { body } = await world.admin.get<{ devices: { device_id: string }[] }>(
        path`/_service/admin/v2/users/${user.userId}/devices`,
      );
      return body.devices.map(({ device_id }) => device_id);
    };
    const asGuest = async () => {
      const guest = await world.user('guest');
      await world.seed?.account(guest.userId, { is_guest: true });
      return guest;
    };

    describe('2.4 user-interactive authentication', () => {
      it('first requests the password, with flows, params and session only', async () => {
        const reply = await change(await world.user(), { new_password: GOOD });
        expect(reply).toMatchObject(challenged());
        expect(Object.keys(reply.body).sort()).toEqual(['flows', 'params', 'session']);
      });

      it('accepts the request after the stage', async () => {
        const user = await world.user();
        const { session } = (await change(user, { new_password: GOOD })).body;
        const body = { new_password: GOOD, auth: { ...proofOf(user), session } };
        expect(await change(user, body)).toMatchObject({ status: 200, body: {} });
        expect(await login(user, GOOD)).toMatchObject({ status: 200 });
      });

      it('accepts request and stage in one request', async () => {
        const user = await world.user();
        for (const proof of [
          proofOf(user),
          { type: 'm.login.password', user: user.localpart, password: GOOD },
        ]) {
          expect(await change(user, { new_password: GOOD, auth: proof })).toMatchObject({ status: 200 });
        }
      });

      it('uses the body of the first request when the next has none', async () => {
        const user = await world.user();
        const { session } = (await change(user, { new_password: GOOD })).body;
        expect(await change(user, { auth: { ...proofOf(user), session } })).toMatchObject({ status: 200 });
        expect(await login(user, GOOD)).toMatchObject({ status: 200 });
      });

      it('uses the body of the last request when it has one', async () => {
        const user = await world.user();
        const { session } = (await change(user, { new_password: GOOD })).body;
        const body = { new_password: `${GOOD} 2`, auth: { ...proofOf(user), session } };
        expect(await change(user, body)).toMatchObject({ status: 200 });
        expect([(await login(user, GOOD)).status, (await login(user, `${GOOD} 2`)).status]).toEqual([
          403, 200,
        ]);
      });

      it('reports what was wrong, and accepts another attempt', async () => {
        const user = await world.user();
        const request = { new_password: GOOD };
        const failed = await change(user, { ...request, auth: proofOf(user, 'wrong') });
        expect(failed).toMatchObject(challenged({ errcode: 'M_FORBIDDEN', completed: [] }));
        const { session } = failed.body;
        const auths: [Record<string, unknown>, string][] = [
          [proofOf(user, 'wrong'), 'M_FORBIDDEN'],
          [{ ...proofOf(user), password: undefined }, 'M_MISSING_PARAM'],
          [{ ...proofOf(user), identifier: { type: 'm.id.other' } }, 'M_UNKNOWN'],
          [{ ...proofOf(user), identifier: undefined }, 'M_INVALID_PARAM'],
          [{ type: 'm.login.dummy' }, 'M_UNRECOGNIZED'],
        ];
        for (const [auth, errcode] of auths) {
          expect(await change(user, { ...request, auth: { ...auth, session } })).toMatchObject(
            challenged({ errcode, completed: [], session }),
          );
        }
        expect(await change(user, { ...request, auth: { session } })).toMatchObject(challenged({ session }));
        expect(await change(user, { ...request, auth: { ...proofOf(user), session } })).toMatchObject({
          status: 200,
        });
      });

      it('refuses the password of another user', async () => {
        const [user, other] = [await world.user(), await world.user()];
        const body = { new_password: GOOD, auth: proofOf(other) };
        expect(await change(user, body)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        expect(await login(user, user.password)).toMatchObject({ status: 200 });
      });

      it('binds a session to its user and request', async () => {
        const [user, other] = [await world.user(), await world.user()];
        const { session } = (await change(user, { new_password: GOOD })).body;
        const foreign = { new_password: GOOD, auth: { ...proofOf(other), session } };
        expect(await change(other, foreign)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        const elsewhere = await user.post(DEACTIVATE, { body: { auth: { ...proofOf(user), session } } });
        expect(elsewhere.status).toBe(403);
        expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
      });

      it('keeps the ten newest sessions of a user', async () => {
        const user = await world.user();
        const sessions: string[] = [];
        for (let opened = 0; opened < 11; opened++) {
          world.moveClock?.(1);
          sessions.push((await change(user, { new_password: GOOD })).body.session);
        }
        const proved = (session: string | undefined) =>
          change(user, { new_password: GOOD, auth: { ...proofOf(user), session } });
        expect(await proved(sessions[0])).toMatchObject(refusal(400, 'M_UNKNOWN'));
        expect(await proved(sessions[10])).toMatchObject({ status: 200 });
      });

      it('refuses an unknown session, and one older than 48 hours', async () => {
        const user = await world.user();
        const unknown = { new_password: GOOD, auth: { ...proofOf(user), session: 'unknown' } };
        expect(await change(user, unknown)).toMatchObject(refusal(400, 'M_UNKNOWN'));
        if (!world.moveClock) return;
        const { session } = (await change(user, { new_password: GOOD })).body;
        world.moveClock(SESSION_LIFE_MS + 1);
        const late = { new_password: GOOD, auth: { ...proofOf(user), session } };
        expect(await change(user, late)).toMatchObject(refusal(400, 'M_UNKNOWN'));
      });

      it.each([1, 'x', [], { session: 1 }, { type: 1 }, { type: 'm.login.password', password: 1 }])(
        'refuses the auth %j',
        async (auth) => {
          const { status } = await change(await world.user(), { new_password: GOOD, auth });
          expect(status).toBe(400);
        },
      );

      it('offers no flow to an account without a password', async ({ skip }) => {
        if (!world.seed) return skip('the set-up cannot make such a token');
        const userId = await world.account();
        const token = await world.seed.token({ userId });
        for (const target of [PASSWORD, DEACTIVATE]) {
          const body = { new_password: GOOD };
          expect(await world.http('POST', target, { token, body })).toMatchObject({
            status: 401,
            body: { flows: [], params: {}, session: expect.stringMatching(/./) },
          });
        }
      });
    });

    describe('changing the password', () => {
      it('requires a new password', async () => {
        const user = await world.user();
        expect(await change(user, {})).toMatchObject(challenged());
        expect(await change(user, { auth: proofOf(user) })).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      });

      it.each([
        ['new_password: 1', { new_password: 1 }],
        ['new_password of 513 characters', { new_password: 'Aa1 '.repeat(129).slice(0, 513) }],
        ['logout_devices: "yes"', { new_password: GOOD, logout_devices: 'yes' }],
        ['logout_devices: null', { new_password: GOOD, logout_devices: null }],
      ])('changing the password is refused with %s', async (_, body) => {
        const user = await world.user();
        expect(await change(user, { ...body, auth: proofOf(user) })).toMatchObject(
          refusal(400, 'M_BAD_JSON'),
        );
      });

      it.each([
        ['', 'M_NOT_JSON'],
        ['{', 'M_NOT_JSON'],
        ['[]', 'M_BAD_JSON'],
      ])('changing the password is refused with the body %j', async (rawBody, errcode) => {
        const user = await world.user();
        expect(await user.post(PASSWORD, { rawBody })).toMatchObject(refusal(400, errcode));
        expect(await user.post(DEACTIVATE, { rawBody })).toMatchObject(refusal(400, errcode));
      });

      it.each([
        ['', 'M_WEAK_PASSWORD'],
        ['Aa1 5', 'M_PASSWORD_TOO_SHORT'],
        ['Password ', 'M_PASSWORD_NO_DIGIT'],
        ['Passw0rd', 'M_PASSWORD_NO_SYMBOL'],
        ['passw0rd ', 'M_PASSWORD_NO_UPPERCASE'],
        ['PASSW0RD ', 'M_PASSWORD_NO_LOWERCASE'],
      ])('refuses %j as too weak', async (password, errcode) => {
        const user = await world.user();
        expect(await change(user, { new_password: password, auth: proofOf(user) })).toMatchObject(
          refusal(400, errcode),
        );
        const registration = { username: world.freshName(), password, auth: { type: 'm.login.dummy' } };
        expect(await world.http('POST', `${CLIENT}/register`, { body: registration })).toMatchObject(
          refusal(400, errcode),
        );
      });

      it('by an administrator ignores the policy', async () => {
        const user = await world.user();
        const reset = path`/_service/admin/v1/reset_password/${user.userId}`;
        expect(await world.admin.post(reset, { body: { new_password: 'x' } })).toMatchObject({ status: 200 });
        expect(await login(user, 'x')).toMatchObject({ status: 200 });
      });

      it('the policy is public', async () => {
        for (const version of ['v3', 'r0']) {
          const reply = await world.http('GET', `/_proto/client/${version}/password_policy`);
          expect(reply).toMatchObject({ status: 200 });
          expect(reply.body).toEqual({
            'm.minimum_length': 8,
            'm.require_digit': true,
            'm.require_symbol': true,
            'm.require_uppercase': true,
            'm.require_lowercase': true,
          });
        }
      });

      it('ends all other sessions and removes their devices', async () => {
        const user = await world.user();
        const other = await world.login(user);
        const { status } = await change(user, { new_password: GOOD, auth: proofOf(user) });
        expect(status).toBe(200);
        expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
        expect(await other.get(WHOAMI)).toMatchObject(unknownToken);
        expect(await deviceIds(user)).toEqual([user.deviceId]);
        // The same session is kept again.
        const again = { new_password: `${GOOD} 2`, auth: proofOf(user, GOOD) };
        expect(await change(user, again)).toMatchObject({ status: 200 });
        expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
        expect(await deviceIds(user)).toEqual([user.deviceId]);
      });

      it('keeps the other sessions with logout_devices: false, also in the first request', async () => {
        const user = await world.user();
        const other = await world.login(user);
        const { session } = (await change(user, { new_password: GOOD, logout_devices: false })).body;
        expect(await change(user, { auth: { ...proofOf(user), session } })).toMatchObject({ status: 200 });
        expect(await other.get(WHOAMI)).toMatchObject({ status: 200 });
        expect(await deviceIds(user)).toHaveLength(2);
      });
    });

    describe('deactivation', () => {
      const deactivate = (user: Actor, body: unknown = {}) => user.post<Challenge>(DEACTIVATE, { body });
      const readUser = async (user: Actor) =>
        (await world.admin.get(path`/_service/admin/v2/users/${user.userId}`)).body;

      it('requires the password', async () => {
        const user = await world.user();
        expect(await deactivate(user)).toMatchObject(challenged());
        expect(await readUser(user)).toMatchObject({ deactivated: 0 });
      });

      it.each([false, true])('with erase: %j, ends all access of the user', async (erase) => {
        const user = await world.user();
        const other = await world.login(user);
        const { session } = (await deactivate(user, { erase })).body;
        expect(await deactivate(user, { auth: { ...proofOf(user), session } })).toMatchObject({
          status: 200,
          body: { id_server_unbind_result: expect.stringMatching(/^(success|no-support)$/) },
        });
        expect(await readUser(user)).toMatchObject({
          deactivated: 1,
          erased: erase,
          displayname: erase ? null : user.localpart,
          threepids: [],
        });
        for (const session of [user, other]) expect(await session.get(WHOAMI)).toMatchObject(unknownToken);
        expect(await login(user, user.password)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        expect(await deviceIds(user)).toEqual([]);
        const taken = refusal(400, 'M_USER_IN_USE');
        const query = { username: user.localpart };
        expect(await world.http('GET', `${CLIENT}/register/available`, { query })).toMatchObject(taken);
        const body = { username: user.localpart, password: GOOD };
        expect(await world.http('POST', `${CLIENT}/register`, { body })).toMatchObject(taken);
      });

      it('deactivation is refused if erase is not a boolean', async () => {
        const user = await world.user();
        const body = { erase: 'yes', auth: proofOf(user) };
        expect(await deactivate(user, body)).toMatchObject(refusal(400, 'M_BAD_JSON'));
      });

      it('and password changes are refused to guests', async ({ skip }) => {
        if (!world.seed) return skip('the set-up cannot make guests');
        const guest = await asGuest();
        const refused = refusal(403, 'M_GUEST_ACCESS_FORBIDDEN');
        expect(await deactivate(guest)).toMatchObject(refused);
        expect(await change(guest, { new_password: GOOD })).toMatchObject(refused);
      });

      it('can be reverted by an administrator, without restoring what it removed', async () => {
        const user = await world.user();
        await deactivate(user, { auth: proofOf(user) });
        const body = { deactivated: false, password: 'back' };
        await world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body });
        expect(await user.get(WHOAMI)).toMatchObject(unknownToken);
        expect(await login(user, 'back')).toMatchObject({ status: 200 });
        expect(await deviceIds(user)).toHaveLength(1);
      });
    });

    describe('addresses', () => {
      it.each(['v3', 'r0'])('addresses are listed at %s', async (version) => {
        const user = await world.user();
        const own = `/_proto/client/${version}/account/3pid`;
        expect((await user.get(own)).body).toEqual({ threepids: [] });
        const address = `${world.freshName()}@example.org`;
        const body = { threepids: [{ medium: 'email', address }] };
        await world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body });
        expect((await user.get(own)).body).toEqual({
          threepids: [
            { medium: 'email', address, added_at: expect.any(Number), validated_at: expect.any(Number) },
          ],
        });
      });

      it('cannot be removed', async () => {
        const user = await world.user();
        const remove = (body: unknown) => user.post(`${CLIENT}/account/3pid/delete`, { body });
        const body = { medium: 'email', address: 'a@example.org' };
        expect(await remove(body)).toMatchObject(refusal(400, 'M_FORBIDDEN'));
        expect(await remove({ medium: 'email' })).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      });

      it('cannot be added or confirmed', async () => {
        const user = await world.user();
        const refused = refusal(400, 'M_THREEPID_MEDIUM_NOT_SUPPORTED');
        for (const kind of ['', '/add', '/bind', '/unbind']) {
          const target = `${CLIENT}/account/3pid${kind}`;
          expect(await user.post(target, { body: {} })).toMatchObject(refused);
          expect(await world.http('POST', target)).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
        }
        for (const endpoint of ['account/3pid', 'account/password', 'register']) {
          for (const medium of ['email', 'msisdn']) {
            const target = `${CLIENT}/${endpoint}/${medium}/requestToken`;
            expect(await world.http('POST', target, { body: {} })).toMatchObject(refused);
          }
        }
      });
    });

    describe('8.1 a locked account', () => {
      const lock = (user: Actor, locked: boolean) =>
        world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body: { locked } });

      it('a locked account is refused all of these requests until it is unlocked', async () => {
        const user = await world.user();
        await lock(user, true);
        const refused = refusal(401, 'M_USER_LOCKED', { soft_logout: true });
        const sendAll = async (): Promise<Reply[]> => [
          await user.post(PASSWORD, { body: { new_password: GOOD, auth: proofOf(user) } }),
          await user.post(DEACTIVATE, { body: { auth: proofOf(user) } }),
          await user.get(`${CLIENT}/account/3pid`),
          await user.get(`${CLIENT}/devices`),
        ];
        for (const reply of await sendAll()) expect(reply).toMatchObject(refused);
        expect(await login(user, user.password)).toMatchObject(refused);
        expect(await deviceIds(user)).toEqual([user.deviceId]);
        await lock(user, false);
        expect(await user.get(`${CLIENT}/devices`)).toMatchObject({
          status: 200,
          body: { devices: [{ device_id: user.deviceId }] },
        });
      });

      it('can log out', async () => {
        const user = await world.user();
        await lock(user, true);
        expect(await user.post(`${CLIENT}/logout`)).toMatchObject({ status: 200 });
        expect(await user.get(WHOAMI)).toMatchObject(unknownToken);
      });
    });

    describe('a recent successful authentication', () => {
      it('a recent successful authentication is reused for devices in the same session, and for nothing else', async () => {
        const user = await world.user();
        const other = await world.login(user);
        const remove = (actor: Actor, body: unknown = {}) =>
          actor.delete(path`/_proto/client/v3/devices/${world.freshName('DEVICE')}`, { body });
        expect(await remove(user)).toMatchObject(challenged());
        expect(await remove(user, { auth: proofOf(user) })).toMatchObject({ status: 200 });
        expect(await remove(user)).toMatchObject({ status: 200 });
        const several = { body: { devices: [world.freshName('DEVICE')] } };
        expect(await user.post(`${CLIENT}/delete_devices`, several)).toMatchObject({ status: 200 });
        expect(await remove(other)).toMatchObject(challenged());
        expect(await change(user, { new_password: GOOD })).toMatchObject(challenged());
        expect(await user.post(DEACTIVATE, { body: {} })).toMatchObject(challenged());
        world.moveClock?.(GRACE_MS);
        if (world.moveClock) expect(await remove(user)).toMatchObject(challenged());
      });
    });
  },
  { config: strictServer },
);
