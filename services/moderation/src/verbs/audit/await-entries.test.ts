import { timePrefix } from '@steward/audit';
import { openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { auditLog } from '../../core/model/audit-entry.ts';
import { OutcomeWaits } from '../../core/outcome-waits.ts';
import { awaitEntries } from './await-entries.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

const clock = createFakeClock();
const id = (name: string, ts = clock.now()) => `${timePrefix(ts)}-${name}`;
const [begun, ended, added] = [id('begun'), id('ended'), id('new')];

/** A log in which `begun` waits for its outcome and `ended` has one. */
async function openLog() {
  const { auditLog: log } = await openCollections(store, { auditLog });
  const entry = (_id: string, outcome: string) => ({ _id, outcome, targets: [] }) as never;
  await log.insertMany([entry(begun, 'unknown'), entry(ended, 'ok')], { ordered: true });
  const deps = { auditLog: log, clock, outcomeWaits: new OutcomeWaits() };
  const wait = (entryIds: string[], signal = new AbortController().signal) =>
    awaitEntries(deps, { entryIds }, { signal });
  return { ...deps, wait };
}

it('does not wait for requests with an outcome', async () => {
  const { wait } = await openLog();
  expect(await wait([ended, ended])).toEqual({ recorded: true });
});

it('does not wait for requests of other times, which have their outcomes or never were', async () => {
  const { wait } = await openLog();
  expect(await wait([id('old', clock.now() - 60_001), id('future', clock.now() + 60_001)])).toEqual({
    recorded: true,
  });
});

it('a waiting call is notified when the last outcome is recorded', async () => {
  const { auditLog, outcomeWaits, wait } = await openLog();
  const entered = vi.spyOn(outcomeWaits, 'enter');
  // Nothing is read again in time, only when it is woken.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isDone = false;
  const waiting = wait([ended, begun, added]).finally(() => {
    isDone = true;
  });
  expect(entered).toHaveBeenCalledTimes(1);
  await auditLog.updateOne({ _id: begun }, { $set: { outcome: 'ok' } });
  outcomeWaits.recorded(begun);
  outcomeWaits.recorded('of another request');
  await auditLog.find({}).toArray();
  await auditLog.insertOne({ _id: added, outcome: 'refused', targets: [] } as never);
  expect(isDone).toBe(false);
  outcomeWaits.recorded(added);
  expect(await waiting).toEqual({ recorded: true });
});

it('finds an outcome that another process recorded', async () => {
  const { auditLog, wait } = await openLog();
  const waiting = wait([begun]);
  await auditLog.updateOne({ _id: begun }, { $set: { outcome: 'failed' } });
  expect(await waiting).toEqual({ recorded: true });
});

it('ends without an outcome when the caller leaves', async () => {
  const { wait } = await openLog();
  expect(await wait([begun], AbortSignal.abort())).toEqual({ recorded: false });
});
