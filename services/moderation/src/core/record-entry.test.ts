import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { type AuditEntry, auditLog } from './model/audit-entry.ts';
import { recordEntry } from './record-entry.ts';

it('adds the targets of a later record without an outcome, and keeps them when an earlier one is repeated', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const entries = await store.collection(auditLog);
  const deps = {
    auditLog: entries,
    clock: createFakeClock(),
    capabilities: store.capabilities,
    feedAppender: { append: () => Promise.reject(new Error('There is no event')) } as never,
  };
  const record = (targets: readonly string[]) =>
    recordEntry(
      deps,
      { _id: 'entry', ts: 0, outcome: 'unknown', targets } as unknown as AuditEntry,
      undefined,
    );
  for (const targets of [['report:1'], ['report:1', 'report:case'], ['report:1']]) await record(targets);
  expect(await entries.find({}).toArray()).toMatchObject([{ targets: ['report:1', 'report:case'] }]);
  await store.close();
});
