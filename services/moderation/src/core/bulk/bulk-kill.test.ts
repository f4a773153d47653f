import { OrderedCallService } from '@steward/proto/steward/call/v1/ordered_calls_pb.ts';
import { BulkService } from '@steward/proto/steward/moderation/v1/bulk_pb.ts';
import { AuthorityService } from '@steward/proto/steward/user/v1/authority_pb.ts';
import { createLocalTransport, route } from '@steward/rpc';
import type { Store } from '@steward/store';
import { type CrashableStore, type CrashPoint, crashableStore, stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { startTestProcess, type TestProcess } from '../../fixtures/test-process.ts';
import { tasks as declared } from '../collections.ts';

/** Longer than a lease, and than any pause of a task, in milliseconds. */
const LATER_MS = 60_000;

const USERS = Array.from({ length: 25 }, (_, n) => `@u${n}:test`);
const CRASH_POINTS: readonly CrashPoint[] = ['before', 'during', 'after'];

/** More calls of the store than a bulk makes. */
const MOST_CALLS = 200;

/** A user service that carries each call out once by its id, as the keys of actions make it. */
function userService() {
  const carriedOut = new Map<string, string>();
  const transport = createLocalTransport([
    route(AuthorityService, { readRights: () => ({ admin: true, scopes: [] }) } as never),
    route(OrderedCallService, {
      carryOutCall({ callId, request }) {
        const text = Buffer.from(request).toString('latin1');
        if ((carriedOut.get(callId) ?? text) !== text) throw new Error('Another request has this id');
        carriedOut.set(callId, text);
        return { response: new Uint8Array() };
      },
    }),
  ]);
  return { carriedOut, peers: { user: transport, room: transport, media: transport } };
}

const order = (process: TestProcess) =>
  process.client(BulkService).createBulk({
    action: { method: 'POST', path: '/_service/admin/v1/deactivate/{user_id}' },
    users: USERS,
  });

async function tasksOf(store: Store) {
  return (await store.collection(declared.tasks)).find({}).toArray();
}

async function isWorking(store: Store): Promise<boolean> {
  return (await tasksOf(store)).some(({ state }) => state === 'scheduled' || state === 'active');
}

/** Waits until a process has no task to run now, or has crashed and keeps retrying. */
async function idleOrCrashed(process: TestProcess, crashable?: CrashableStore): Promise<void> {
  let isIdle = false;
  void process
    .whenTasksIdle()
    .catch(() => {})
    .finally(() => {
      isIdle = true;
    });
  while (!isIdle && !crashable?.hasCrashed) await new Promise((next) => setImmediate(next));
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'each request of a bulk is made once, whichever call of the store the process crashes at',
    { timeout: 240_000 },
    async () => {
      let hasContinued = false;
      const crashAt = async (call: number, how: CrashPoint): Promise<boolean> => {
        const { store, drop } = await open();
        const clock = createFakeClock();
        const { carriedOut, peers } = userService();
        const crashable = crashableStore(store);
        const first = await startTestProcess(crashable.store, clock, peers);
        crashable.crashAt(call, how);
        await order(first).catch(() => {});
        while (!crashable.hasCrashed && (await isWorking(store))) {
          await idleOrCrashed(first, crashable);
          clock.advance(LATER_MS);
        }
        const { hasCrashed } = crashable;
        const before = carriedOut.size;
        await first.close();

        clock.advance(LATER_MS);
        const second = await startTestProcess(store, clock, peers);
        for (let round = 0; round < 20 && (await isWorking(store)); round++) {
          await idleOrCrashed(second);
          clock.advance(LATER_MS);
        }
        const about = `crashed ${how} call ${call}`;
        const [task, ...others] = await tasksOf(store);
        expect(others, about).toEqual([]);
        if (task?.state === 'complete') {
          expect([...carriedOut.keys()], about).toHaveLength(USERS.length);
          const bulk = await second.client(BulkService).getBulk({ taskId: task._id });
          expect(bulk, about).toMatchObject({ total: 25n, done: 25n, failed: 0n });
          expect(
            bulk.results.map(({ id, outcome }) => `${id} ${outcome}`),
            about,
          ).toEqual(USERS.map((id) => `${id} done`));
          hasContinued ||= hasCrashed && before > 0 && before < USERS.length;
        } else {
          // The order was interrupted, and the caller was told nothing.
          expect([undefined, 'failed'], about).toContain(task?.state);
          expect(carriedOut.size, about).toBe(0);
        }
        await second.close();
        await drop();
        return hasCrashed;
      };
      // Together, each at another call.
      const spread = remote ? 9 : 2;
      for (
        let call = 1, isReached = true;
        isReached && call < MOST_CALLS;
        call += spread * CRASH_POINTS.length
      ) {
        const crashes = await Promise.all(CRASH_POINTS.map((how, n) => crashAt(call + n * spread, how)));
        isReached = crashes.some((crashed) => crashed);
      }
      expect(hasContinued).toBe(true);
    },
  );
});
