import { isDue, path, sendHttp } from '@steward/testing';
import { registerAdmin } from '@steward/topology/testing';
import { expect, it } from 'vitest';
import { type Load, startLoad } from './backup-load.ts';
import { missing, mongo, nats, oneProcess, run, severalProcesses } from './scene.ts';

/** What moves the data of a server. */
const GUARDS = ['chaos/', 'services/all-in-one/src/move/', 'packages/store/'];

const ADMIN = '/_service/admin';

/** What changes with time, and with the requests of the comparison itself. */
const MOVING = /("last_seen_ts"|"last_access_ts"|"age"):(?:\d+|null)/g;

/** What a server answers about everything that a load has made, by path. */
async function answersOf(url: string, token: string, load: Load): Promise<Readonly<Record<string, string>>> {
  const paths = [
    `${ADMIN}/v2/users?limit=1000`,
    `${ADMIN}/v2/users?name=member&order_by=creation_ts&dir=b`,
    `${ADMIN}/v1/rooms`,
    ADMIN + path`/v1/rooms/${load.room}`,
    ADMIN + path`/v1/rooms/${load.room}/members`,
    `${ADMIN}${path`/v1/rooms/${load.room}/messages`}?dir=b&limit=1000`,
    ADMIN + path`/v1/users/${'@owner:test'}/media`,
    `${ADMIN}/v1/statistics/users/media`,
    `${ADMIN}/v1/audit_log?limit=1000`,
    '/_proto/client/v3/account/whoami',
    ...load.deactivations.slice(0, 3).map(({ id }) => ADMIN + path`/v2/users/${id}`),
    ...load.uploads.map(({ id }) => `/_proto/client/v1/media/download/${id}`),
  ];
  const answers: Record<string, string> = {};
  for (const each of paths) {
    const { status, text } = await sendHttp(url, 'GET', each, { token });
    answers[each] = `${status} ${text.replaceAll(MOVING, '$1:0')}`;
  }
  // Each engine has an order of its own for the state, which none is documented for.
  const state = ADMIN + path`/v1/rooms/${load.room}/state`;
  const { body } = await sendHttp<{ state: { event_id: string }[] }>(url, 'GET', state, { token });
  answers[state] = body.state
    .map(({ event_id: id }) => id)
    .sort()
    .join();
  return answers;
}

it.skipIf(missing || !isDue('move to several processes', GUARDS))(
  `a server that is moved to several processes answers as before: ${mongo.title}, ${nats.title}`,
  { timeout: 240_000 },
  async () => {
    const one = await oneProcess();
    const several = await severalProcesses();
    const server = await one.start(one.env);
    const token = await registerAdmin(server.url);
    const load = await startLoad(server.url, token);
    await load.more(5);
    await load.stop();
    await server.stop();
    // All that was pending is done after a start.
    const again = await one.start(one.env);
    const before = await answersOf(again.url, token, load);
    await again.stop();

    await run('move', several.env, ['--from', one.env.STEWARD_DATA ?? '']);
    const moved = await several.start(several.env);
    expect(await answersOf(moved.url, token, load)).toEqual(before);
    // What was made before the move is changed after it.
    const at = `/_proto/client/v3${path`/rooms/${load.room}/send/m.room.message/after`}`;
    const owner = await sendHttp<{ access_token: string }>(
      moved.url,
      'POST',
      `${ADMIN}${path`/v1/users/${'@owner:test'}/login`}`,
      { token, body: {} },
    );
    const sent = await sendHttp(moved.url, 'PUT', at, {
      token: owner.body.access_token,
      body: { msgtype: 'm.text', body: 'after the move' },
    });
    expect(sent.status).toBe(200);
  },
);
