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

/** Calls a method that changes something, and tells in which order what was recorded and done. */
async function called(
  work: () => Promise<object>,
  options: { readonly caller?: Partial<Requester> | null; readonly order?: () => Promise<void> } = {},
) {
  const { caller = {}, order = async () => {} } = options;
  const seen: string[] = [];
  const { outcomes, orders } = audit({
    newId: () => ({ id: entryId(0, 0, systemRandom), ts: 0 }),
    async order({ actor, action, targets }: Entry) {
      await order();
      seen.push(`order ${actor} ${action} ${targets.join()}`);
    },
    async end(_, { outcome, status }: End) {
      seen.push(`end ${outcome} ${status}`);
    },
    refuse({ actor }: Entry, { status }: End) {
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
    interceptors: [outcomes, identifyAs(caller ? { ...ADMIN, ...caller } : undefined), orders],
  });
  const client = createClient(EventReportService, transport);
  await client.listEventReports({}).catch(() => {});
  await client.deleteEventReport({ reportId: 7n }).catch(() => {});
  return seen;
}

const ORDER = 'order @root:test moderation.delete_event_report 7';

it('records a call before it is carried out, and then what became of it; and no reading', async () => {
  expect(await called(async () => ({}))).toEqual([ORDER, 'work', 'end ok 200']);
  const refused = async () => {
    throw refuse.notFound('gone');
  };
  expect(await called(refused)).toEqual([ORDER, 'work', 'end refused 404']);
  const failed = async () => {
    throw new Error('broken');
  };
  expect(await called(failed)).toEqual([ORDER, 'work', 'end failed 500']);
});

it('does not know what became of a call that was given up', async () => {
  const late = async () => {
    throw new ConnectError('late', Code.DeadlineExceeded);
  };
  expect(await called(late)).toEqual([ORDER, 'work']);
});

it('carries nothing out that cannot be recorded', async () => {
  const order = async () => {
    throw new Unavailable('The store is away');
  };
  expect(await called(async () => ({}), { order })).toEqual([]);
});

it('records who is not admitted, if it is known who that is', async () => {
  const caller = { userId: '@a:test', owner: '@a:test', admin: false };
  expect(await called(async () => ({}), { caller })).toEqual(['refuse @a:test 403']);
  expect(await called(async () => ({}), { caller: null })).toEqual([]);
});
