import { create } from '@bufbuild/protobuf';
import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { entryId } from '@steward/audit';
import { systemRandom } from '@steward/kernel';
import { FairSlots } from '@steward/limits';
import { AuditRecordedSchema } from '@steward/proto/steward/event/v1/audit_pb.ts';
import {
  ListAuditLogRequestSchema,
  VerifyAuditLogRequestSchema,
} from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { type Requester, requesterKey } from '@steward/rpc';
import { openCollections } from '@steward/service';
import { openSqliteStore, type Store, Unavailable } from '@steward/store';
import { explain } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NO_RECORD } from '../../core/chain/signing-record.ts';
import { collections } from '../../core/collections.ts';
import type { Deps } from '../../core/deps.ts';
import { createFeedAppender } from '../../core/feed/feed-appender.ts';
import type { NewEvent } from '../../core/feed/feed-event.ts';
import { auditLog } from '../../core/model/audit-entry.ts';
import { onAuditRecorded } from '../../events/on-audit-recorded.ts';
import { listAuditLog } from './list-audit-log.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

const clock = createFakeClock();
let store: Store;
let deps: Deps;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  const log = await store.collection(auditLog);
  deps = { auditLog: log, clock, capabilities: store.capabilities } as unknown as Deps;
});
afterEach(() => store.close());

const record = (entry: string, fields: object = {}) =>
  create(AuditRecordedSchema, {
    entryId: entry,
    action: 'user.deactivate',
    actor: '@root:test',
    tokenKind: 'device',
    targets: ['@a:test'],
    requestJson: '{}',
    outcome: 'unknown',
    ...fields,
  });

it.each(['begun, ended', 'ended, begun', 'begun, begun, ended, ended, begun'])(
  'has one entry with the outcome after any sequence of its facts: %s',
  async (order) => {
    const id = entryId(1, 0, systemRandom);
    const facts = {
      begun: record(id),
      ended: record(id, { outcome: 'ok', status: 200, targets: ['@a:test', '!r'] }),
    };
    for (const one of order.split(', ')) await onAuditRecorded(deps, facts[one as keyof typeof facts], 1);
    expect(await deps.auditLog.find({}).toArray()).toMatchObject([
      { _id: id, ts: 1, outcome: 'ok', status: 200, targets: ['@a:test', '!r'] },
    ]);
  },
);

it('appends the event of a request before its entry, and says when the outcome is not known', async () => {
  const events: NewEvent[] = [];
  let isAvailable = true;
  const feedAppender = {
    append: async (event: NewEvent) => {
      if (!isAvailable) throw new Unavailable('The feed is closed');
      events.push(event);
      return false;
    },
    close: async () => {},
  };
  const made = { eventType: 'account.deactivated', eventDataJson: '{"erased":true}', endedTs: 5n };
  const tell = (id: string, fields: object) =>
    onAuditRecorded({ ...deps, feedAppender }, record(id, { ...made, ...fields }), 1);
  for (const outcome of ['ok', 'failed', 'refused', 'unknown']) await tell(outcome, { outcome });
  expect(events).toMatchObject([
    { id: 'evt_ok', type: 'account.deactivated', time: 5, actor: '@root:test', data: made.eventDataJson },
    {
      id: 'evt_failed',
      type: 'request.unresolved',
      data: '{"action":"user.deactivate","event_type":"account.deactivated","outcome":"failed"}',
    },
  ]);
  isAvailable = false;
  await expect(tell('later', { outcome: 'ok' })).rejects.toThrow(Unavailable);
  expect(await deps.auditLog.findOne({ _id: 'later' })).toBeNull();
});

it('stores entries in the commit of their events, and on their own if one of them is stored already', async () => {
  const opened = await openCollections(store, collections);
  const insertOne = vi.spyOn(opened.auditLog, 'insertOne');
  const flushPositions = async () => {};
  const feed = { ...deps, ...opened, flushPositions, random: systemRandom };
  const feedAppender = createFeedAppender(
    feed,
    () => {},
    () => {},
  );
  const made = { eventType: 'account.deactivated', eventDataJson: '{}', endedTs: 5n };
  const tell = (id: string, outcome: string) =>
    onAuditRecorded({ ...feed, feedAppender }, record(id, { ...made, outcome }), 1);
  await tell('first', 'ok');
  expect(insertOne).toHaveBeenCalledOnce();
  await Promise.all(['a', 'b', 'c'].map((id) => tell(id, 'ok')));
  expect(insertOne).toHaveBeenCalledOnce();
  await tell('d', 'unknown');
  await Promise.all(['d', 'e', 'e', 'a'].map((id) => tell(id, 'ok')));
  const entries = await feed.auditLog.find({}, { sort: { _id: 1 } }).toArray();
  expect(entries.map(({ _id, outcome }) => `${_id} ${outcome}`)).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'first'].map((id) => `${id} ok`),
  );
  const events = await feed.feedEvents.find({}, { sort: { position: 1 } }).toArray();
  expect(events.map(({ _id }) => _id)).toEqual(['first', 'a', 'b', 'c', 'd', 'e'].map((id) => `evt_${id}`));
  expect(events.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
});

it('has a further entry for an outcome that arrives after its entry was sealed', async () => {
  const id = entryId(1, 0, systemRandom);
  await onAuditRecorded(deps, record(id), 1);
  await deps.auditLog.updateOne({ _id: id }, { $set: { 'chain.sealed': true } });
  const ended = record(id, { outcome: 'ok', status: 200 });
  for (const fact of [ended, record(id), ended]) await onAuditRecorded(deps, fact, 1);
  const { entries = [] } = await listAuditLog(deps, create(ListAuditLogRequestSchema, {}));
  expect(entries).toMatchObject([
    { id: `${id}-amended`, outcome: 'ok', status: 200, amends: id },
    { id, outcome: 'unknown' },
  ]);
  const from = `${id}-amended`;
  expect((await listAuditLog(deps, create(ListAuditLogRequestSchema, { from }))).entries).toHaveLength(2);
});

it('accepts the largest times', async () => {
  await onAuditRecorded(deps, record(entryId(1, 0, systemRandom)), 1);
  const list = async (request: object) =>
    (await listAuditLog(deps, create(ListAuditLogRequestSchema, request))).entries?.length;
  const last = 2n ** 63n - 1n;
  expect(await list({ untilTs: last, limit: last })).toBe(1);
  expect(await list({ fromTs: last })).toBe(0);
});

/** The plan of a query that reads one index in order, without sorting. */
const ALONG_AN_INDEX = expect.objectContaining({
  plan: [expect.stringMatching(/^(SEARCH|SCAN) .* INDEX /)],
});

it.each([
  {},
  { actor: '@a:test' },
  { action: 'user.deactivate' },
  { outcome: 'refused' },
  { actor: '@a:test', action: 'user.deactivate' },
  { actor: '@a:test', outcome: 'refused' },
  { action: 'user.deactivate', outcome: 'refused' },
  { actor: '@a:test', action: 'user.deactivate', outcome: 'refused' },
])('finds entries by an index: %j', (filter) => {
  const options = { sort: { _id: -1 }, limit: 10 } as const;
  expect(explain(deps.auditLog, filter, options)).toEqual(ALONG_AN_INDEX);
  const within = { ...filter, _id: { $lte: '2', $gte: '1' } };
  expect(explain(deps.auditLog, within, options)).toEqual(ALONG_AN_INDEX);
});

it.each([
  {},
  { actor: '@a:test' },
  { actor: '@a:test', action: 'user.deactivate', outcome: 'refused', _id: { $lte: '2', $gte: '1' } },
])('finds what is about one thing in an index, also with %j', (filter) => {
  const options = { sort: { _id: -1 }, limit: 10 } as const;
  const { plan } = explain(deps.auditLog, { targets: '@a:test', ...filter }, options);
  expect(plan).toEqual([expect.stringMatching(/COVERING INDEX moderation\.audit_log\/list_of_target/)]);
});

it('finds the entries of a request by an index', () => {
  const options = { sort: { _id: -1 }, limit: 10 } as const;
  const { plan } = explain(deps.auditLog, { request_id: 'a', _id: { $lte: '2', $gte: '1' } }, options);
  expect(plan).toEqual([expect.stringMatching(/INDEX moderation\.audit_log\/list_of_request/)]);
});

it('verifies one part at a time', async () => {
  const verifySlots = new FairSlots({ slots: 1, maxWaitingPerKey: 1 });
  let running = 0;
  const auditLogOf = await store.collection(auditLog);
  const counting = {
    findOne: async () => {
      expect(++running).toBe(1);
      return null;
    },
    find: (...args: Parameters<typeof auditLogOf.find>) => {
      running--;
      return auditLogOf.find(...args);
    },
  };
  const own = {
    ...(await openCollections(store, collections)),
    auditLog: counting,
    clock,
    signingRecord: NO_RECORD,
    verifySlots,
  };
  const verify = (owner: string) =>
    verifyAuditLog(own as unknown as Deps, create(VerifyAuditLogRequestSchema, {}), {
      values: createContextValues().set(requesterKey, { owner } as Requester),
    } as HandlerContext);
  const outcomes = await Promise.allSettled(['@a:test', '@a:test', '@a:test', '@b:test'].map(verify));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});
