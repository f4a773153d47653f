import { type Actor, path } from '@steward/testing';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { uploadFile, uriOf } from './media-files.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin';
const CLIENT = '/_proto/client/v3';

interface Order {
  readonly kind: string;
  readonly state: string;
  readonly errcode: string | null;
}

interface Case {
  readonly case_id: string;
  readonly state: string;
  readonly task_id?: string;
  readonly resolution: { readonly orders: readonly Order[]; readonly task_id: string | null } | null;
}

chapter('Resolutions with orders', (world) => {
  let alice: Actor;
  beforeAll(async () => {
    alice = await world.user('alice');
  });

  /** Lets a user send a picture in a room of Alice, and Alice report it. */
  const reportPicture = async () => {
    const created = await alice.post<{ room_id: string }>(`${CLIENT}/createRoom`, {
      body: { preset: 'public_chat' },
    });
    const room = created.body.room_id;
    const spammer = await world.user('spammer');
    await spammer.post(path`/_proto/client/v3/rooms/${room}/join`, { body: {} });
    const media = await uploadFile(spammer);
    const to = path`/_proto/client/v3/rooms/${room}/send/m.room.message/${world.freshName('txn')}`;
    const body = { msgtype: 'm.image', body: 'Buy!', url: uriOf(world, media) };
    const event = (await spammer.put<{ event_id: string }>(to, { body })).body.event_id;
    await alice.post(path`/_proto/client/v3/rooms/${room}/report/${event}`, { body: { reason: 'Spam' } });
    const { body: list } = await world.admin.get<{ event_reports: { id: number }[] }>(
      `${ADMIN}/v1/event_reports`,
      { query: { room_id: room } },
    );
    return { id: `event-${list.event_reports[0]?.id}`, room, spammer, event, media };
  };
  const resolve = (id: string, body: object) =>
    world.admin.post<Case>(path`/_service/admin/v1/reports/${id}/resolve`, { body });

  it('resolutions with orders are carried out by several services, and are recorded with the case', async () => {
    const { id, room, spammer, event, media } = await reportPicture();
    const root = (await world.user('root')).userId;
    const kinds = ['suspend', 'redact_event', 'quarantine_media', 'kick', 'ban', 'lock'];
    const orders = kinds.map((kind) => ({ kind, ...(kind === 'kick' ? { user_id: root } : {}) }));
    const resolved = await resolve(id, { outcome: 'actioned', reason: 'Spam wave', orders });
    expect(resolved).toMatchObject({ status: 200, body: { state: 'resolved', outcome: 'actioned' } });
    const { case_id: caseId, task_id: task } = resolved.body;
    const states = async () => {
      const { body } = await world.admin.get<Case>(path`/_service/admin/v1/reports/${id}`);
      return body.resolution?.orders.map(({ kind, state }) => `${kind} ${state}`);
    };
    const ended = kinds.map((kind) => `${kind} ${kind === 'kick' ? 'refused' : 'done'}`);
    await expect.poll(states, { timeout: 30_000 }).toEqual(ended);

    const user = path`/_service/admin/v2/users/${spammer.userId}`;
    expect((await world.admin.get(user)).body).toMatchObject({ suspended: true, locked: true });
    const seen = await alice.get(path`/_proto/client/v3/rooms/${room}/event/${event}`);
    expect(seen.body).toMatchObject({ content: {} });
    const info = await world.admin.get(path`/_service/admin/v1/media/${world.serverName}/${media}`);
    expect(info.body).toMatchObject({ media_info: { quarantined_by: world.admin.userId } });
    const member = path`/_proto/client/v3/rooms/${room}/state/m.room.member/${spammer.userId}`;
    expect((await alice.get(member)).body).toMatchObject({ membership: 'ban' });

    const target = `report:${caseId}`;
    const actions = async () => {
      const { body } = await world.admin.get<{
        entries: { action: string; outcome: string; task_id: string }[];
      }>(`${ADMIN}/v1/audit_log`, { query: { target } });
      return body.entries.map(({ action, outcome, task_id }) => `${action} ${outcome} ${task_id === task}`);
    };
    await expect
      .poll(actions, { timeout: 30_000 })
      .toEqual([
        'user.put_user ok true',
        'room.ban_user ok true',
        'room.kick_user refused true',
        'media.quarantine_media ok true',
        'room.redact_event ok true',
        'user.suspend ok true',
        'moderation.resolve_report ok true',
      ]);
  });

  it('ban and redact a user in either order', async () => {
    for (const kinds of [
      ['ban', 'redact_user'],
      ['redact_user', 'ban'],
    ]) {
      const { id, room, event } = await reportPicture();
      await resolve(id, { outcome: 'actioned', orders: kinds.map((kind) => ({ kind })) });
      const states = async () => {
        // A resolution waits for the task of an order by the clock of the server.
        world.moveClock?.(1_000);
        const { body } = await world.admin.get<Case>(path`/_service/admin/v1/reports/${id}`);
        return body.resolution?.orders.map(({ kind, state }) => `${kind} ${state}`);
      };
      await expect.poll(states, { timeout: 30_000 }).toEqual(kinds.map((kind) => `${kind} done`));
      const seen = await alice.get(path`/_proto/client/v3/rooms/${room}/event/${event}`);
      expect(seen.body).toMatchObject({ content: {} });
    }
  });

  it('resolutions with orders are decided by one of two moderators', async () => {
    const { id } = await reportPicture();
    const both = await Promise.all(
      ['block_room', 'suspend'].map((kind) => resolve(id, { outcome: 'actioned', orders: [{ kind }] })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = await resolve(id, { outcome: 'dismissed' });
    expect(late).toMatchObject(
      refusal(409, 'M_UNKNOWN', { current: expect.objectContaining({ state: 'resolved' }) }),
    );
  });

  it('need the scopes of what they order', async () => {
    const { id } = await reportPicture();
    const helper = await world.user('helper');
    const role = world.freshName('desk');
    const scopes = ['reports:read', 'reports:write', 'users:write'];
    await world.admin.post(`${ADMIN}/v1/roles`, { body: { name: role, scopes } });
    await world.admin.put(path`/_service/admin/v1/users/${helper.userId}/roles`, { body: { roles: [role] } });
    const attempt = (...kinds: string[]) =>
      helper.post(path`/_service/admin/v1/reports/${id}/resolve`, {
        body: { outcome: 'actioned', orders: kinds.map((kind) => ({ kind })) },
      });
    const refused = await attempt('suspend', 'block_room');
    expect(refused).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    expect(refused.text).toMatch(/"orders\[1\] \(block_room\): .*rooms:write/);
    expect((await attempt('suspend')).status).toBe(200);
  });
});
