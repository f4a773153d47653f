import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type Actor, path, type Reply } from '@steward/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { chapter, inOneProcess } from './chapter.ts';
import { refusal } from './refusal.ts';
import { fill, servedOnce } from './served.ts';

const PLANS = '/_service/admin/v1/plans';

const deactivation = (userId: string) => path`/_service/admin/v1/deactivate/${userId}`;
const devicesOf = (userId: string) => path`/_service/admin/v2/users/${userId}/devices`;

/** A request, as a plan names it. */
interface Planned {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

interface Plan {
  readonly dry_run: boolean;
  readonly changes: readonly { readonly kind: string; readonly change: string; readonly count: number }[];
  readonly sample: readonly { readonly kind: string; readonly id: string; readonly name?: string }[];
  readonly follows: readonly { readonly service: string; readonly kind: string; readonly count: number }[];
  readonly irreversible: readonly string[];
  readonly digest: string;
  readonly estimated_ms: number;
}

/** Changes that make or send something, or set what their request says and another request sets back. */
const TAKES_NOTHING_AWAY: ReadonlySet<string> = new Set([
  'AddGroupMember',
  'AddMediaHashes',
  'AddReportNote',
  'AllowCrossSigningReplacement',
  'AssignReport',
  'ClearRateLimit',
  'CreateAuditCheckpoint',
  'CreateAutomationToken',
  'CreateDevice',
  'CreateGroup',
  'CreateRegistrationToken',
  'CreateRole',
  'CreateWebhook',
  'EscalateReport',
  'ImportMediaHashes',
  'InviteUser',
  'JoinUser',
  'LiftShadowBan',
  'LoginAs',
  'MakeRoomAdmin',
  'MoveMedia',
  'OrderEndOfProtection',
  'OrderProtection',
  'OrderRelease',
  'ProtectMedia',
  'PutServerNotice',
  'PutUser',
  'ReopenReport',
  'ReplayDeadLetter',
  'ReplayWebhook',
  'ReplayWebhookDelivery',
  'ResetConnection',
  'SendRoomNotice',
  'SendServerNotice',
  'SetExperimentalFeatures',
  'SetQuotas',
  'SetRateLimit',
  'SetReportSeverity',
  'SetState',
  'SetUpdatesEnabled',
  'SetValidity',
  'ShadowBan',
  'StartJob',
  'Suspend',
  'TestWebhook',
  'TriageReport',
  'UnassignReport',
  'UnbanUser',
  'UnbanUserFromRooms',
  'UnprotectMedia',
  'UnquarantineMedia',
  'UpdateDevice',
  'UpdateRegistrationToken',
]);

/** What has no planner yet. */
const NOT_PLANNED_YET: ReadonlySet<string> = new Set([
  'BanUserFromRooms',
  'CancelTask',
  'CreateBulk',
  'DeleteEventReport',
  'DeleteGroup',
  'DeleteUserReport',
  'DeleteWebhook',
  'DropDeadLetter',
  'RemoveGroupMember',
  'ResolveReport',
  'RotateAutomationToken',
  'RotateWebhookSecret',
  'UpdateGroup',
  'UpdateRole',
  'UpdateWebhook',
]);

const plannedEndpoints = servedOnce.filter(({ rules }) => rules.planned);

it('every change that takes something away can be planned', () => {
  const changes = servedOnce.filter(
    ({ method, rules }) =>
      rules.access === Access.ADMIN && method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS,
  );
  const unclassified = changes.filter(
    ({ method: { name }, rules }) =>
      Number(rules.planned) + Number(TAKES_NOTHING_AWAY.has(name)) + Number(NOT_PLANNED_YET.has(name)) !== 1,
  );
  expect(unclassified.map(({ method }) => method.name)).toEqual([]);
  const names = new Set(changes.map(({ method }) => method.name));
  expect([...TAKES_NOTHING_AWAY, ...NOT_PLANNED_YET].filter((name) => !names.has(name))).toEqual([]);
});

chapter('plans', (world) => {
  const plan = (request: Planned, token = world.admin.token): Promise<Reply> =>
    world.http('POST', PLANS, { token, body: request });
  const planned = async (request: Planned): Promise<Plan> => {
    const reply = await world.http<Plan>('POST', PLANS, { token: world.admin.token, body: request });
    expect(reply).toMatchObject({ status: 200 });
    return reply.body;
  };
  const send = ({ method, path: target, body }: Planned, token = world.admin.token): Promise<Reply> =>
    world.http(method, target, { token, ...(body === undefined ? {} : { body }) });

  it('a plan says what a deactivation does to the account and in rooms, and does nothing', async () => {
    const [user, host] = [await world.user(), await world.user()];
    const create = async (creator: Actor, body: object) =>
      (await creator.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body })).body.room_id;
    const rooms = await Promise.all([create(user, {}), create(user, {})]);
    await create(host, { invite: [user.userId] });
    await world.whenIdle();
    const request = { method: 'POST', path: deactivation(user.userId), body: { erase: true } };
    const first = await planned(request);
    expect(first).toMatchObject({
      dry_run: true,
      changes: expect.arrayContaining([
        { kind: 'accounts', change: 'changed', count: 1, at_least: false },
        { kind: 'sessions', change: 'removed', count: 1, at_least: false },
        { kind: 'devices', change: 'removed', count: 1, at_least: false },
      ]),
      sample: [{ kind: 'account', id: user.userId }],
      follows: [
        { service: 'room', kind: 'rooms_left', count: 2, at_least: false },
        { service: 'room', kind: 'invitations_rejected', count: 1, at_least: false },
      ],
      irreversible: expect.arrayContaining(['password', 'memberships', 'erasure']),
    });
    expect(first.estimated_ms).toBeGreaterThan(0);
    expect(await planned(request)).toEqual(first);
    expect(await user.get('/_proto/client/v3/account/whoami')).toMatchObject({ status: 200 });
    expect(await user.get('/_proto/client/v3/joined_rooms')).toMatchObject({
      body: { joined_rooms: expect.arrayContaining(rooms) },
    });

    expect(await send(request)).toMatchObject({ status: 200 });
    await expect.poll(() => planned(request)).toMatchObject({ changes: [], follows: [] });
    const later = await planned(request);
    expect(later.digest).not.toBe(first.digest);
  });

  it('a plan of a deletion of devices names them, and its digest changes with them', async () => {
    const user = await world.user();
    await world.admin.post(devicesOf(user.userId), { body: { device_id: 'EXTRA' } });
    const request = {
      method: 'POST',
      path: path`/_service/admin/v2/users/${user.userId}/delete_devices`,
      body: { devices: ['EXTRA', 'UNKNOWN'] },
    };
    const first = await planned(request);
    expect(first).toMatchObject({
      changes: [{ kind: 'devices', change: 'removed', count: 1 }],
      sample: [{ kind: 'device', id: 'EXTRA' }],
    });
    const extra = `${devicesOf(user.userId)}/EXTRA`;
    expect(await planned({ method: 'DELETE', path: extra })).toMatchObject({ changes: first.changes });
    expect(await send({ method: 'PUT', path: extra, body: { display_name: 'A phone' } })).toMatchObject({
      status: 200,
    });
    const renamed = await planned(request);
    expect(renamed.sample).toEqual([{ kind: 'device', id: 'EXTRA', name: 'A phone' }]);
    expect(renamed.digest).not.toBe(first.digest);
  });

  it('the audit log records who planned what, and no event is made of it', async () => {
    const user = await world.user();
    await planned({ method: 'POST', path: deactivation(user.userId) });
    await plan({ method: 'POST', path: deactivation(user.userId) }, user.token);
    await world.whenIdle();
    const query = { action: 'user.deactivate.plan', target: user.userId };
    const { body } = await world.admin.get('/_service/admin/v1/audit_log', { query });
    expect(body).toMatchObject({
      entries: [
        { actor: user.userId, outcome: 'refused', errcode: 'M_FORBIDDEN' },
        { actor: world.admin.userId, outcome: 'ok', status: 200 },
      ],
    });
    const events = await world.admin.get('/_service/admin/v1/events', {
      query: { target: user.userId, type: 'account.deactivated' },
    });
    expect(events).toMatchObject({ status: 200, body: { events: [] } });
  });

  it('a plan is refused as the request itself is', async () => {
    const user = await world.user();
    const requests: readonly Planned[] = [
      { method: 'POST', path: deactivation(world.userId('missing')) },
      { method: 'POST', path: deactivation('@user:elsewhere') },
      { method: 'POST', path: deactivation('no-user-id') },
      { method: 'POST', path: deactivation(user.userId), body: { erase: 'yes' } },
      { method: 'POST', path: deactivation(user.userId), body: [] },
      { method: 'POST', path: path`/_service/admin/v2/users/${user.userId}/delete_devices` },
      { method: 'POST', path: path`/_service/admin/v2/users/${user.userId}/delete_devices`, body: {} },
      { method: 'DELETE', path: path`/_service/admin/v1/users/${user.userId}/sessions/${'unknown'}` },
    ];
    for (const request of requests)
      for (const token of [world.admin.token, user.token, 'unknown']) {
        const [answer, real] = [await plan(request, token), await send(request, token)];
        expect(answer, `${request.method} ${request.path}`).toMatchObject(pick(real));
      }
    const unrouted: readonly Planned[] = [
      { method: 'GET', path: deactivation(user.userId) },
      { method: 'DELETE', path: PLANS },
      { method: 'POST', path: '/_service/admin/v1/nothing' },
    ];
    for (const request of unrouted)
      expect(await plan(request), request.path).toMatchObject(pick(await send(request)));
  });

  it('what changes nothing, and what has no planner, cannot be planned', async () => {
    const account = path`/_service/admin/v2/users/${world.admin.userId}`;
    for (const method of ['GET', 'PUT'])
      expect(await plan({ method, path: account, body: {} })).toMatchObject({
        status: 400,
        body: { errcode: 'M_UNKNOWN', error: 'This request cannot be planned' },
      });
    for (const body of [
      { method: 'EAT', path: account },
      { method: 'GET', path: 'users' },
    ])
      expect(await plan(body)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    expect(await plan({ method: 'GET', path: account, dry_run: false } as Planned)).toMatchObject(
      refusal(400, 'M_INVALID_PARAM'),
    );
  });

  describe.each([
    { purge: true },
    { purge: false },
    { purge: true, block: true },
    { purge: true, move: true },
    { purge: false, move: true },
  ])('a plan of a deletion of a room, %o,', ({ purge, block = false, move = false }) => {
    it('equals what the deletion then does', async () => {
      const [owner, member, invited] = [await world.user(), await world.user(), await world.user()];
      const alias = `#${world.freshName('alias')}:${world.serverName}`;
      const { body } = await owner.post<{ room_id: string }>('/_proto/client/v3/createRoom', {
        body: {
          name: 'A room',
          preset: 'public_chat',
          room_alias_name: alias.slice(1, alias.indexOf(':')),
          invite: [invited.userId],
        },
      });
      const room = body.room_id;
      const details = path`/_service/admin/v1/rooms/${room}`;
      expect(await member.post(path`/_proto/client/v3/join/${room}`, { body: {} })).toMatchObject({
        status: 200,
      });
      const tags = path`/_proto/client/v3/user/${owner.userId}/rooms/${room}/tags/${'m.favourite'}`;
      expect(await owner.put(tags, { body: {} })).toMatchObject({ status: 200 });
      await world.whenIdle();
      const messages = await world.admin.get<{ chunk: readonly unknown[] }>(`${details}/messages`, {
        query: { limit: 1_000, dir: 'b' },
      });
      const request = {
        purge,
        block,
        ...(move ? { new_room_user_id: world.admin.userId } : {}),
      };
      const first = await planned({ method: 'DELETE', path: details, body: request });
      const second = await planned({
        method: 'DELETE',
        path: path`/_service/admin/v2/rooms/${room}`,
        body: request,
      });
      expect(second.changes).toEqual(first.changes);
      expect(await world.admin.get(details)).toMatchObject({ status: 200, body: { joined_members: 2 } });

      const done = await world.http<{
        readonly kicked_users: readonly string[];
        readonly local_aliases: readonly string[];
        readonly new_room_id: string | null;
      }>('DELETE', details, { token: world.admin.token, body: request });
      expect(done).toMatchObject({ status: 200 });
      const of = (kind: string, change: string) =>
        first.changes.find((each) => each.kind === kind && each.change === change)?.count ?? 0;
      expect(of('local_members', 'removed')).toBe(done.body.kicked_users.length);
      expect(of('rooms', 'created')).toBe(done.body.new_room_id === null ? 0 : 1);
      expect(of('aliases', 'changed')).toBe(done.body.local_aliases.length);
      expect(of('aliases', 'removed')).toBe(purge && !move ? 1 : 0);
      expect(of('rooms', 'removed')).toBe((await world.admin.get(details)).status === 404 ? 1 : 0);
      expect(of('events', 'removed')).toBe(purge ? messages.body.chunk.length : 0);
      const blocked = await world.admin.get<{ block: boolean }>(`${details}/block`);
      expect(of('blocks', 'created')).toBe(blocked.body.block ? 1 : 0);
      expect(first.follows).toEqual(
        purge
          ? [
              { service: 'user', kind: 'account_data_removed', count: 1, at_least: false },
              { service: 'moderation', kind: 'reports_hidden', count: 0, at_least: true },
            ]
          : [],
      );
    });
  });

  it('a plan of a block says whether the room is blocked already', async () => {
    const room = '!nothing:test';
    const block = (isBlocked: boolean) => ({
      method: 'PUT',
      path: path`/_service/admin/v1/rooms/${room}/block`,
      body: { block: isBlocked },
    });
    for (const isBlocked of [true, false]) {
      const change = { kind: 'blocks', change: isBlocked ? 'created' : 'removed', count: 1 };
      expect(await planned(block(isBlocked))).toMatchObject({ changes: [change] });
      expect(await send(block(isBlocked))).toMatchObject({ status: 200 });
      expect(await planned(block(isBlocked))).toMatchObject({ changes: [] });
    }
  });

  it('a plan of a deletion of a room is refused as the deletion is', async () => {
    const { body } = await world.admin.post<{ room_id: string }>('/_proto/client/v3/createRoom', {
      body: {},
    });
    const requests = [
      { room: '!unknown:test', body: {} },
      { room: 'no-room', body: {} },
      { room: body.room_id, body: { new_room_user_id: '@user:elsewhere' } },
      { room: body.room_id, body: { purge: 'yes' } },
    ];
    for (const version of ['v1', 'v2'])
      for (const { room, body: asked } of requests) {
        const target = `/_service/admin/${version}/rooms/${encodeURIComponent(room)}`;
        const request = { method: 'DELETE', path: target, body: asked };
        const [answer, real] = [await plan(request), await send(request)];
        expect(real.status, target).toBeGreaterThanOrEqual(400);
        expect(answer, target).toMatchObject(pick(real));
      }
  });

  const countIn = ({ changes }: Plan, kind: string) =>
    changes.filter((change) => change.kind === kind).reduce((sum, { count }) => sum + count, 0);

  describe('in a room', () => {
    let owner: Actor;
    let member: Actor;
    let room: string;
    const admin = (rest: string) => `/_service/admin/v1/rooms/${encodeURIComponent(room)}${rest}`;
    const messages = async () => {
      const { body } = await world.admin.get<{
        chunk: readonly { readonly event_id: string; readonly unsigned?: { redacted_because?: object } }[];
      }>(admin('/messages'), { query: { limit: 1_000, dir: 'b' } });
      return body.chunk;
    };
    const idsOfMessages = async () => (await messages()).map(({ event_id }) => event_id);
    const redacted = async () =>
      (await messages()).filter(({ unsigned }) => unsigned?.redacted_because).length;
    const say = async (by: Actor) => {
      const to = path`/_proto/client/v3/rooms/${room}/send/m.room.message/${world.freshName('txn')}`;
      const sent = await by.put<{ event_id: string }>(to, { body: { msgtype: 'm.text', body: 'hello' } });
      return sent.body.event_id;
    };

    beforeEach(async () => {
      [owner, member] = [await world.user(), await world.user()];
      const made = await owner.post<{ room_id: string }>('/_proto/client/v3/createRoom', {
        body: { preset: 'public_chat' },
      });
      room = made.body.room_id;
      await member.post(path`/_proto/client/v3/join/${room}`, { body: {} });
    });

    it.each(['kick', 'ban'])(
      'a plan of a %s equals what it then does, of several users, too',
      async (action) => {
        const [first, second] = [await world.user(), await world.user()];
        await first.post(path`/_proto/client/v3/join/${room}`, { body: {} });
        const order = (body: object) => ({ method: 'POST', path: admin(`/${action}`), body });
        const one = order({ user_id: member.userId });
        const many = order({ user_ids: [first.userId, second.userId, first.userId] });
        const before = await idsOfMessages();
        const plans = [await planned(one), await planned(many)];
        expect(await idsOfMessages()).toEqual(before);
        expect(plans.map((each) => countIn(each, 'memberships'))).toEqual([1, action === 'kick' ? 1 : 2]);
        expect(await send(one)).toMatchObject({ status: 200, body: { changed: true } });
        const { body } = await send(many);
        const result = path`/_service/admin/v1/room_orders/${(body as { task_id: string }).task_id}`;
        await expect
          .poll(() => world.admin.get(result))
          .toMatchObject({ body: { done: countIn(plans[1] as Plan, 'memberships') } });
        const [again, real] = [await plan(one), await send(one)];
        if (action === 'kick') expect(again).toMatchObject(pick(real));
        else expect(again).toMatchObject({ status: 200, body: { changes: [] } });
      },
    );

    it('a plan of a redaction of events, and of the events of a user, equals what it then does', async () => {
      const events = [await say(member), await say(member), await say(owner)];
      const one = { method: 'POST', path: admin('/redact'), body: { event_id: events[0] } };
      expect(countIn(await planned(one), 'events')).toBe(1);
      expect(await redacted()).toBe(0);
      await send(one);
      expect(await redacted()).toBe(1);
      expect(await planned(one)).toMatchObject({ changes: [] });
      const some = { method: 'POST', path: admin('/redact'), body: { event_ids: events.slice(0, 2) } };
      expect(countIn(await planned(some), 'events')).toBe(1);
      const all = {
        method: 'POST',
        path: path`/_service/admin/v1/user/${member.userId}/redact`,
        body: { rooms: [] },
      };
      const first = await planned(all);
      expect(first).toMatchObject({ irreversible: ['contents'] });
      await send(all);
      await expect.poll(redacted).toBe(1 + countIn(first, 'events'));
      await expect.poll(() => planned(all)).toMatchObject({ changes: [] });
    });

    it('a plan of a purge of the history equals what it then does', async () => {
      for (const by of [owner, member, owner]) await say(by);
      const kept = await say(owner);
      const before = await idsOfMessages();
      const target = path`/_service/admin/v1/purge_history/${room}/${kept}`;
      const of = (local: boolean) => ({ method: 'POST', path: target, body: { delete_local_events: local } });
      expect(await planned(of(false))).toMatchObject({ irreversible: ['history'] });
      const first = await planned(of(true));
      expect(countIn(first, 'events')).toBe(3);
      expect(await idsOfMessages()).toEqual(before);
      const { body } = await send(of(true));
      const { purge_id: id } = body as { purge_id: string };
      await expect
        .poll(() => world.admin.get(path`/_service/admin/v1/purge_history_status/${id}`))
        .toMatchObject({ body: { status: 'complete' } });
      expect(await idsOfMessages()).toEqual([kept]);
      expect(await planned(of(true))).toMatchObject({ changes: [] });
    });

    it('a plan of what is refused in a room is refused as it is', async () => {
      const stranger = await world.user();
      const requests: readonly Planned[] = [
        { method: 'POST', path: admin('/kick'), body: { user_id: stranger.userId } },
        { method: 'POST', path: admin('/kick'), body: {} },
        { method: 'POST', path: admin('/ban'), body: { user_ids: ['nobody'] } },
        { method: 'POST', path: admin('/redact'), body: { event_id: '$unknown' } },
        { method: 'POST', path: path`/_service/admin/v1/purge_history/${room}/${'$unknown'}` },
        { method: 'POST', path: path`/_service/admin/v1/purge_history/${room}`, body: {} },
        { method: 'POST', path: path`/_service/admin/v1/user/${'no-user'}/redact`, body: { rooms: [] } },
        { method: 'DELETE', path: path`/_service/admin/v1/rooms/${'!unknown:test'}/forward_extremities` },
      ];
      for (const request of requests) {
        const [answer, real] = [await plan(request), await send(request)];
        expect(real.status, request.path).toBeGreaterThanOrEqual(400);
        expect(answer, request.path).toMatchObject(pick(real));
      }
    });
  });

  describe('of media', () => {
    const V1 = '/_service/admin/v1';
    let user: Actor;
    let ids: readonly string[];
    const mediaOf = async () => {
      const { body } = await world.admin.get<{
        media: readonly { readonly media_id: string; readonly quarantined_by: string | null }[];
      }>(path`/_service/admin/v1/users/${user.userId}/media`);
      return body.media;
    };
    const quarantined = async () =>
      (await mediaOf()).filter((medium) => medium.quarantined_by !== null).length;

    beforeEach(async () => {
      user = await world.user();
      const stored: string[] = [];
      // The last two have the same content.
      for (const content of ['one', 'two', 'two']) {
        const { body } = await user.post<{ content_uri: string }>('/_proto/media/v3/upload', {
          rawBody: `${user.userId} ${content}`,
        });
        stored.push(body.content_uri.split('/').at(-1) ?? '');
      }
      ids = stored;
      await world.whenIdle();
    });

    it('a plan of a quarantine equals what it then does', async () => {
      const one = {
        method: 'POST',
        path: `${V1}${path`/media/quarantine/${world.serverName}/${ids[1] ?? ''}`}`,
      };
      expect(countIn(await planned(one), 'media')).toBe(2);
      expect(await quarantined()).toBe(0);
      expect(await send(one)).toMatchObject({ status: 200 });
      expect(await quarantined()).toBe(2);
      expect(await planned(one)).toMatchObject({ changes: [] });
      const all = { method: 'POST', path: `${V1}${path`/user/${user.userId}/media/quarantine`}` };
      const first = await planned(all);
      expect(await send(all)).toMatchObject({
        status: 200,
        body: { num_quarantined: countIn(first, 'media') },
      });
      expect(await quarantined()).toBe(3);
    });

    it('a plan of a deletion equals what it then does', async () => {
      const one = { method: 'DELETE', path: `${V1}${path`/media/${world.serverName}/${ids[0] ?? ''}`}` };
      const all = { method: 'DELETE', path: `${V1}${path`/users/${user.userId}/media`}` };
      expect(await planned(one)).toMatchObject({ irreversible: ['media'], sample: [{ kind: 'media' }] });
      expect(countIn(await planned(all), 'media')).toBe(3);
      expect(await mediaOf()).toHaveLength(3);
      expect(await send(one)).toMatchObject({ status: 200, body: { total: 1 } });
      const [answer, real] = [await plan(one), await send(one)];
      expect(answer).toMatchObject(pick(real));
      const order = { method: 'POST', path: `${V1}/media_orders/delete`, body: { user_id: user.userId } };
      expect(countIn(await planned(order), 'media')).toBe(2);
      const left = await planned(all);
      expect(await send(all)).toMatchObject({ status: 200, body: { total: countIn(left, 'media') } });
      expect(await mediaOf()).toEqual([]);
      expect(await planned(all)).toMatchObject({ changes: [] });
    });

    it('a plan of a removal of known-bad hashes equals what it then does', async () => {
      const source = world.freshName('source');
      const hashes = ['a', 'b'].map((digit) => digit.repeat(64));
      await world.admin.post(`${V1}/media/hashes`, {
        body: { sha256: hashes, source },
      });
      const one = { method: 'DELETE', path: `${V1}${path`/media/hashes/${hashes[0] ?? ''}`}` };
      const all = { method: 'DELETE', path: `${V1}/media/hashes?source=${source}` };
      expect(countIn(await planned(all), 'hashes')).toBe(2);
      expect(countIn(await planned(one), 'hashes')).toBe(1);
      expect(await send(one)).toMatchObject({ body: { deleted: 1 } });
      const [answer, real] = [await plan(one), await send(one)];
      expect(answer).toMatchObject(pick(real));
      expect(countIn(await planned(all), 'hashes')).toBe(1);
      expect(await send(all)).toMatchObject({ body: { deleted: 1 } });
    });
  });

  it('a plan does not take the key of the request, and needs the scope of the request only', async () => {
    const user = await world.user();
    const request = { method: 'POST', path: deactivation(user.userId), body: {} };
    const headers = { 'idempotency-key': `key-${user.userId}` };
    const options = { token: world.admin.token, headers };
    expect(await world.http('POST', PLANS, { ...options, body: request })).toMatchObject({ status: 200 });
    const { body } = await world.admin.post('/_service/admin/v1/tokens', {
      body: { name: user.localpart, scopes: ['users:write'] },
    });
    const { token } = body as { readonly token: string };
    expect(await plan(request, token)).toMatchObject({ status: 200, body: { dry_run: true } });
    expect(await plan({ ...request, body: { erase: true } }, token)).toMatchObject(
      refusal(403, 'M_FORBIDDEN'),
    );
    const done = await world.http('POST', request.path, { ...options, body: {} });
    expect(done).toMatchObject({ status: 200, body: { id_server_unbind_result: 'success' } });
    expect(done.headers['idempotent-replayed']).toBeUndefined();
  });

  inOneProcess(() => {
    describe.each(plannedEndpoints.map((endpoint) => [endpoint.method.name, endpoint] as const))(
      '%s',
      (_, { verb, template }) => {
        it('has a planner', async () => {
          const { userId } = await world.user();
          const target = fill(template, (name) => (name === 'user_id' ? userId : `!${name}:test`));
          const { status } = await plan({ method: verb, path: target, body: {} });
          expect(status).toBeLessThan(500);
        });
      },
    );
  });
});

/** The status and the body of a refusal. */
function pick({ status, body }: Reply) {
  return { status, body };
}
