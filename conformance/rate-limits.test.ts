import { type Actor, path, type Reply } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter, inOneProcess } from './chapter.ts';
import { refusal } from './refusal.ts';

/** More than the burst of any limit of the client API that might apply to these requests by mistake. */
const MANY = 30;

/** The messages that a user may send at once. */
const BURST = 10;

/** The failed sign-ins of the console that an account may have at once from all networks together. */
const CONSOLE_BURST = 20;

/** So slow that no limit recovers during a test on any machine; the bursts are the documented ones. */
const SLOW_PER_SECOND = 0.001;
const MS_PER_ACTION = 1_000_000;
const slow = { per_second: SLOW_PER_SECOND };

const LIMITED = refusal(429, 'M_LIMIT_EXCEEDED');

chapter(
  '9 Rate limits',
  (world) => {
    let addresses = 0;
    /** An address that has sent no requests. */
    const freshAddress = () => `198.51.100.${++addresses}`;

    const login = (user: Actor, password: string, address = freshAddress(), name = user.userId) =>
      world.http('POST', '/_proto/client/v3/login', {
        headers: { 'x-forwarded-for': address },
        body: { type: 'm.login.password', identifier: { type: 'm.id.user', user: name }, password },
      });

    const statuses = async (times: number, act: () => Promise<Reply>) => {
      const seen: number[] = [];
      for (let i = 0; i < times; i++) seen.push((await act()).status);
      return seen;
    };

    describe('failed logins', () => {
      it('failed logins are limited to three for an account, by any spelling and from any address', async () => {
        const user = await world.user();
        const names = [user.userId, user.localpart, user.localpart.toUpperCase()];
        for (const name of names) {
          expect(await login(user, 'wrong', freshAddress(), name)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
        }
        for (const name of names) {
          expect(await login(user, 'wrong', freshAddress(), name)).toMatchObject(LIMITED);
        }
        expect(await login(user, user.password)).toMatchObject(LIMITED);
        const other = await world.user();
        expect(await login(other, other.password)).toMatchObject({ status: 200 });
      });

      it('of strangers do not keep out a user from a network that was used before', async () => {
        const user = await world.user();
        const address = freshAddress();
        expect(await login(user, user.password, address)).toMatchObject({ status: 200 });
        await statuses(3, () => login(user, 'wrong'));
        expect(await login(user, user.password)).toMatchObject(LIMITED);
        expect(await login(user, user.password, address)).toMatchObject({ status: 200 });
        expect(await statuses(4, () => login(user, 'wrong', address))).toEqual([403, 403, 403, 429]);
      });

      it('failed logins are limited to three for an unknown name, too', async () => {
        const nobody = { ...(await world.user()), userId: world.userId(world.freshName('nobody')) };
        expect(await statuses(4, () => login(nobody, 'wrong'))).toEqual([403, 403, 403, 429]);
      });

      it('return the time until the next attempt', async () => {
        const user = await world.user();
        await statuses(3, () => login(user, 'wrong'));
        const { body, headers } = await login(user, 'wrong');
        const { retry_after_ms: retryAfterMs } = body as { retry_after_ms: number };
        expect(retryAfterMs).toEqual(expect.any(Number));
        expect(Number.isInteger(retryAfterMs)).toBe(true);
        expect(retryAfterMs).toBeGreaterThan(0);
        expect(retryAfterMs).toBeLessThanOrEqual(MS_PER_ACTION);
        expect(headers['retry-after']).toBe(String(Math.ceil(retryAfterMs / 1000)));
        if (!world.moveClock) return;
        world.moveClock(retryAfterMs - 1);
        expect(await login(user, user.password)).toMatchObject(LIMITED);
        world.moveClock(1);
        expect(await login(user, user.password)).toMatchObject({ status: 200 });
      });

      it('failed logins are limited to the same number when concurrent', async () => {
        const user = await world.user();
        const replies = await Promise.all(Array.from({ length: 8 }, () => login(user, 'wrong')));
        expect(replies.filter(({ status }) => status === 403)).toHaveLength(3);
        expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
      });

      it('and failed user-interactive authentication share a limit', async () => {
        const user = await world.user();
        const auth = { type: 'm.login.password', user: user.userId, password: 'wrong' };
        const deactivate = () => user.post('/_proto/client/v3/account/deactivate', { body: { auth } });
        expect(await statuses(4, deactivate)).toEqual([401, 401, 401, 429]);
        expect(await login(user, user.password)).toMatchObject(LIMITED);
      });
    });

    inOneProcess(() => {
      describe('failed sign-ins of the console', () => {
        const signIn = (user: Actor, password: string, address: string) =>
          world.http('POST', '/_service/admin/v1/session', {
            headers: { 'x-forwarded-for': address, origin: world.running.url },
            body: { user: user.userId, password },
          });

        it('count for an account and a network, and apart from logins of the client API', async () => {
          const root = await world.user('root', { admin: true });
          await statuses(4, () => login(root, 'wrong'));
          for (let network = 1; network <= 14; network++) {
            const address = `2001:db8:1:${network}00::1`;
            expect(await signIn(root, 'wrong', address)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
          }
          const address = freshAddress();
          expect(await signIn(root, root.password, address)).toMatchObject({ status: 200 });
          expect(await statuses(4, () => signIn(root, 'wrong', address))).toEqual([403, 403, 403, 429]);
          expect(await signIn(root, root.password, freshAddress())).toMatchObject({ status: 200 });
        });

        it('of all networks together are limited for networks that were not used before', async () => {
          const root = await world.user('root', { admin: true });
          const known = freshAddress();
          expect(await signIn(root, root.password, known)).toMatchObject({ status: 200 });
          await Promise.all(
            Array.from({ length: CONSOLE_BURST }, () => signIn(root, 'wrong', freshAddress())),
          );
          expect(await signIn(root, root.password, freshAddress())).toMatchObject(LIMITED);
          expect(await signIn(root, root.password, known)).toMatchObject({ status: 200 });
        });
      });
    });

    describe('logins', () => {
      it('logins are limited to five from an address', async () => {
        const address = freshAddress();
        const users = await Promise.all(Array.from({ length: 6 }, () => world.user()));
        const replies = [];
        for (const user of users) replies.push(await login(user, user.password, address));
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
        const last = users.at(-1) as Actor;
        expect(await login(last, last.password)).toMatchObject({ status: 200 });
      });

      it('logins that succeed are limited to five for an account', async () => {
        const user = await world.user();
        expect(await statuses(6, () => login(user, user.password))).toEqual([200, 200, 200, 200, 200, 429]);
      });
    });

    describe('registrations', () => {
      const register = (address: string, fields: Readonly<Record<string, unknown>> = {}) =>
        world.http('POST', '/_proto/client/v3/register', {
          headers: { 'x-forwarded-for': address },
          body: { username: world.freshName(), password: 'x', auth: { type: 'm.login.dummy' }, ...fields },
        });

      it('registrations are limited to three from an address', async () => {
        const address = freshAddress();
        expect(await statuses(4, () => register(address))).toEqual([200, 200, 200, 429]);
        expect(await register(address, { auth: undefined })).toMatchObject(LIMITED);
        expect(await register(freshAddress())).toMatchObject({ status: 200 });
      });

      it('count when they succeed', async () => {
        const address = freshAddress();
        const { localpart } = await world.user();
        await statuses(5, () => register(address, { auth: undefined }));
        await statuses(5, () => register(address, { username: localpart }));
        expect(await statuses(3, () => register(address))).toEqual([200, 200, 200]);
      });

      it('registrations are limited to the same number when concurrent', async () => {
        const address = freshAddress();
        const replies = await Promise.all(Array.from({ length: 6 }, () => register(address)));
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
      });
    });

    inOneProcess(() => {
      describe('requests for a further proof', () => {
        it('requests for a further proof are limited to 50 of a user, and a proof in the first request is not', async () => {
          const [user, other] = [await world.user(), await world.user()];
          const target = '/_proto/client/v3/account/deactivate';
          const begin = (actor: Actor) => actor.post(target, { body: {} });
          expect(await statuses(50, () => begin(user))).toEqual(Array(50).fill(401));
          expect(await begin(user)).toMatchObject(LIMITED);
          expect(await begin(other)).toMatchObject({ status: 401 });
          const auth = { type: 'm.login.password', user: user.userId, password: user.password };
          expect(await user.post(target, { body: { auth } })).toMatchObject({ status: 200 });
        });

        it('requests for a further proof are limited to 50 registrations from an address', async () => {
          const begin = (address: string) =>
            world.http('POST', '/_proto/client/v3/register', {
              headers: { 'x-forwarded-for': address },
              body: { username: world.freshName() },
            });
          const address = freshAddress();
          expect(await statuses(50, () => begin(address))).toEqual(Array(50).fill(401));
          expect(await begin(address)).toMatchObject(LIMITED);
          expect(await begin(freshAddress())).toMatchObject({ status: 401 });
        });
      });

      it('checks of registration tokens are limited to five from an address', async () => {
        const headers = { 'x-forwarded-for': freshAddress() };
        const target = '/_proto/client/v1/register/m.login.registration_token/validity';
        const check = () => world.http('GET', target, { headers, query: { token: 'x' } });
        expect(await statuses(6, check)).toEqual([200, 200, 200, 200, 200, 429]);
      });

      it('all addresses of an IPv6 network count as one', async () => {
        const target = '/_proto/client/v1/register/m.login.registration_token/validity';
        const check = (address: string) =>
          world.http('GET', target, { headers: { 'x-forwarded-for': address }, query: { token: 'x' } });
        let hosts = 0;
        expect(await statuses(6, () => check(`2001:db8:0:1::${++hosts}`))).toEqual([
          ...Array(5).fill(200),
          429,
        ]);
        expect(await check('2001:db8:0:2::1')).toMatchObject({ status: 200 });
      });

      describe('profile changes', () => {
        const change = (user: Actor) => () =>
          user.put(path`/_proto/client/v3/profile/${user.userId}/displayname`, {
            body: { displayname: 'Somebody' },
          });
        const override = (user: Actor, limit: Readonly<Record<string, number>>) =>
          world.admin.post(path`/_service/admin/v1/users/${user.userId}/override_ratelimit`, { body: limit });

        it('profile changes are limited to ten, and to more for users with a higher override', async () => {
          const user = await world.user();
          expect(await statuses(11, change(user))).toEqual([...Array(10).fill(200), 429]);
          // Earlier actions still count, so ten more make twenty.
          await override(user, { messages_per_second: 1, burst_count: 20 });
          expect((await statuses(9, change(user))).every((status) => status === 200)).toBe(true);
          await override(user, {});
          expect((await statuses(MANY, change(user))).every((status) => status === 200)).toBe(true);
        });

        it('profile changes are limited to fewer for users with a lower override', async () => {
          const user = await world.user();
          await override(user, { messages_per_second: 1, burst_count: 1 });
          const replies = await Promise.all(Array.from({ length: 8 }, change(user)));
          expect(replies.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 429]));
        });
      });
    });

    describe('events in rooms', () => {
      const override = (user: Actor, limit: Readonly<Record<string, number>>) =>
        world.admin.post(path`/_service/admin/v1/users/${user.userId}/override_ratelimit`, { body: limit });
      /** A user without limits of their own, who can therefore prepare what a test needs. */
      const unlimited = async () => {
        const user = await world.user();
        await override(user, {});
        return user;
      };
      const create = (owner: Actor, body: Readonly<Record<string, unknown>> = {}) =>
        owner.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body });
      const room = async (owner: Actor, body?: Readonly<Record<string, unknown>>) =>
        (await create(owner, body)).body.room_id;
      const act = (user: Actor, roomId: string, action: string, body: unknown = {}) =>
        user.post(path`/_proto/client/v3/rooms/${roomId}/${action}`, { body });
      const putMember = (by: Actor, roomId: string, userId: string, content: unknown) =>
        by.put(path`/_proto/client/v3/rooms/${roomId}/state/m.room.member/${userId}`, { body: content });
      const invite = (by: Actor, roomId: string, userId: string) =>
        act(by, roomId, 'invite', { user_id: userId });
      const knockable = (owner: Actor) =>
        room(owner, { initial_state: [{ type: 'm.room.join_rules', content: { join_rule: 'knock' } }] });
      /** A room in which both users are joined, and `user` may do what others may not. */
      const shared = async (owner: Actor, user: Actor) => {
        const users = { [owner.userId]: 101, [user.userId]: 100 };
        const content = { power_level_content_override: { users } };
        const roomId = await room(owner, { preset: 'public_chat', ...content });
        expect(await act(user, roomId, 'join')).toMatchObject({ status: 200 });
        return roomId;
      };
      const knock = (user: Actor, roomId: string) =>
        user.post(path`/_proto/client/v3/knock/${roomId}`, { body: {} });
      const fresh = () => world.userId(world.freshName());
      it('events in rooms are limited to the same number when concurrent', async () => {
        const [owner, user] = await Promise.all([unlimited(), world.user()]);
        const roomId = await shared(owner, user);
        const bans = Array.from({ length: MANY }, () => act(user, roomId, 'ban', { user_id: fresh() }));
        const replies = await Promise.all(bans);
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(BURST);
      });

      inOneProcess(() => {
        /** Refused is only the request after as many as the user may send at once. */
        const BURST_THEN_LIMITED = [...Array(BURST).fill(200), 429];

        type Prepare = (owner: Actor, user: Actor, roomId: string) => () => Promise<Reply>;
        it.each<[string, Prepare]>([
          [
            'changes of the profile in one room',
            (_owner, user, roomId) => () =>
              putMember(user, roomId, user.userId, { membership: 'join', displayname: fresh() }),
          ],
          [
            'joins with another reason',
            (_, user, roomId) => () => act(user, roomId, 'join', { reason: fresh() }),
          ],
          [
            'state events',
            (_, user, roomId) => () =>
              user.put(path`/_proto/client/v3/rooms/${roomId}/state/m.room.topic/`, {
                body: { topic: fresh() },
              }),
          ],
          ['bans', (_, user, roomId) => () => act(user, roomId, 'ban', { user_id: fresh() })],
          ['bans by PUT', (_, user, roomId) => () => putMember(user, roomId, fresh(), { membership: 'ban' })],
          [
            'lifted bans',
            (owner, user, roomId) => async () => {
              const banned = { user_id: fresh() };
              await act(owner, roomId, 'ban', banned);
              return act(user, roomId, 'unban', banned);
            },
          ],
          [
            'kicks',
            (owner, user, roomId) => async () => {
              const invited = fresh();
              await invite(owner, roomId, invited);
              return act(user, roomId, 'kick', { user_id: invited });
            },
          ],
          ['invitations', (_, user, roomId) => () => invite(user, roomId, fresh())],
          ['knocks', (owner, user) => async () => knock(user, await knockable(owner))],
        ])('%s count as messages', async (_, prepare) => {
          const [owner, user] = await Promise.all([unlimited(), world.user()]);
          const send = prepare(owner, user, await shared(owner, user));
          expect(await statuses(BURST + 1, send)).toEqual(BURST_THEN_LIMITED);
        });

        it('of a new room count as one message', async () => {
          const [owner, user] = await Promise.all([unlimited(), world.user()]);
          const roomId = await shared(owner, user);
          expect(await create(user, { name: 'a', topic: 'b' })).toMatchObject({ status: 200 });
          const ban = () => act(user, roomId, 'ban', { user_id: fresh() });
          expect(await statuses(BURST, ban)).toEqual([...Array(BURST - 1).fill(200), 429]);
          expect(await create(user)).toMatchObject(LIMITED);
        });

        it('do not limit leaving, rejecting an invitation and retracting a knock', async () => {
          const [owner, user] = await Promise.all([unlimited(), world.user()]);
          const [joined, invited, knocked] = [
            await shared(owner, user),
            await room(owner),
            await knockable(owner),
          ];
          await invite(owner, invited, user.userId);
          await knock(user, knocked);
          await statuses(BURST, () => act(user, joined, 'ban', { user_id: fresh() }));
          expect(await act(user, joined, 'ban', { user_id: fresh() })).toMatchObject(LIMITED);
          for (const roomId of [invited, knocked, joined]) {
            expect(await act(user, roomId, 'leave')).toMatchObject({ status: 200 });
          }
        });

        it('do not count what repeats the state', async () => {
          const [owner, user] = await Promise.all([unlimited(), world.user()]);
          const roomId = await shared(owner, user);
          const topic = path`/_proto/client/v3/rooms/${roomId}/state/m.room.topic/`;
          const repeat = () => user.put(topic, { body: { topic: 'a' } });
          expect(await statuses(MANY, () => act(user, roomId, 'join'))).toEqual(Array(MANY).fill(200));
          expect(await statuses(MANY, repeat)).toEqual(Array(MANY).fill(200));
        });

        it('count refused invitations for their sender only', async () => {
          const [owner, outsider, user] = await Promise.all([unlimited(), unlimited(), world.user()]);
          const roomId = await room(owner);
          const refused = await statuses(MANY, () => invite(outsider, roomId, user.userId));
          expect(refused).toEqual(Array(MANY).fill(403));
          expect(await invite(owner, roomId, user.userId)).toMatchObject({ status: 200 });
          const plain = await world.user();
          const most = await statuses(11, () => invite(plain, roomId, user.userId));
          expect(most).toEqual([...Array(10).fill(403), 429]);
          // Nine more for the room: what others were refused has not counted.
          expect(await statuses(10, () => invite(owner, roomId, fresh()))).toEqual([
            ...Array(9).fill(200),
            429,
          ]);
        });

        it('count invitations to new rooms for the invited user', async () => {
          const [owner, user] = await Promise.all([unlimited(), world.user()]);
          const inviting = { invite: [user.userId] };
          const refused = { ...inviting, power_level_content_override: { invite: 101 } };
          expect(await statuses(MANY, () => create(owner, refused))).toEqual(Array(MANY).fill(403));
          expect(await statuses(6, () => create(owner, inviting))).toEqual([...Array(5).fill(200), 429]);
          expect(await create(owner, { invite: [fresh()] })).toMatchObject({ status: 200 });
        });

        it('events in rooms that a new room would exceed with its invitations leave its creator as many rooms as before', async () => {
          const [owner, user, creator] = await Promise.all([unlimited(), world.user(), world.user()]);
          const inviting = { invite: [user.userId] };
          expect(await statuses(6, () => create(owner, inviting))).toEqual([...Array(5).fill(200), 429]);
          expect(await statuses(MANY, () => create(creator, inviting))).toEqual(Array(MANY).fill(429));
          expect(await create(creator, { invite: [fresh()] })).toMatchObject({ status: 200 });
        });

        it('count refused joins for the user only', async () => {
          const [owner, outsider, invited] = await Promise.all([unlimited(), unlimited(), world.user()]);
          const roomId = await room(owner, { invite: [invited.userId] });
          const refused = await statuses(MANY, () => act(outsider, roomId, 'join'));
          expect(refused).toEqual(Array(MANY).fill(403));
          expect(await act(invited, roomId, 'join')).toMatchObject({ status: 200 });
          const plain = await world.user();
          const most = await statuses(11, () => act(plain, roomId, 'join'));
          expect(most).toEqual([...Array(10).fill(403), 429]);
        });
      });
    });

    inOneProcess(() => {
      describe('0.12 the admin API', () => {
        it('has no limits for accounts created with the shared secret', async () => {
          for (let i = 0; i < MANY; i++) {
            const registration = { username: world.freshName(), password: 'x' };
            expect((await world.register(registration)).status).toBe(200);
          }
        });

        it('has no limits for administrators', async () => {
          for (let i = 0; i < MANY; i++) {
            const target = path`/_service/admin/v2/users/${await world.account()}`;
            expect((await world.admin.get(target)).status).toBe(200);
            expect((await world.admin.put(target, { body: { displayname: `${i}` } })).status).toBe(200);
          }
        });
      });
    });
  },
  {
    config: {
      rate_limits: {
        enabled: true,
        message: slow,
        joins_local: slow,
        joins_per_room: slow,
        invites_per_issuer: slow,
        invites_per_room: slow,
        invites_per_user: slow,
        registration: slow,
        registration_token_validity: slow,
        challenge: slow,
        login_address: slow,
        login_account: slow,
        login_failed: slow,
        console_failed: { per_second: slow.per_second, burst: CONSOLE_BURST },
      },
    },
  },
);
