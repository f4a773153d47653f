import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { EventReportService } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { createLocalTransport, type Requester, route } from '@steward/rpc';
import { identifyAs } from '@steward/rpc/testing';
import { Unavailable } from '@steward/store';
import { expect, it } from 'vitest';
import { type End, type Entry, entryId } from './entry.ts';
import { audit } from './interceptors.ts';

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
    async begin({ actor, action, targets }: Entry) {
      await begin();
      seen.push(`begin ${actor} ${action} ${targets.join()}`);
    },
    async end(_, { outcome, status }: End) {
      seen.push(`end ${outcome} ${status}`);
    },
    async recordRead(session, { action }: Entry, { outcome }: End) {
      seen.push(`read ${session} ${action} ${outcome}`);
    },
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
  await client.listEventReports({}).catch(() => {});
  await client.deleteEventReport({ reportId: 7n }).catch(() => {});
  return seen;
}

const BEGIN = 'begin @root:test moderation.delete_event_report 7';

it('records a call with side effects before it is carried out, and then its outcome', async () => {
  expect(await called(async () => ({}))).toEqual([BEGIN, 'work', 'end ok 200']);
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
