import { type Actor, path } from '@steward/testing';
import { expect, it } from 'vitest';
import { Authenticator } from './authenticator.ts';
import { Browser } from './browser.ts';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ORIGIN = 'https://steward.example';
const V1 = '/_service/admin/v1';
const ME = `${V1}/me`;
const OWN = `${ME}/passkeys`;
const SESSION = `${V1}/session`;
const USERS = '/_service/admin/v2/users';

const CHALLENGE_MS = 300_000;

const ok = { status: 200 };
const forbidden = refusal(403, 'M_FORBIDDEN');

pairedChapter(
  'Passkeys',
  (world) => {
    const administrator = () => world.user('administrator', { admin: true });

    async function signedIn(user: Actor): Promise<Browser> {
      const browser = new Browser(world);
      expect(await browser.signIn(user)).toMatchObject(ok);
      return browser;
    }
    const challengeOf = async (browser: Browser, at: string) =>
      (await browser.send<{ challenge: string }>('POST', at)).body.challenge;
    const challengeToAdd = (browser: Browser) => challengeOf(browser, `${OWN}/challenge`);
    const challengeToProve = (browser: Browser) => challengeOf(browser, `${SESSION}/passkey`);
    const challengeToStepUp = (browser: Browser) => challengeOf(browser, `${SESSION}/step_up/passkey`);
    const add = (browser: Browser, created: object, name = 'Key') =>
      browser.send<{ id: string }>('POST', OWN, { body: { name, ...created } });

    /** Adds a passkey in a session of a user. */
    async function withPasskey(browser: Browser): Promise<{ key: Authenticator; id: string }> {
      const key = new Authenticator(ORIGIN);
      const added = await add(browser, key.create(await challengeToAdd(browser)));
      expect(added).toMatchObject(ok);
      return { key, id: added.body.id };
    }

    it('a passkey is added in a session, which keeps its rights, and those of access tokens and other sessions end', async () => {
      const user = await administrator();
      const [browser, other] = [await signedIn(user), await signedIn(user)];
      const { id } = await withPasskey(browser);
      expect(await browser.send('GET', USERS)).toMatchObject(ok);
      expect(await browser.send('GET', OWN)).toMatchObject({
        ...ok,
        body: { passkeys: [{ id, name: 'Key', last_used_ts: null }] },
      });
      expect(await user.get(USERS)).toMatchObject(forbidden);
      const flows = [{ stages: ['m.login.password', 'steward.passkey'] }, { stages: ['steward.passkey'] }];
      const needsProof = refusal(401, 'STEWARD_STEP_UP_REQUIRED', { flows });
      expect(await other.send('GET', USERS)).toMatchObject(needsProof);
      expect(await new Browser(world).signIn(user)).toMatchObject(needsProof);
      // Who knows the password alone neither adds another factor nor removes this one.
      expect(await user.post(`${ME}/totp`, { body: { password: user.password } })).toMatchObject(forbidden);
      for (const request of [
        () => other.send('POST', `${ME}/totp`),
        () => other.send('POST', `${OWN}/challenge`),
        () => other.send('DELETE', `${OWN}/${id}`),
      ])
        expect(await request()).toMatchObject(needsProof);
    });

    it('a passkey is asked for after the password, and signs in without one where its user was verified', async () => {
      const user = await administrator();
      const { key } = await withPasskey(await signedIn(user));
      const by = async (body: object, deviation = {}) => {
        const browser = new Browser(world);
        const passkey = key.prove(await challengeToProve(browser), deviation);
        const reply = await browser.send('POST', SESSION, { body: { ...body, passkey } });
        if (reply.status === 200) expect(await browser.send('GET', USERS)).toMatchObject(ok);
        return reply;
      };
      const password = { user: user.userId, password: user.password };
      expect(await by(password, { verified: false })).toMatchObject(ok);
      expect(await by({ ...password, password: 'wrong' })).toMatchObject(forbidden);
      expect(await by({})).toMatchObject({ ...ok, body: { user_id: user.userId } });
      expect(await by({}, { verified: false })).toMatchObject(forbidden);
      expect(await by({}, { origin: 'https://other.example' })).toMatchObject(forbidden);
      expect(await by({}, { rpId: 'other.example' })).toMatchObject(forbidden);
      // A copy counts from where it was made.
      expect(await by({}, { counter: 1 })).toMatchObject(forbidden);
      const stranger = await administrator();
      expect(await by({ user: stranger.userId, password: stranger.password })).toMatchObject(forbidden);
    });

    it('a challenge works once, in its session, and for five minutes', async () => {
      const user = await administrator();
      const browser = await signedIn(user);
      const { key } = await withPasskey(browser);
      const stepUp = (challenge: string) =>
        browser.send('POST', `${SESSION}/step_up`, { body: { passkey: key.prove(challenge) } });
      const challenge = await challengeToStepUp(browser);
      expect(await stepUp(challenge)).toMatchObject(ok);
      expect(await stepUp(challenge)).toMatchObject(forbidden);
      expect(await stepUp(await challengeToProve(browser))).toMatchObject(forbidden);
      expect(await stepUp(await challengeToStepUp(await signedIn(await administrator())))).toMatchObject(
        forbidden,
      );
      expect(await stepUp(await challengeToAdd(browser))).toMatchObject(forbidden);
      const another = new Authenticator(ORIGIN);
      expect(await add(browser, another.create(await challengeToStepUp(browser)))).toMatchObject(forbidden);
      const shared = await challengeToStepUp(browser);
      const statuses = await Promise.all(Array.from({ length: 5 }, () => stepUp(shared)));
      expect(statuses.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403]);
      if (!world.moveClock) return;
      const late = await challengeToStepUp(browser);
      world.moveClock(CHALLENGE_MS);
      expect(await stepUp(late)).toMatchObject(forbidden);
    });

    it('several passkeys are named and removed after a step-up, by another administrator with all scopes as well', async () => {
      const user = await administrator();
      const browser = await signedIn(user);
      const first = await withPasskey(browser);
      const second = await withPasskey(browser);
      const at = `${OWN}/${second.id}`;
      expect(await add(browser, first.key.create(await challengeToAdd(browser)))).toMatchObject(
        refusal(409, 'M_UNKNOWN'),
      );
      expect(await add(browser, new Authenticator(ORIGIN).create('none'))).toMatchObject(forbidden);
      expect(await browser.send('PUT', at, { body: { name: '  Phone ' } })).toMatchObject(ok);
      expect(await browser.send('PUT', at, { body: { name: ' ' } })).toMatchObject(
        refusal(400, 'M_INVALID_PARAM'),
      );
      const ofUser = path`/_service/admin/v1/users/${user.userId}/passkeys`;
      expect(await world.admin.get(ofUser)).toMatchObject({
        ...ok,
        body: { passkeys: [{ id: first.id }, { id: second.id, name: 'Phone' }] },
      });
      const support = await world.user();
      const roles = path`/_service/admin/v1/users/${support.userId}/roles`;
      await world.admin.put(roles, { body: { roles: ['support'] } });
      expect(await support.delete(`${ofUser}/${first.id}`)).toMatchObject(forbidden);
      expect(await world.admin.delete(`${ofUser}/${first.id}`)).toMatchObject(ok);
      expect(await world.admin.delete(`${ofUser}/${first.id}`)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      world.moveClock?.(CHALLENGE_MS + 1);
      const stale = refusal(401, 'STEWARD_STEP_UP_REQUIRED');
      if (world.moveClock) expect(await browser.send('DELETE', at)).toMatchObject(stale);
      const passkey = second.key.prove(await challengeToStepUp(browser));
      expect(await browser.send('POST', `${SESSION}/step_up`, { body: { passkey } })).toMatchObject(ok);
      expect(await browser.send('DELETE', at)).toMatchObject(ok);
      expect(await user.get(USERS)).toMatchObject(ok);
      const types = async () => {
        const feed = `${V1}/events?type=passkey.*&limit=100`;
        const { events } = (
          await world.admin.get<{ events: { type: string; data: { user_id: string } }[] }>(feed)
        ).body;
        return events.filter(({ data }) => data.user_id === user.userId).map(({ type }) => type);
      };
      await expect
        .poll(types, { timeout: 20_000 })
        .toEqual([
          ...['passkey.added', 'passkey.added', 'passkey.renamed'],
          ...['passkey.removed', 'passkey.removed'],
        ]);
    });
  },
  { config: { server: { public_baseurl: ORIGIN } } },
);
