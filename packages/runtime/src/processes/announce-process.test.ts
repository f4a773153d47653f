import { systemRandom } from '@steward/kernel';
import { createMetrics } from '@steward/telemetry';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { announceProcess, type ReportTarget } from './announce-process.ts';
import type { DescribedProcess } from './describe-process.ts';

const described: DescribedProcess = {
  kind: 'user',
  clock: createFakeClock(),
  random: systemRandom,
  metrics: createMetrics({ program: 'test', release: '1.0.0' }),
  readiness: { read: async () => ({ phase: 'serving', isReady: true, isHealthy: true, missing: [] }) },
};

it('removes the report at the end, after the running one', async () => {
  const calls: string[] = [];
  const target: ReportTarget = {
    record: async ({ id }) => calls.push(`record ${id}`),
    remove: async ({ id }) => calls.push(`remove ${id}`),
  };
  const announcing = announceProcess(described, target);
  await expect.poll(() => calls).toHaveLength(1);
  await announcing.close();
  const id = calls[0]?.split(' ')[1];
  expect(calls).toEqual([`record ${id}`, `remove ${id}`]);
});

it('does not wait for a silent store at the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = Promise.withResolvers<void>();
  const target: ReportTarget = {
    record() {
      asked.resolve();
      return new Promise(() => {});
    },
    remove: () => expect.unreachable(),
  };
  const announcing = announceProcess(described, target);
  await asked.promise;
  const closing = announcing.close();
  await vi.advanceTimersByTimeAsync(2_000);
  await closing;
});
