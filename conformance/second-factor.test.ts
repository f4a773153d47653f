import { type Actor, path } from '@steward/testing';
import { TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ME = '/_service/admin/v1/me';
const OWN = `${ME}/totp`;
const CONFIRM = `${OWN}/confirm`;
const RECOVERY_CODES = `${OWN}/recovery_codes`;
const SESSION = '/_service/admin/v1/session';
const USERS = '/_service/admin/v2/users';
const V3 = '/_proto/client/v3';

const STEP_MS = 30_000;
const ENROLMENT_MS = 600_000;

const at = (userId: string) => path`/_service/admin/v1/users/${userId}/totp`;

const ok = { status: 200 };
const forbidden = refusal(403, 'M_FORBIDDEN');
const limited = refusal(429, 'M_LIMIT_EXCEEDED');
const needsSession = refusal(403, 'M_FORBIDDEN', {
  error: expect.stringContaining('administrator session') as unknown,
});

interface Status {
  readonly enabled: boolean;
  readonly recovery_codes_left: number;
  readonly enrolment_expires_ts: number | null;
  readonly server_ts: number;
}

/** A second factor as its user has it. */
interface Factor {
  readonly secret: string;
  readonly codes: readonly string[];
}

pairedChapter('A second factor', (world) => {
  const administrator = () => world.user('administrator', { admin: true });
  const status = async (user: Actor) => (await user.get<Status>(OWN)).body;
  const isAdministrator = async (user: Actor) => (await user.get(USERS)).status === 200;

  /** The code of the present time step of the server, or of one some steps later. */
  const codeOf = async (user: Actor, { secret }: Pick<Factor, 'secret'>, steps = 0) =>
    new TOTP({ secret }).generate({ timestamp: (await status(user)).server_ts + steps * STEP_MS });

  const begin = async (user: Actor) =>
    (await user.post<{ secret: string }>(OWN, { body: { password: user.password } })).body;

  /** Enrols a user. The code of the next time step was not used. */
  async function enrol(user: Actor): Promise<Factor> {
    const { secret } = await begin(user);
    const confirmed = await user.post<{ recovery_codes: string[] }>(CONFIRM, {
      body: { totp: await codeOf(user, { secret }) },
    });
    expect(confirmed).toMatchObject(ok);
    return { secret, codes: confirmed.body.recovery_codes };
  }

  const remove = (user: Actor, proof: Readonly<Record<string, unknown>>) =>
    user.delete(OWN, { body: { password: user.password, ...proof } });

  it('takes the administrative rights of access tokens while it is enrolled', async () => {
    const user = await administrator();
    const other = await world.login(user);
    const bystander = await world.user();
    const rename = (actor: Actor) =>
      actor.put(path`/_proto/client/v3/profile/${bystander.userId}/displayname`, {
        body: { displayname: 'Renamed' },
      });

    const { secret } = await begin(user);
    expect(await status(user)).toMatchObject({ enabled: false, enrolment_expires_ts: expect.any(Number) });
    expect(await isAdministrator(user)).toBe(true);
    const totp = await codeOf(user, { secret });
    const { body } = await user.post<{ recovery_codes: string[] }>(CONFIRM, { body: { totp } });
    expect(await status(user)).toMatchObject({
      enabled: true,
      recovery_codes_left: 10,
      enrolment_expires_ts: null,
    });

    for (const actor of [user, other, await world.login(user)]) {
      expect(await actor.get(USERS)).toMatchObject(needsSession);
      expect(await rename(actor)).toMatchObject(refusal(400, 'M_FORBIDDEN'));
      expect(await actor.get(ME)).toMatchObject({ ...ok, body: { roles: ['admin'], scopes: [] } });
      expect(await actor.get(`${V3}/account/whoami`)).toMatchObject(ok);
    }
    expect(
      await user.post(`${V3}/account/deactivate`, {
        body: { auth: { type: 'm.login.password', user: user.userId, password: user.password } },
      }),
    ).toMatchObject(needsSession);

    expect(await remove(user, { totp })).toMatchObject(forbidden);
    expect(await remove(user, { recovery_code: body.recovery_codes[3] })).toMatchObject(ok);
    expect(await isAdministrator(other)).toBe(true);
    expect(await rename(other)).toMatchObject(ok);
    expect(await status(user)).toMatchObject({ enabled: false, recovery_codes_left: 0 });
  });

  it('a second factor is enrolled by users with rights, who prove to know the password', async () => {
    const user = await administrator();
    expect(await user.post(OWN)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    expect(await user.post(OWN, { body: { password: 'wrong' } })).toMatchObject(forbidden);
    expect(await user.post(OWN, { body: { password: 1 } })).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    expect(await user.post(CONFIRM, { body: { totp: '123456' } })).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    expect(await remove(user, { totp: '123456' })).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    expect(await remove(user, {})).toMatchObject(refusal(400, 'M_MISSING_PARAM'));

    const plain = await world.user();
    expect(await plain.post(OWN, { body: { password: plain.password } })).toMatchObject(forbidden);
    const auditor = await world.user();
    const roles = path`/_service/admin/v1/users/${auditor.userId}/roles`;
    await world.admin.put(roles, { body: { roles: ['auditor'] } });
    await enrol(auditor);
    expect(await auditor.get(USERS)).toMatchObject(needsSession);
    expect(await auditor.post(OWN, { body: { password: auditor.password } })).toMatchObject(
      refusal(409, 'M_UNKNOWN'),
    );
  });

  it('a second factor is none before it is confirmed, within ten minutes and with the latest secret', async () => {
    const user = await administrator();
    const first = await begin(user);
    const second = await begin(user);
    expect(await user.post(CONFIRM, { body: { totp: await codeOf(user, first) } })).toMatchObject(forbidden);
    if (!world.moveClock) return;
    world.moveClock(ENROLMENT_MS);
    expect(await status(user)).toMatchObject({ enrolment_expires_ts: null });
    const totp = await codeOf(user, second);
    expect(await user.post(CONFIRM, { body: { totp } })).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    expect(await isAdministrator(user)).toBe(true);
  });

  it('accepts each code once, on whichever instances it arrives', async () => {
    const user = await administrator();
    const factor = await enrol(user);
    const atOnce = async (proof: Readonly<Record<string, unknown>>) => {
      const replies = await Promise.all(
        Array.from({ length: 6 }, () =>
          user.post<{ recovery_codes: string[] }>(RECOVERY_CODES, {
            body: { password: user.password, ...proof },
          }),
        ),
      );
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 403, 403, 403, 403, 403]);
      return replies.find((reply) => reply.status === 200)?.body.recovery_codes ?? [];
    };
    const codes = await atOnce({ totp: await codeOf(user, factor, 1) });
    expect(await remove(user, { recovery_code: factor.codes[0] })).toMatchObject(forbidden);
    await atOnce({ recovery_code: codes[0] });
  });

  it('cannot be guessed, and is not locked by those who lack the password', async () => {
    const user = await administrator();
    const factor = await enrol(user);
    const wrong = async (body: Readonly<Record<string, unknown>>, count: number) => {
      const replies = Array.from({ length: count }, () => user.delete(OWN, { body }));
      return (await Promise.all(replies)).map(({ status }) => status).sort();
    };
    const notTheCode = '000000' === (await codeOf(user, factor, 1)) ? '000001' : '000000';
    await wrong({ password: 'wrong', totp: notTheCode }, 12);
    const outcomes = await wrong({ password: user.password, totp: notTheCode }, 12);
    expect(outcomes).toEqual([...Array(10).fill(403), 429, 429]);
    expect(await remove(user, { totp: await codeOf(user, factor, 1) })).toMatchObject(limited);
    expect(await remove(user, { recovery_code: factor.codes[0] })).toMatchObject(ok);
  });

  it('stays when the password changes, and goes with the deactivation', async () => {
    const user = await administrator();
    const { userId } = user;
    await enrol(user);
    const auth = { type: 'm.login.password', user: userId, password: user.password };
    const changed = await user.post(`${V3}/account/password`, {
      body: { auth, new_password: 'new', logout_devices: false },
    });
    expect(changed).toMatchObject(ok);
    const reset = { new_password: 'newer', logout_devices: false };
    expect(
      await world.admin.post(path`/_service/admin/v1/reset_password/${userId}`, { body: reset }),
    ).toMatchObject(ok);
    expect(await world.admin.get(at(userId))).toMatchObject({ ...ok, body: { enabled: true } });
    await world.admin.post(path`/_service/admin/v1/deactivate/${userId}`);
    expect(await world.admin.get(at(userId))).toMatchObject({ ...ok, body: { enabled: false } });
    const body = { deactivated: false, password: user.password, admin: true };
    expect(await world.admin.put(path`/_service/admin/v2/users/${userId}`, { body })).toMatchObject(ok);
    expect(await isAdministrator(await world.login(user))).toBe(true);
  });

  it('a second factor is reset by an administrator with all scopes of the account', async () => {
    const user = await administrator();
    await enrol(user);
    const support = await world.user();
    await world.admin.put(path`/_service/admin/v1/users/${support.userId}/roles`, {
      body: { roles: ['support'] },
    });
    expect(await support.delete(at(user.userId))).toMatchObject(forbidden);
    expect(await user.delete(at(user.userId))).toMatchObject(needsSession);
    expect(await world.admin.delete(at(world.admin.userId))).toMatchObject(refusal(400, 'M_UNKNOWN'));
    expect(await world.admin.delete(at(world.userId('missing')))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    expect(await world.admin.delete(at(user.userId))).toMatchObject(ok);
    expect(await isAdministrator(user)).toBe(true);
    expect(await world.admin.delete(at(user.userId))).toMatchObject(ok);
  });

  it('cannot be changed with a login-as token', async () => {
    const user = await administrator();
    const { body } = await world.admin.post<{ access_token: string }>(
      path`/_service/admin/v1/users/${user.userId}/login`,
    );
    const token = body.access_token;
    expect(await world.http('GET', USERS, { token })).toMatchObject(ok);
    const proof = { token, body: { password: user.password } };
    expect(await world.http('POST', OWN, proof)).toMatchObject(forbidden);
    expect(await world.http('GET', OWN, { token })).toMatchObject(forbidden);
    await enrol(user);
    expect(await world.http('GET', USERS, { token })).toMatchObject(needsSession);
    expect(await world.http('GET', `${V3}/account/whoami`, { token })).toMatchObject(ok);
  });

  it('a second factor is asked of administrator sessions', async () => {
    const user = await administrator();
    const needsProof = refusal(401, 'STEWARD_STEP_UP_REQUIRED', {
      flows: [{ stages: ['m.login.password', 'steward.totp'] }],
    });
    const earlier = new Browser(world);
    expect(await earlier.signIn(user)).toMatchObject(ok);
    world.moveClock?.(1);
    const factor = await enrol(user);
    const stepUp = (body: object) =>
      earlier.send('POST', `${SESSION}/step_up`, { body: { password: user.password, ...body } });

    // A session that began with the password alone has no rights before its next step-up.
    expect(await earlier.send('GET', USERS)).toMatchObject(needsProof);
    expect(await earlier.send('GET', ME)).toMatchObject({ ...ok, body: { scopes: [] } });
    expect(await stepUp({})).toMatchObject(needsProof);
    expect(await stepUp({ recovery_code: factor.codes[0], password: 'wrong' })).toMatchObject(forbidden);
    expect(await stepUp({ totp: 'no code' })).toMatchObject(forbidden);
    expect(await stepUp({ recovery_code: factor.codes[0] })).toMatchObject(ok);
    expect(await earlier.send('GET', USERS)).toMatchObject(ok);

    const later = new Browser(world);
    expect(await later.signIn(user)).toMatchObject(needsProof);
    expect(await later.send('POST', SESSION, { token: user.token })).toMatchObject(needsSession);
    expect(later.cookie).toBe('');
    const start = (proof: object) =>
      later.send('POST', SESSION, { body: { user: user.userId, password: user.password, ...proof } });
    expect(await start({ recovery_code: factor.codes[0] })).toMatchObject(forbidden);
    expect(await start({ totp: await codeOf(user, factor, 1) })).toMatchObject(ok);
    expect(await later.send('GET', USERS)).toMatchObject(ok);
    const removed = await later.send('DELETE', OWN, { body: { recovery_code: factor.codes[1] } });
    expect(removed).toMatchObject(ok);
  });

  it('a second factor is enrolled in an administrator session, which keeps its rights', async () => {
    const user = await administrator();
    const browser = new Browser(world);
    await browser.signIn(user);
    const { secret } = (await browser.send<{ secret: string }>('POST', OWN)).body;
    const totp = await codeOf(user, { secret });
    expect(await browser.send('POST', CONFIRM, { body: { totp } })).toMatchObject(ok);
    expect(await browser.send('GET', USERS)).toMatchObject(ok);
    expect(await user.get(USERS)).toMatchObject(needsSession);
  });

  it('leaves entries without secrets in the audit log', async () => {
    const user = await administrator();
    const factor = await enrol(user);
    await remove(user, { totp: 'no code' });
    await remove(user, { recovery_code: 'no code' });
    await user.post(OWN, { body: { password: 'no code' } });
    const body = { user: user.userId, password: user.password };
    await new Browser(world).send('POST', SESSION, { body });
    await new Browser(world).send('POST', SESSION, { body: { ...body, totp: 'no code' } });
    await remove(user, { recovery_code: factor.codes[0] });
    const log = path`/_service/admin/v1/audit_log?actor=${user.userId}`;
    const entries = async () =>
      (await world.admin.get<{ entries: { action: string; outcome: string }[] }>(log)).body.entries;
    await expect
      .poll(async () => (await entries()).map(({ action, outcome }) => [action, outcome]), {
        timeout: 20_000,
      })
      .toEqual([
        ['user.remove_totp', 'ok'],
        ['user.create_admin_session', 'refused'],
        ['user.begin_totp', 'refused'],
        ['user.remove_totp', 'refused'],
        ['user.remove_totp', 'refused'],
        ['user.confirm_totp', 'ok'],
        ['user.begin_totp', 'ok'],
      ]);
    const text = JSON.stringify(await entries());
    for (const secret of [factor.secret, factor.codes[0], user.password, 'no code'])
      expect(text).not.toContain(secret);
  });
});
