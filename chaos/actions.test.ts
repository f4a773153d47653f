import { setTimeout } from 'node:timers/promises';
import { isDue, sendHttp } from '@steward/testing';
import { registerAdmin } from '@steward/topology/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openOneProcess } from './one-process.ts';
import { missing, mongo, nats, openOnEngines } from './scene.ts';
import type { Site } from './site.ts';

/** What carries an action out once. */
const GUARDS = ['chaos/actions.test.ts', 'packages/idempotency/', 'packages/audit/'];

const TIMEOUT_MS = 480_000;

/** How many actions of each kind are ordered between two kills. */
const PER_ROUND = 8;

const ADMIN = '/_service/admin';
const CLIENT = '/_proto/client/v3';

/** An administrative request that makes something new each time that it is carried out. */
interface Action {
  readonly key: string;
  readonly verb: 'POST' | 'PUT';
  readonly path: string;
  readonly body: object;
  /** The name of the action in the audit log. */
  readonly action: string;
}

/** Orders actions while processes are killed, repeats each until it is answered, and counts what they did. */
async function story(site: Site): Promise<void> {
  onTestFinished(() => site.close());
  const [url = ''] = site.urls;
  const token = await registerAdmin(url);
  const call = (verb: string, requestPath: string, body?: object, headers = {}) =>
    sendHttp(url, verb, requestPath, { token, body, headers });
  const { body: created } = await call('POST', `${CLIENT}/createRoom`, {});
  const room = String(created.room_id);

  const actionsOf = (round: string): readonly Action[] =>
    Array.from({ length: PER_ROUND }, (_, n): Action[] => {
      const name = `${round}-${n}`;
      return [
        {
          ...{ key: `token ${name}`, verb: 'POST', path: `${ADMIN}/v1/registration_tokens/new` },
          ...{ body: { uses_allowed: 1 }, action: 'user.create_registration_token' },
        },
        {
          ...{
            key: `notice ${name}`,
            verb: 'POST',
            path: `${ADMIN}/v1/rooms/${encodeURIComponent(room)}/send_notice`,
          },
          ...{ body: { body: name }, action: 'room.send_room_notice' },
        },
        {
          ...{ key: `automation ${name}`, verb: 'POST', path: `${ADMIN}/v1/tokens` },
          ...{ body: { name, scopes: ['users:read'] }, action: 'user.create_automation_token' },
        },
        {
          ...{ key: `role ${name}`, verb: 'POST', path: `${ADMIN}/v1/roles` },
          ...{ body: { name, scopes: ['users:read'] }, action: 'user.create_role' },
        },
      ];
    }).flat();

  /** Repeats an action until its outcome is known. */
  const carryOut = async ({ key, verb, path: requestPath, body }: Action): Promise<void> => {
    for (;;) {
      const reply = await call(verb, requestPath, body, { 'idempotency-key': key }).catch(() => undefined);
      if (reply?.status === 200) return;
      if (reply?.status === 409 && reply.body.errcode === 'STEWARD_ALREADY_DONE') return;
      if (reply !== undefined && reply.status < 500 && reply.status !== 409)
        throw new Error(`${key}: ${reply.status} ${JSON.stringify(reply.body)}`);
      await setTimeout(100);
    }
  };

  let ordered = 0;
  for (const [round, victim] of site.victims.entries()) {
    const actions = actionsOf(`round-${round}`);
    ordered += PER_ROUND;
    let answered = 0;
    const all = Promise.all(actions.map((action) => carryOut(action).then(() => answered++)));
    all.catch(() => {});
    // In the middle of them.
    await Promise.race([
      expect.poll(() => answered, { timeout: TIMEOUT_MS }).toBeGreaterThan(PER_ROUND / 2),
      all,
    ]);
    await victim.kill();
    await victim.start();
    await all;
  }

  const listed = async (requestPath: string, key: string) => {
    const { body } = await call('GET', requestPath);
    return (body[key] as readonly unknown[]).length;
  };
  expect(await listed(`${ADMIN}/v1/registration_tokens`, 'registration_tokens')).toBe(ordered);
  expect(await listed(`${ADMIN}/v1/tokens?limit=1000`, 'tokens')).toBe(ordered);
  const { body: roles } = await call('GET', `${ADMIN}/v1/roles`);
  const own = (roles.roles as readonly { readonly name: string }[]).filter(({ name }) =>
    name.startsWith('round-'),
  );
  expect(own).toHaveLength(ordered);
  const { body: timeline } = await call(
    'GET',
    `${CLIENT}/rooms/${encodeURIComponent(room)}/messages?dir=b&limit=1000`,
  );
  const notices = (timeline.chunk as readonly { readonly type: string }[]).filter(
    ({ type }) => type === 'm.room.message',
  );
  expect(notices).toHaveLength(ordered);
  for (const { action } of actionsOf('')) {
    await expect
      .poll(() => listed(`${ADMIN}/v1/audit_log?action=${action}&limit=1000`, 'entries'))
      .toBe(ordered);
  }
}

describe('actions with an Idempotency-Key have one effect, and one entry in the audit log, through kills', () => {
  it('of the one process', { timeout: TIMEOUT_MS }, async () => story(await openOneProcess()));

  it.skipIf(missing || !isDue('actions through kills', GUARDS))(
    `of several: ${mongo.title}, ${nats.title}`,
    { timeout: TIMEOUT_MS },
    async () => story(await openOnEngines({ engines: false })),
  );
});
