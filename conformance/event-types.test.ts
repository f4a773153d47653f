import { randomBytes } from 'node:crypto';
import { eventTypes } from '@steward/feed';
import { type Actor, path } from '@steward/testing';
import { TOTP } from 'otpauth';
import { beforeAll, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { chapter } from './chapter.ts';
import { uploadFile } from './media-files.ts';
import { served, servedOnce } from './served.ts';
import { newCrossSigning } from './signing-key.ts';

const ADMIN = '/_service/admin';
const V1 = `${ADMIN}/v1`;
const V2 = `${ADMIN}/v2`;
const CLIENT = '/_proto/client/v3';
const FEED = `${V1}/events`;

/** What occurs in every secret of a request of these tests. */
const SECRET = 'S3CRET';

/** The methods that no call on every server of the tests carries out. */
const NOT_CALLED: ReadonlySet<string> = new Set([
  // These need a configuration, a fault or another server.
  'DropDeadLetter',
  'MoveMedia',
  'PutServerNotice',
  'ReplayDeadLetter',
  'ResetConnection',
  'SendServerNotice',
  'SetValidity',
  // Those with a password are not recorded, see `provider-sign-in.test.ts` for the others.
  'Login',
  // These need an authenticator, see `passkeys.test.ts`.
  'AddPasskey',
  'BeginPasskey',
  'RemoveAccountPasskey',
  'RemovePasskey',
  'RenamePasskey',
  // These need a receiver, and make no event.
  'ReplayWebhookDelivery',
  'TestWebhook',
]);

interface Event {
  readonly id: string;
  readonly position: number;
  readonly type: string;
  readonly actor: string | null;
  readonly request_id: string | null;
  readonly task_id?: string;
  readonly targets: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly events: readonly Event[];
  readonly next_after: number;
  readonly latest: number;
}

chapter('Types of events', (world) => {
  let root: Actor;
  let first: number;
  let requests = 0;
  beforeAll(async () => {
    root = await world.user('root', { admin: true });
    first = (await world.admin.get<Page>(FEED, { query: { limit: 0 } })).body.latest;
  });

  /** The events since the chapter began. */
  const events = async () => {
    const found: Event[] = [];
    for (let after = first; ; ) {
      const { status, body } = await world.admin.get<Page>(FEED, { query: { after, limit: 1_000 } });
      expect(status).toBe(200);
      found.push(...body.events);
      if (body.next_after === after || body.next_after >= body.latest) return found;
      after = body.next_after;
    }
  };
  /** The events of some requests, once each of them has one. */
  const eventsOf = async (ids: readonly string[], nameOf: (id: string) => string | undefined) => {
    const ofRequests = async () => {
      const all = await events();
      return new Map(ids.map((id) => [id, all.filter(({ request_id: request }) => request === id)]));
    };
    await expect
      .poll(
        async () =>
          [...(await ofRequests())].filter(([, made]) => made.length === 0).map(([id]) => nameOf(id)),
        {
          timeout: 30_000,
        },
      )
      .toEqual([]);
    return ofRequests();
  };
  const freshId = () => `event-types-${root.localpart}-${++requests}`;
  const room = async (user: Actor) =>
    (await user.post<{ room_id: string }>(`${CLIENT}/createRoom`, { body: { preset: 'public_chat' } })).body
      .room_id;

  it('types of events are made by administrative calls: one for each, of the declared type and without its secrets', async () => {
    const expected = new Map<
      string,
      { readonly name: string; readonly type: string; readonly data: object }
    >();
    const called = new Set<string>();
    const secrets: string[] = [SECRET];
    /** Sends a request that makes an event. */
    const send = async (
      verb: string,
      target: string,
      type: string,
      data: object,
      body: unknown = {},
      by: Pick<Browser, 'send'> = {
        send: (v, p, request) => world.http(v, p, { token: root.token, ...request }),
      },
    ) => {
      const id = freshId();
      const reply = await by.send(verb, target, { headers: { 'x-request-id': id }, body });
      expect(reply.status, `${verb} ${target} ${reply.text}`).toBeLessThan(300);
      expected.set(id, { name: `${verb} ${target}`, type, data });
      called.add(methodAt(verb, target));
      for (const key of ['token', 'access_token', 'secret'] as const)
        if (typeof reply.body[key] === 'string') secrets.push(reply.body[key]);
      if (Array.isArray(reply.body.recovery_codes)) secrets.push(...reply.body.recovery_codes);
      return reply.body;
    };

    // Accounts.
    const user = await world.user('victim');
    const { userId } = user;
    const own = { user_id: userId };
    const newId = world.userId(world.freshName('new'));
    const put = path`/_service/admin/v2/users/${newId}`;
    const threepids = [{ medium: 'email', address: `${SECRET}@example.org` }];
    const account = { password: `${SECRET}-1`, threepids };
    await send('PUT', put, 'account.created', { user_id: newId }, account);
    const changes = { password: `${SECRET}-2`, displayname: `${SECRET} name`, locked: true };
    const changed = expect.arrayContaining(['password', 'displayname', 'locked']);
    await send('PUT', put, 'account.changed', { user_id: newId, changed, locked: true }, changes);
    await send(
      'PUT',
      put,
      'account.changed',
      { user_id: newId, changed: ['locked'], locked: false },
      { locked: false },
    );
    await send('PUT', put, 'account.deactivated', { user_id: newId }, { deactivated: true });
    const back = { deactivated: false, password: `${SECRET}-3` };
    const of = expect.arrayContaining(['password', 'deactivated']);
    await send('PUT', put, 'account.reactivated', { user_id: newId, changed: of }, back);
    const deactivate = path`/_service/admin/v1/deactivate/${newId}`;
    await send('POST', deactivate, 'account.deactivated', { user_id: newId, erased: true }, { erase: true });
    const reset = { new_password: `${SECRET}-4`, logout_devices: false };
    const resetPath = path`/_service/admin/v1/reset_password/${userId}`;
    await send('POST', resetPath, 'account.password_reset', { ...own, logout_devices: false }, reset);
    const flag = path`/_service/admin/v1/users/${userId}/admin`;
    await send('PUT', flag, 'account.admin_set', { ...own, admin: false }, { admin: false });
    const displayname = path`/_proto/client/v3/profile/${userId}/displayname`;
    const named = { ...own, changed: ['displayname'] };
    await send('PUT', displayname, 'account.changed', named, { displayname: `${SECRET} name` });
    const avatar = path`/_proto/client/v3/profile/${userId}/avatar_url`;
    await send('PUT', avatar, 'account.changed', { ...own, changed: ['avatar_url'] }, { avatar_url: '' });
    for (const part of [displayname, avatar])
      await send('DELETE', part, 'account.changed', { ...own, changed: [] });
    const zone = path`/_proto/client/v3/profile/${userId}/m.tz`;
    await send('PUT', zone, 'account.changed', { ...own, changed: ['profile_fields'] }, { 'm.tz': 'UTC' });
    await send('DELETE', zone, 'account.changed', { ...own, changed: [] });
    const at = (what: string) => `${V1}/users/${encodeURIComponent(userId)}/${what}`;
    await send('POST', at('shadow_ban'), 'account.shadow_banned', own);
    await send('DELETE', at('shadow_ban'), 'account.shadow_ban_lifted', own);
    const suspend = path`/_service/admin/v1/suspend/${userId}`;
    await send('PUT', suspend, 'account.suspended', own, { suspend: true });
    await send('PUT', suspend, 'account.suspension_lifted', own, { suspend: false });
    const limit = { messages_per_second: 3, burst_count: 4 };
    await send('POST', at('override_ratelimit'), 'account.rate_limit_set', { ...own, ...limit }, limit);
    await send('DELETE', at('override_ratelimit'), 'account.rate_limit_cleared', own);
    const features = { msc3881: true };
    const featuresPath = path`/_service/admin/v1/experimental_features/${userId}`;
    const set = { ...own, features, truncated: false };
    await send('PUT', featuresPath, 'account.experimental_features_set', set, { features });
    await send(
      'PUT',
      at('quotas'),
      'account.quotas_set',
      { ...own, changed: ['devices'] },
      { devices: null },
    );
    await user.post(`${CLIENT}/keys/device_signing/upload`, { body: newCrossSigning(userId).body });
    const replace = at('_allow_cross_signing_replacement_without_uia');
    const until = { ...own, updatable_without_uia_before_ms: expect.any(Number) };
    await send('POST', replace, 'account.cross_signing_replacement_allowed', until);
    await send('POST', at('login'), 'account.logged_in_as', own);

    // Devices, sessions, the second factor.
    const devices = `${V2}/users/${encodeURIComponent(userId)}/devices`;
    const device = (name: string) => ({ ...own, device_id: name });
    await send('POST', devices, 'device.created', device('ONE'), { device_id: 'ONE' });
    const name = { display_name: `${SECRET} name` };
    await send(
      'PUT',
      `${devices}/ONE`,
      'device.changed',
      { ...device('ONE'), changed: ['display_name'] },
      name,
    );
    const deleted = { ...own, device_ids: ['ONE'], truncated: false };
    await send('DELETE', `${devices}/ONE`, 'device.deleted', deleted);
    const several = `${V2}/users/${encodeURIComponent(userId)}/delete_devices`;
    const two = { ...own, device_ids: ['TWO', 'ABSENT'], truncated: false };
    await send('POST', several, 'device.deleted', two, { devices: ['TWO', 'ABSENT'] });
    const boss = await world.user('boss', { admin: true, password: `${SECRET} of the boss` });
    const bossOwn = { user_id: boss.userId };
    const session = { ...bossOwn, session_id: expect.any(String) };
    const signIn = { user: boss.userId, password: boss.password };
    const [here, there, elsewhere] = [new Browser(world), new Browser(world), new Browser(world)];
    const sessionOf = async (browser: Browser) => {
      await send('POST', `${V1}/session`, 'admin_session.created', session, signIn, browser);
      return (await browser.send<{ session: { id: string } }>('GET', `${V1}/session`)).body.session.id;
    };
    await sessionOf(here);
    const [second, third] = [await sessionOf(there), await sessionOf(elsewhere)];
    const stepUp = { password: boss.password };
    await send('POST', `${V1}/session/step_up`, 'admin_session.stepped_up', session, stepUp, here);
    const ended = (id: unknown) => ({ ...bossOwn, session_id: id });
    await send('DELETE', `${V1}/sessions/${second}`, 'admin_session.ended', ended(second), {}, here);
    const byOther = path`/_service/admin/v1/users/${boss.userId}/sessions/${third}`;
    await send('DELETE', byOther, 'admin_session.ended', ended(third));
    await send('DELETE', `${V1}/session`, 'admin_session.ended', session, {}, here);
    const totp = `${V1}/me/totp`;
    const enrol = async (who: Actor) => {
      const begun = await who.post<{ secret: string }>(totp, { body: { password: who.password } });
      secrets.push(begun.body.secret);
      const clock = async () => (await who.get<{ server_ts: number }>(totp)).body.server_ts;
      return async (steps: number) =>
        new TOTP({ secret: begun.body.secret }).generate({ timestamp: (await clock()) + steps * 30_000 });
    };
    called.add('BeginTotp');
    const by = (who: Actor) => ({
      send: ((v, p, request) => world.http(v, p, { token: who.token, ...request })) satisfies Browser['send'],
    });
    const code = await enrol(boss);
    await send(
      'POST',
      `${totp}/confirm`,
      'second_factor.enabled',
      bossOwn,
      { totp: await code(0) },
      by(boss),
    );
    const codes = { password: boss.password, totp: await code(1) };
    const renewed = 'second_factor.recovery_codes_renewed';
    const { recovery_codes: left } = await send(
      'POST',
      `${totp}/recovery_codes`,
      renewed,
      bossOwn,
      codes,
      by(boss),
    );
    const removal = { password: boss.password, recovery_code: (left as string[])[0] };
    await send('DELETE', totp, 'second_factor.removed', bossOwn, removal, by(boss));
    const again = await enrol(boss);
    const confirm = { totp: await again(0) };
    await send('POST', `${totp}/confirm`, 'second_factor.enabled', bossOwn, confirm, by(boss));
    await send(
      'DELETE',
      path`/_service/admin/v1/users/${boss.userId}/totp`,
      'second_factor.removed',
      bossOwn,
    );

    // Roles and tokens.
    const role = world.freshName('role');
    const scopes = ['users:read', 'rooms:read'];
    await send(
      'POST',
      `${V1}/roles`,
      'role.created',
      { name: role, scopes, truncated: false },
      { name: role, scopes },
    );
    const description = { description: `${SECRET} text` };
    await send(
      'PUT',
      `${V1}/roles/${role}`,
      'role.changed',
      { name: role, changed: ['description'] },
      description,
    );
    const roles = { ...own, roles: [role], truncated: false };
    await send('PUT', at('roles'), 'account.roles_set', roles, { roles: [role] });
    await send('PUT', at('roles'), 'account.roles_set', { ...roles, roles: [] }, { roles: [] });
    await send('DELETE', `${V1}/roles/${role}`, 'role.deleted', { name: role });
    const team = world.freshName('group');
    const group = await send(
      'POST',
      `${V1}/groups`,
      'group.created',
      { id: expect.any(String), name: team },
      { name: team },
    );
    const ofGroup = { id: group.id };
    const inGroup = path`/_service/admin/v1/groups/${String(group.id)}/members/${user.userId}`;
    await send('PUT', inGroup, 'group.member_added', { ...ofGroup, ...own });
    await send('DELETE', inGroup, 'group.member_removed', { ...ofGroup, ...own });
    const changedGroup = { ...ofGroup, changed: ['description'] };
    await send('PUT', `${V1}/groups/${group.id}`, 'group.changed', changedGroup, description);
    await send('DELETE', `${V1}/groups/${group.id}`, 'group.deleted', ofGroup);
    const program = { name: `${SECRET} name`, scopes: ['users:read'] };
    const made = await send(
      'POST',
      `${V1}/tokens`,
      'automation_token.created',
      { id: expect.any(String) },
      program,
    );
    const token = { id: made.id };
    await send('POST', `${V1}/tokens/${made.id}/rotate`, 'automation_token.rotated', token);
    await send('DELETE', `${V1}/tokens/${made.id}`, 'automation_token.revoked', token);
    const url = 'https://receiver.invalid/';
    const hook = await send('POST', `${V1}/webhooks`, 'webhook.created', { id: expect.any(String) }, { url });
    const ofHook = { id: hook.id };
    const changedUrl = { ...ofHook, changed: ['url'] };
    await send('PUT', `${V1}/webhooks/${hook.id}`, 'webhook.updated', changedUrl, { url });
    await send('POST', `${V1}/webhooks/${hook.id}/rotate_secret`, 'webhook.secret_rotated', ofHook);
    await send('POST', `${V1}/webhooks/${hook.id}/replay`, 'webhook.replay_requested', ofHook, { after: 0 });
    await send('DELETE', `${V1}/webhooks/${hook.id}`, 'webhook.deleted', ofHook);
    const registration = `${SECRET}${world.freshName('token')}`;
    const uses = { uses_allowed: 2 };
    const tokens = `${V1}/registration_tokens`;
    await send('POST', `${tokens}/new`, 'registration_token.created', uses, { token: registration, ...uses });
    const fewer = { uses_allowed: 1 };
    const changedUses = { changed: ['uses_allowed'] };
    await send('PUT', `${tokens}/${registration}`, 'registration_token.changed', changedUses, fewer);
    await send('DELETE', `${tokens}/${registration}`, 'registration_token.deleted', {});

    // Rooms.
    const roomId = await room(user);
    const ofRoom = { room_id: roomId };
    const inRoom = (what: string) => `${V1}/rooms/${encodeURIComponent(roomId)}/${what}`;
    await send('PUT', inRoom('block'), 'room.blocked', ofRoom, { block: true });
    await send('PUT', inRoom('block'), 'room.unblocked', ofRoom, { block: false });
    const member = { ...ofRoom, user_id: root.userId };
    await send('POST', path`/_service/admin/v1/join/${roomId}`, 'room.member_joined', member, {
      user_id: root.userId,
    });
    await send('POST', inRoom('make_room_admin'), 'room.admin_made', member, { user_id: root.userId });
    await send('DELETE', inRoom('forward_extremities'), 'room.forward_extremities_deleted', {
      ...ofRoom,
      deleted: 0,
    });
    // Orders in a room, in the name of its members.
    const ofTarget = { ...ofRoom, user_id: newId };
    const ordered = { user_id: newId, reason: SECRET };
    await send('POST', inRoom('invite'), 'room.member_invited', ofTarget, ordered);
    await send('POST', inRoom('kick'), 'room.member_kicked', ofTarget, ordered);
    await send('POST', inRoom('ban'), 'room.member_banned', ofTarget, ordered);
    await send('POST', inRoom('unban'), 'room.member_unbanned', ofTarget, ordered);
    const topic = { type: 'm.room.topic', content: { topic: SECRET }, reason: SECRET };
    await send('POST', inRoom('state'), 'room.state_set', { ...ofRoom, type: 'm.room.topic' }, topic);
    const noticeSent = { ...ofRoom, event_id: expect.stringMatching(/^\$/) };
    const { event_id } = await send('POST', inRoom('send_notice'), 'room.notice_sent', noticeSent, {
      body: SECRET,
    });
    await send(
      'POST',
      inRoom('redact'),
      'room.event_redacted',
      { ...ofRoom, event_id },
      { event_id, reason: SECRET },
    );
    const many = { ...ofRoom, action: 'ban', count: 1 };
    await send('POST', inRoom('ban'), 'room.order_created', many, { user_ids: [newId], reason: SECRET });
    // Of a user who does not exist: its request makes no event.
    const action = { method: 'PUT', path: '/_service/admin/v1/suspend/{user_id}', body: { suspend: false } };
    const { body: _, ...shown } = action;
    await send(
      'POST',
      `${V1}/bulk`,
      'bulk.created',
      { ...shown, count: 1 },
      { action, users: [world.userId('unknown')] },
    );
    // A space, because an order for all rooms would change those of other chapters.
    const creation_content = { type: 'm.space' };
    const { room_id: space } = (
      await user.post<{ room_id: string }>(`${CLIENT}/createRoom`, { body: { creation_content } })
    ).body;
    for (const action of ['ban', 'unban']) {
      const target = `${V1}${path`/users/${newId}`}/${action}`;
      const data = { user_id: newId, action, space };
      await send('POST', target, 'account.room_order_created', data, { space });
    }
    const other = await room(user);
    const alias = `#${world.freshName('alias')}:${world.serverName}`;
    const directory = path`/_proto/client/v3/directory/room/${alias}`;
    await send('PUT', directory, 'room.alias_created', { room_id: other, alias }, { room_id: other });
    // Of the user, because the creator of an alias needs no administrator's right to delete it.
    const theirs = `#${world.freshName('alias')}:${world.serverName}`;
    const theirPath = path`/_proto/client/v3/directory/room/${theirs}`;
    await user.put(theirPath, { body: { room_id: other } });
    await send('DELETE', theirPath, 'room.alias_deleted', { alias: theirs });
    const listing = path`/_proto/client/v3/directory/list/room/${other}`;
    const visibility = { visibility: 'private' };
    await send('PUT', listing, 'room.listing_set', { room_id: other, ...visibility }, visibility);
    const purge = path`/_service/admin/v1/purge_history/${roomId}`;
    const purged = { ...ofRoom, delete_local_events: false };
    const { event_id: eventId } = (
      await user.put<{ event_id: string }>(path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/1`, {
        body: { msgtype: 'm.text', body: SECRET },
      })
    ).body;
    const upTo = { purge_up_to_ts: Date.now() };
    await send('POST', purge, 'room.history_purge_ordered', purged, upTo);
    await send('POST', `${purge}/${encodeURIComponent(eventId)}`, 'room.history_purge_ordered', purged);
    const redaction = { ...own, rooms: [other], truncated: false };
    const redact = path`/_service/admin/v1/user/${userId}/redact`;
    await send('POST', redact, 'account.redaction_ordered', redaction, { rooms: [other], reason: SECRET });

    // Media.
    const [medium, unwanted] = [await uploadFile(user), await uploadFile(user)];
    const ofServer = { server_name: world.serverName, media_id: medium };
    const media = `${V1}/media`;
    const one = `${encodeURIComponent(world.serverName)}/${medium}`;
    await send('POST', `${media}/quarantine/${one}`, 'media.quarantined', ofServer);
    await send('POST', `${media}/unquarantine/${one}`, 'media.released', ofServer);
    await send('POST', `${media}/protect/${medium}`, 'media.protected', { media_id: medium });
    await send('POST', `${media}/unprotect/${medium}`, 'media.unprotected', { media_id: medium });
    const gone = { server_name: world.serverName, media_id: unwanted, total: 1 };
    await send(
      'DELETE',
      `${media}/${encodeURIComponent(world.serverName)}/${unwanted}`,
      'media.deleted',
      gone,
    );
    const hash = randomBytes(32).toString('hex');
    const counted = { added: 1, updated: 0 };
    await send('POST', `${media}/hashes`, 'media.hashes_added', counted, { sha256: [hash] });
    await send('DELETE', `${media}/hashes/${hash}`, 'media.hashes_removed', { sha256: hash, deleted: 1 });
    const fromList = { source: hash, added: 0, updated: 0 };
    await send('POST', `${media}/hashes/import?source=${hash}`, 'media.hashes_added', fromList);
    await send('DELETE', `${media}/hashes?source=${hash}`, 'media.hashes_removed', {
      source: hash,
      deleted: 0,
    });
    const ofUser = path`/_service/admin/v1/user/${userId}/media/quarantine`;
    await send('POST', ofUser, 'media.quarantined', { ...own, num_quarantined: 1 });
    const quarantineRoom = path`/_service/admin/v1/room/${roomId}/media/quarantine`;
    await send('POST', quarantineRoom, 'media.quarantined', { ...ofRoom, num_quarantined: 0 });
    const trial = { user_id: userId, created_before: 1, dry_run: true };
    for (const order of ['quarantine', 'release', 'protect', 'unprotect', 'delete']) {
      const tried = { order, total: 0, total_bytes: 0, dry_run: true };
      await send('POST', `${V1}/media_orders/${order}`, 'media.order_given', tried, trial);
    }
    await send('DELETE', at('media'), 'media.deleted', { ...own, total: 1 });
    const long = { before_ts: 30_000_000_000 };
    const before = `before_ts=${long.before_ts}`;
    await send('POST', `${media}/delete?${before}`, 'media.deleted', { ...long, total: 0 });
    await send('POST', `${V1}/purge_media_cache?${before}`, 'media.cache_purged', { ...long, deleted: 0 });

    // Reports, tasks, the server.
    await user.post(path`/_proto/client/v3/rooms/${other}/report/${await firstEvent(other)}`, {
      body: { reason: `${SECRET} reason` },
    });
    await user.post(path`/_proto/client/v3/users/${root.userId}/report`, {
      body: { reason: `${SECRET} reason` },
    });
    const { body: inbox } = await world.admin.get<{ reports: readonly { id: string; case_id: string }[] }>(
      `${V1}/reports`,
      { query: { kind: 'event', room_id: other } },
    );
    const { id: reported = '', case_id } = inbox.reports[0] ?? {};
    const reason = `${SECRET} why`;
    const desk = (verb: string) => path`/_service/admin/v1/reports/${reported}/${verb}`;
    const ofCase = { case_id, kind: 'event' };
    const mine = { ...ofCase, assignee: root.userId };
    await send('POST', desk('assign'), 'report.changed', { ...mine, state: 'open' }, { reason });
    await send('POST', desk('triage'), 'report.changed', { ...mine, state: 'triaged' }, { reason });
    await send('POST', desk('unassign'), 'report.changed', { ...ofCase, state: 'triaged' }, { reason });
    await send('POST', desk('escalate'), 'report.changed', { ...ofCase, state: 'escalated' }, { reason });
    const grave = { ...ofCase, state: 'escalated', severity: 'high' };
    await send('POST', desk('severity'), 'report.changed', grave, { severity: 'high', reason });
    await send('POST', desk('notes'), 'report.changed', grave, { text: `${SECRET} note` });
    const dismissed = { outcome: 'dismissed' };
    await send(
      'POST',
      desk('resolve'),
      'report.resolved',
      { ...ofCase, ...dismissed },
      { ...dismissed, reason },
    );
    const reopened = { ...ofCase, state: 'open', severity: 'high' };
    await send('POST', desk('reopen'), 'report.changed', reopened, { reason });
    for (const kind of ['event', 'user'] as const) {
      const reports = `${V1}/${kind}_reports`;
      const { body } = await world.admin.get<Readonly<Record<string, readonly { id: number }[]>>>(reports);
      const report = { report_id: body[`${kind}_reports`]?.[0]?.id };
      await send('DELETE', `${reports}/${report.report_id}`, `${kind}_report.deleted`, report);
    }
    const shut = await room(user);
    const deletion = path`/_service/admin/v2/rooms/${shut}`;
    const order = { room_id: shut, block: true, purge: true };
    const begun = { block: true, purge: true, message: SECRET };
    const { delete_id: taskId } = await send('DELETE', deletion, 'room.deletion_ordered', order, begun);
    const waited = await room(user);
    await send('DELETE', path`/_service/admin/v1/rooms/${waited}`, 'room.deletion_ordered', {
      room_id: waited,
    });
    await send(
      'POST',
      `${V1}/background_updates/enabled`,
      'background_updates.enabled_set',
      { enabled: true },
      { enabled: true },
    );
    const job = { job_name: 'regenerate_directory' };
    await send('POST', `${V1}/background_updates/start_job`, 'background_job.started', job, job);
    await send('POST', `${V1}/audit_log/checkpoints`, 'audit_checkpoint.created', {
      number: expect.any(Number),
    });

    const all = await eventsOf([...expected.keys()], (id) => expected.get(id)?.name);
    for (const [id, { name: request, type, data }] of expected) {
      const found = all.get(id) ?? [];
      // A room that is created in a call would be a second event.
      expect(
        found.map((event) => event.type),
        request,
      ).toEqual([type]);
      expect(found[0]?.data, request).toEqual(data);
    }
    const text = JSON.stringify(await events());
    for (const secret of secrets) expect(text).not.toContain(secret);
    const missing = servedOnce
      .filter(({ rules }) => rules.event.length > 0)
      .map(({ method }) => method.name)
      .filter((method) => !called.has(method) && !NOT_CALLED.has(method));
    expect(missing).toEqual(['RegisterWithSecret', 'CancelTask']);
    await expect
      .poll(async () => (await events()).filter((event) => event.task_id === taskId).map(({ type }) => type))
      .toEqual(expect.arrayContaining(['task.created', 'task.started', 'room.deleted', 'task.completed']));
    for (const event of await events()) {
      expect(eventTypes.has(event.type), event.type).toBe(true);
      expect(event.id).toMatch(/^evt_/);
    }
  });

  it('types of events are made by users: of accounts, rooms and reports, once each', async () => {
    const user = await world.user('reporter');
    const { userId } = user;
    const roomId = await room(user);
    const eventId = await firstEvent(roomId);
    const report = { body: { reason: 'spam' } };
    await user.post(path`/_proto/client/v3/rooms/${roomId}/report/${eventId}`, report);
    await user.post(path`/_proto/client/v3/users/${root.userId}/report`, report);
    await user.post(path`/_proto/client/v3/rooms/${roomId}/report`, report);
    const auth = {
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user: userId },
      password: user.password,
    };
    const { status } = await user.post(`${CLIENT}/account/deactivate`, { body: { auth, erase: true } });
    expect(status).toBe(200);
    const own = async () =>
      (await events())
        .filter(({ actor, targets }) => actor === userId || targets.includes(userId))
        .map(({ type, data }) => [type, data]);
    const id = expect.any(Number);
    const key = expect.stringMatching(/^(?:event|user|room)-\d+$/);
    const expected = [
      ['account.created', { user_id: userId }],
      ['room.created', { room_id: roomId, creator: userId }],
      ['event_report.created', { report_id: id, room_id: roomId, event_id: eventId }],
      ['user_report.created', { report_id: id, user_id: root.userId }],
      ['room_report.created', { report_id: id, room_id: roomId }],
      [
        'report.created',
        { report_id: key, kind: 'event', user_id: userId, room_id: roomId, event_id: eventId },
      ],
      ['report.created', { report_id: key, kind: 'user', user_id: root.userId }],
      ['report.created', { report_id: key, kind: 'room', room_id: roomId }],
      ['account.deactivated', { user_id: userId, erased: true }],
    ];
    await expect.poll(async () => (await own()).length).toBeGreaterThanOrEqual(expected.length);
    expect(await own()).toEqual(expect.arrayContaining(expected));
    expect(await own()).toHaveLength(expected.length);
  });

  /** The event with which a room begins. */
  async function firstEvent(roomId: string): Promise<string> {
    const state = await world.admin.get<{ state: readonly { type: string; event_id: string }[] }>(
      path`/_service/admin/v1/rooms/${roomId}/state`,
    );
    return state.body.state.find(({ type }) => type === 'm.room.create')?.event_id ?? '';
  }
});

/** The name of the method that serves a path. */
function methodAt(verb: string, target: string): string {
  const [plain = ''] = target.split('?');
  const found = served
    .filter((endpoint) => endpoint.verb === verb)
    .toSorted((one, other) => one.template.split('{').length - other.template.split('{').length)
    .find(({ template }) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain));
  return found?.method.name ?? target;
}
