import { create } from '@bufbuild/protobuf';
import { entryId } from '@steward/audit';
import { systemRandom } from '@steward/kernel';
import { AuditRecordedSchema } from '@steward/proto/steward/event/v1/audit_pb.ts';
import { ListAuditLogRequestSchema } from '@steward/proto/steward/moderation/v1/audit_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { explain } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Deps } from '../../core/deps.ts';
import { auditLog } from '../../core/model/audit-entry.ts';
import { sweepAuditLog } from '../../core/sweep-audit-log.ts';
import { onAuditRecorded } from '../../events/on-audit-recorded.ts';
import { listAuditLog } from './list-audit-log.ts';

const RETENTION_MS = 1_000;

const clock = createFakeClock();
let store: Store;
let deps: Deps;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  const log = await store.collection(auditLog);
  deps = { auditLog: log, auditRetentionMs: RETENTION_MS, clock } as unknown as Deps;
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

it('removes all entries that are past their retention, and no others', async () => {
  const now = clock.now();
  for (let n = 0; n < 1_100; n++)
    await onAuditRecorded(deps, record(entryId(now - RETENTION_MS - 1, n, systemRandom)), 1);
  const kept = entryId(now - RETENTION_MS, 0, systemRandom);
  await onAuditRecorded(deps, record(kept), 1);
  await sweepAuditLog(deps);
  expect((await deps.auditLog.find({}).toArray()).map(({ _id }) => _id)).toEqual([kept]);
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
