import { Code, ConnectError, createClient, type HandlerContext } from '@connectrpc/connect';
import { refuse, toRefusal } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { AccountCreatedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type DownloadRequest, MediaService } from '@steward/proto/steward/media/v1/media_pb.ts';
import { EventReportService } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { TimelineService } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { createLocalTransport, headers, type Requester, type Route, route } from '@steward/rpc';
import { identifyAs } from '@steward/rpc/testing';
import { Unavailable } from '@steward/store';
import { describe, expect, it } from 'vitest';
import { type End, type Entry, entryId } from './entry.ts';
import { audit } from './interceptors.ts';
import { recordCall } from './record-call.ts';
import { reportEvent } from './report-event.ts';

const ADMIN: Requester = {
  userId: '@root:test',
  owner: '@root:test',
  deviceId: undefined,
  tokenId: 'root',
  admin: true,
  guest: false,
  shadowBanned: false,
  suspended: false,
};

/** Calls a method with side effects, and returns what was recorded and done, in order. */
async function called(
  work: () => Promise<object>,
  options: { readonly caller?: Partial<Requester> | null; readonly begin?: () => Promise<void> } = {},
) {
  const { caller = {}, begin = async () => {} } = options;
  const seen: string[] = [];
  const { outcomes, requests } = audit({
    newId: () => ({ id: entryId(0, 0, systemRandom), ts: 0 }),
    fingerprint: () => expect.unreachable(),
    async begin({ actor, action, targets }: Entry) {
      await begin();
      seen.push(`begin ${actor} ${action} ${targets.join()}`);
    },
    extend: async (entry) => entry,
    async end(_, { outcome, status }: End) {
      seen.push(`end ${outcome} ${status}`);
    },
    async recordRead() {},
    async recordReadOnce() {},
    recordRefusal({ actor }: Entry, { status }: End) {
      seen.push(`refuse ${actor} ${status}`);
    },
  });
  const unused = async () => ({});
  const served = route(EventReportService, {
    reportEvent: unused,
    listEventReports: unused,
    getEventReport: unused,
    async deleteEventReport() {
      seen.push('work');
      return work();
    },
  });
  const transport = createLocalTransport([served], {
    interceptors: [outcomes, identifyAs(caller ? { ...ADMIN, ...caller } : undefined), requests],
  });
  const client = createClient(EventReportService, transport);
  const onHeader = (header: Headers) => {
    if (header.has(headers.position)) seen.push(`position ${header.get(headers.position)?.slice(0, 22)}`);
  };
  await client.listEventReports({}, { onHeader }).catch(() => {});
  await client.deleteEventReport({ reportId: 7n }, { onHeader }).catch(() => {});
  return seen;
}

const BEGIN = 'begin @root:test moderation.delete_event_report 7';

it('records a call with side effects before it is carried out, and then its outcome', async () => {
  const position = 'position 000000000000000-000000';
  expect(await called(async () => ({}))).toEqual([BEGIN, 'work', 'end ok 200', position]);
  const refused = async () => {
    throw refuse.notFound('gone');
  };
  expect(await called(refused)).toEqual([BEGIN, 'work', 'end refused 404']);
  const failed = async () => {
    throw new Error('broken');
  };
  expect(await called(failed)).toEqual([BEGIN, 'work', 'end failed 500']);
});

it('records no outcome of an aborted call', async () => {
  const late = async () => {
    throw new ConnectError('late', Code.DeadlineExceeded);
  };
  expect(await called(late)).toEqual([BEGIN, 'work']);
});

it('carries out no call that cannot be recorded', async () => {
  const begin = async () => {
    throw new Unavailable('The store is away');
  };
  expect(await called(async () => ({}), { begin })).toEqual([]);
});

it('records the refusal of an identified caller', async () => {
  const caller = { userId: '@a:test', owner: '@a:test', admin: false };
  expect(await called(async () => ({}), { caller })).toEqual(['refuse @a:test 403']);
  expect(await called(async () => ({}), { caller: null })).toEqual([]);
});

it('makes the event of a call that succeeded, of the reported type, and names it from the beginning', async () => {
  const seen: unknown[] = [];
  const { outcomes, requests } = audit({
    newId: () => ({ id: entryId(0, 0, systemRandom), ts: 0 }),
    fingerprint: () => expect.unreachable(),
    begin: async ({ eventType }: Entry) => void seen.push(eventType),
    extend: async (entry) => entry,
    end: async ({ eventType }: Entry, { outcome, event }: End) => void seen.push([eventType, outcome, event]),
    async recordRead() {},
    async recordReadOnce() {},
    recordRefusal() {},
  });
  const changes = { displayname: 'Alice', password: 'secret' };
  const account = { ...changes, present: { paths: ['displayname', 'password', 'user_id'] } };
  const served = route(AccountService, {
    async putUser({ userId, admin }: { userId: string; admin?: boolean }, context: HandlerContext) {
      if (admin) throw new Error('broken');
      if (userId === '@new:test') reportEvent(context, AccountCreatedSchema, {});
      return {};
    },
  } as never);
  const transport = createLocalTransport([served], {
    interceptors: [outcomes, identifyAs(ADMIN), requests],
  });
  const client = createClient(AccountService, transport);
  await client.putUser({ userId: '@a:test', ...account });
  await client.putUser({ userId: '@new:test', ...account });
  await client.putUser({ userId: '@a:test', admin: true }).catch(() => {});
  const changed = { user_id: '@a:test', changed: ['displayname', 'password'] };
  expect(seen).toEqual([
    'account.changed',
    ['account.changed', 'ok', { type: 'account.changed', dataJson: JSON.stringify(changed) }],
    'account.changed',
    ['account.changed', 'ok', { type: 'account.created', dataJson: '{"user_id":"@new:test"}' }],
    'account.changed',
    ['account.changed', 'failed', undefined],
  ]);
});

/** A transport to methods of the client API and of administrators, and what was recorded and done, in order. */
function served(options: {
  readonly caller: Partial<Requester>;
  readonly requireReason?: readonly Scope[];
  readonly recordRead?: () => Promise<void>;
}) {
  const seen: string[] = [];
  const entries: Entry[] = [];
  const { outcomes, impersonations, requests } = audit(
    {
      newId: () => ({ id: entryId(0, 0, systemRandom), ts: 0 }),
      fingerprint: () => expect.unreachable(),
      async begin(entry: Entry) {
        entries.push(entry);
        seen.push(`begin ${entry.action} ${entry.targets.join()}`);
      },
      async extend(entry: Entry, targets) {
        seen.push(`extend ${entry.action} ${targets.join()}`);
        return { ...entry, targets: [...entry.targets, ...targets] };
      },
      async end({ action }: Entry, { outcome, status, targets }: End) {
        seen.push(`end ${action} ${outcome} ${status} ${targets.join()}`);
      },
      async recordRead({ action, targets }: Entry, { status }: End) {
        await options.recordRead?.();
        seen.push(`read ${action} ${targets.join()} ${status}`);
      },
      async recordReadOnce(session, { action, targets }: Entry) {
        await options.recordRead?.();
        seen.push(`read ${session} ${action} ${targets.join()}`);
      },
      recordRefusal({ action, targets }: Entry, { status }: End) {
        seen.push(`refuse ${action} ${targets.join()} ${status}`);
      },
    },
    { requireReason: options.requireReason ?? [] },
  );
  const routes = [
    route(EventService, {
      async sendEvent() {
        seen.push('work');
        return { eventId: '$new' };
      },
    } as never),
    route(TimelineService, {
      async listMessages({ dir }: { dir: string }) {
        if (dir === 'f') throw refuse.forbidden('not here');
        return {};
      },
    } as never),
    route(AccountService, {
      async deactivate({ erase }: { erase?: boolean }, context: HandlerContext) {
        if (erase) await recordCall(context, { targets: ['@known:test', '!late:test'] });
        seen.push('work');
        return {};
      },
    } as never),
    route(MediaService, {
      async upload(sent: AsyncIterable<unknown>) {
        for await (const _ of sent) seen.push('piece');
        return { contentUri: 'mxc://test/new' };
      },
      async *download({ mediaId, adminUnsafelyBypassQuarantine }: DownloadRequest, context: HandlerContext) {
        if (mediaId === 'none') throw refuse.notFound('there is none');
        if (adminUnsafelyBypassQuarantine) await recordCall(context, { scope: Scope.MEDIA_WRITE });
        if (mediaId === 'lost') throw refuse.notFound('its bytes are gone');
        yield { head: { status: 206 } };
        yield { data: new Uint8Array(1) };
        seen.push('sent');
      },
    } as never),
  ] as Route[];
  const transport = createLocalTransport(routes, {
    interceptors: [outcomes, identifyAs({ ...ADMIN, ...options.caller }), impersonations, requests],
  });
  return {
    seen,
    entries,
    client: <S extends Route['service']>(service: S) => createClient(service, transport),
  };
}

const AS_USER = { userId: '@a:test', admin: false, tokenId: 'session' };
const pieces = async function* () {
  yield { filename: 'a name' };
  yield { data: new Uint8Array(1) };
};
const drained = async (messages: AsyncIterable<unknown>) => {
  for await (const _ of messages);
};

describe('an administrator who acts as another user', () => {
  it('an administrator who acts as another user is recorded with each change before it, and with the ids that the answer adds', async () => {
    const { seen, entries, client } = served({ caller: AS_USER });
    const content = '{"body":"private"}';
    await client(EventService).sendEvent({ roomId: '!r:test', eventType: 't', txnId: '1', content });
    await client(MediaService).upload(pieces());
    expect(seen).toEqual([
      ...['begin room.send_event !r:test', 'work', 'end room.send_event ok 200 $new'],
      ...['begin media.upload ', 'piece', 'piece', 'end media.upload ok 200 mxc://test/new'],
    ]);
    expect(entries).toMatchObject([
      {
        actor: '@root:test',
        actingAs: '@a:test',
        request: '{"room_id":"!r:test","event_type":"t","txn_id":"1"}',
      },
      { actor: '@root:test', actingAs: '@a:test', request: '{}' },
    ]);
  });

  it('an administrator who acts as another user is recorded with a read before it is answered, and with refusals as attempts', async () => {
    const { seen, client } = served({ caller: AS_USER });
    await client(TimelineService).listMessages({ roomId: '!r:test', dir: 'b' });
    await client(TimelineService)
      .listMessages({ roomId: '!r:test', dir: 'f' })
      .catch(() => {});
    await drained(client(MediaService).download({ serverName: 'test', mediaId: 'm' }));
    const none = client(MediaService).download({ serverName: 'test', mediaId: 'none' });
    await drained(none).catch(() => {});
    expect(seen).toEqual([
      'read session room.list_messages !r:test',
      'refuse room.list_messages !r:test 403',
      ...['read session media.download m', 'sent'],
      'refuse media.download none 404',
    ]);
  });

  it('receives nothing of a read that cannot be recorded', async () => {
    const recordRead = () => Promise.reject(refuse.unavailable('away'));
    const { seen, client } = served({ caller: { ...AS_USER, admin: true }, recordRead });
    const bypass = { mediaId: 'm', adminUnsafelyBypassQuarantine: 'true' };
    await expect(drained(client(MediaService).download(bypass))).rejects.toThrow('away');
    await expect(client(TimelineService).listMessages({ dir: 'b' })).rejects.toThrow('away');
    await expect(drained(client(MediaService).download({ mediaId: 'm' }))).rejects.toThrow('away');
    expect(seen).toEqual([]);
  });
});

it('does not record what users do on the client API', async () => {
  const { seen, client } = served({ caller: { ...AS_USER, owner: '@a:test' } });
  await client(EventService).sendEvent({ roomId: '!r:test' });
  await client(TimelineService).listMessages({ dir: 'b' });
  await client(MediaService).upload(pieces());
  await drained(client(MediaService).download({ mediaId: 'm' }));
  expect(seen).toEqual(['work', 'piece', 'piece', 'sent']);
});

it('records a stream when its handler reports it, with the status of its head', async () => {
  const { seen, client } = served({ caller: {} });
  await drained(client(MediaService).download({ mediaId: 'm' }));
  const bypass = { mediaId: 'm', adminUnsafelyBypassQuarantine: 'true' };
  await drained(client(MediaService).download(bypass));
  const none = { ...bypass, mediaId: 'lost' };
  await drained(client(MediaService).download(none)).catch(() => {});
  expect(seen).toEqual(['sent', ...['read media.download m 206', 'sent'], 'refuse media.download lost 404']);
});

it('records further targets of a change before it is made', async () => {
  const { seen, client } = served({ caller: {} });
  await client(AccountService).deactivate({ userId: '@known:test', erase: true });
  expect(seen).toEqual([
    'begin user.deactivate @known:test',
    'extend user.deactivate @known:test,!late:test',
    'work',
    'end user.deactivate ok 200 @known:test,!late:test',
  ]);
});

describe('a scope that requires a reason', () => {
  const requireReason = [Scope.USERS_ERASE, Scope.MEDIA_WRITE];
  const missing = { status: 400, errcode: 'M_MISSING_PARAM' };

  it('refuses a call without one before it is carried out', async () => {
    const { seen, entries, client } = served({ caller: {}, requireReason });
    const call = (erase: boolean, reason?: string) =>
      client(AccountService).deactivate(
        { userId: '@a:test', erase },
        { headers: reason === undefined ? {} : { [headers.reason]: encodeURIComponent(reason) } },
      );
    await expect(call(true).catch(toRefusal)).resolves.toMatchObject(missing);
    expect(seen).toEqual(['refuse user.deactivate @a:test 400']);
    await call(false);
    await call(true, 'Lösung 4711');
    expect(entries.map(({ reason }) => reason)).toEqual(['', 'Lösung 4711']);
  });

  it('refuses a reported call as well', async () => {
    const { seen, client } = served({ caller: {}, requireReason });
    const download = client(MediaService).download({ adminUnsafelyBypassQuarantine: 'true' });
    await expect(drained(download).catch(toRefusal)).resolves.toMatchObject(missing);
    expect(seen).toEqual([]);
  });
});
