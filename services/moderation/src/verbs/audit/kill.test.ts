import { EventReportService } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import type { Store } from '@steward/store';
import { type CrashableStore, type CrashPoint, crashableStore, stores } from '@steward/store/testing';
import { createFakeClock, dueCalls, isDue } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../core/model/audit-entry.ts';
import { feedEvents } from '../../core/model/feed-event.ts';
import { eventReports } from '../../core/model/report.ts';
import { reportKey } from '../../core/report-id.ts';
import { startTestProcess } from '../../fixtures/test-process.ts';

/** Far more calls of the store than a deletion, its audit records and its event make. */
const MOST_CALLS = 200;

/** How far apart the calls are at which processes crash on a slow engine. */
const SPREAD = 12;

/** After how many calls in a row that no process reaches all have been tried: sweeps can make some of theirs later. */
const UNREACHED = 4;

const CRASH_POINTS: readonly CrashPoint[] = ['before', 'during', 'after'];

const NAME = 'kills of the audit trail';
/** What records a change. */
const GUARDS = [
  'packages/audit/',
  'packages/feed/',
  'services/moderation/src/core/chain/',
  'services/moderation/src/core/feed/',
  'services/moderation/src/core/record-entry.ts',
  'services/moderation/src/verbs/audit/',
];

/** Crashes a process at a call of its store while it deletes a report, and continues with another process. */
async function deleteAndCrash(store: Store, call: number, how: CrashPoint) {
  const clock = createFakeClock();
  const reports = await store.collection(eventReports);
  const log = await store.collection(auditLog);
  await reports.insertOne({
    _id: reportKey(1),
    received_ts: 0,
    user_id: '@a:test',
    room_id: '!a',
    event_id: '$a',
    sender: null,
    reason: null,
    score: null,
    room_gone: false,
  });
  const crashable = crashableStore(store);
  const first = await startTestProcess(crashable.store, clock);
  crashable.crashAt(call, how);
  const deletion = first.client(EventReportService).deleteEventReport({ reportId: 1n });
  const answered = await endOrCrash(deletion, crashable);
  // Waits until the process is idle, or has crashed and keeps retrying.
  await endOrCrash(first.whenIdle(), crashable);
  const crashed = crashable.hasCrashed;
  await first.close();

  const second = await startTestProcess(store, clock);
  await second.whenIdle();
  await second.close();
  const entries = await log.find({}).toArray();
  // The case of the report makes an event, too, when it is left without reports.
  const ofDeletion = { type: 'event_report.deleted' } as const;
  const events = await (await store.collection(feedEvents)).find(ofDeletion).toArray();
  const deleted = (await reports.findOne({ _id: reportKey(1) })) === null;
  return { answered, crashed, deleted, entries, events };
}

/** Waits until something ends, or the process has crashed; returns whether it has ended well before that. */
async function endOrCrash(work: Promise<unknown>, crashable: CrashableStore): Promise<boolean> {
  let end: 'well' | 'badly' | undefined;
  work.then(
    () => {
      end = 'well';
    },
    () => {
      end = 'badly';
    },
  );
  while (!end && !crashable.hasCrashed) await new Promise((resolve) => setImmediate(resolve));
  return end === 'well' && !crashable.hasCrashed;
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'a change has an entry and an event, whichever call of the store the process crashes at',
    { timeout: 240_000 },
    async () => {
      const seen = new Set<string>();
      const crashAt = async (call: number, how: CrashPoint): Promise<boolean> => {
        const { store, drop } = await open();
        const { answered, crashed, deleted, entries, events } = await deleteAndCrash(store, call, how);
        await drop();
        const outcomes = entries.map(({ outcome }) => outcome);
        const about = `crashed ${how} call ${call}: ${JSON.stringify({ answered, crashed, deleted, outcomes })}`;
        if (deleted) expect(entries, about).toHaveLength(1);
        else expect(['', 'unknown'], about).toContain(outcomes.join());
        if (answered) expect(outcomes, about).toEqual(['ok']);
        for (const entry of entries)
          expect(entry).toMatchObject({
            action: 'moderation.delete_event_report',
            actor: '@root:test',
            targets: ['1'],
          });
        // Once, although the fact is delivered to both processes.
        if (outcomes.includes('ok'))
          expect(events, about).toMatchObject([
            { type: 'event_report.deleted', position: 2, targets: ['1'] },
          ]);
        else expect(events.length, about).toBeLessThanOrEqual(1);
        seen.add(`${crashed ? 'crashed' : 'lived'} ${outcomes.join()}`);
        return crashed;
      };
      // Up to calls that the process does not reach: how many it makes depends on what runs beside the deletion.
      const spread = remote ? SPREAD : 1;
      let reached = 0;
      for (const call of dueCalls(MOST_CALLS, NAME, GUARDS, { spread })) {
        const crashes = await Promise.all(CRASH_POINTS.map((how) => crashAt(call, how)));
        if (crashes.some((crashed) => crashed)) reached = call;
        if (call - reached >= UNREACHED) break;
      }
      // Processes crashed before, within and after the calls that matter.
      if (!remote && isDue(NAME, GUARDS))
        expect([...seen].sort()).toEqual(['crashed ', 'crashed ok', 'crashed unknown', 'lived ok']);
    },
  );
});
