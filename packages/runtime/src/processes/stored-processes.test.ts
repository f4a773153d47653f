import { create } from '@bufbuild/protobuf';
import { ProcessStatusSchema } from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openProcesses } from './stored-processes.ts';

const report = (id: string, pid: number) => create(ProcessStatusSchema, { id, pid, seenTs: 1n });

it('keeps the newest report of each process for five minutes, by the time at which it is stored', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const clock = createFakeClock(1_000_000);
  const processes = await openProcesses(store, clock);
  const listed = async () => (await processes.list()).map(({ id, pid, seenTs }) => [id, pid, Number(seenTs)]);
  await processes.record(report('a', 1));
  await processes.record(report('b', 2));
  clock.advance(200_000);
  await processes.record(report('b', 3));
  expect((await listed()).sort()).toEqual([
    ['a', 1, 1_000_000],
    ['b', 3, 1_200_000],
  ]);
  clock.advance(100_001);
  expect(await listed()).toEqual([['b', 3, 1_200_000]]);
  await processes.record(report('c', 4));
  await processes.remove({ id: 'b' });
  expect(await listed()).toEqual([['c', 4, 1_300_001]]);
});
