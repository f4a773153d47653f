import { repeat } from '@steward/kernel';
import type { ProcessStatus } from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import { type DescribedProcess, describeProcess } from './describe-process.ts';

/** How often a process reports, in milliseconds. */
const INTERVAL_MS = 10_000;

/** How long the end of a process waits for its last report and the removal, in milliseconds. */
const END_LIMIT_MS = 2_000;

/** Where the reports of processes go. */
export interface ReportTarget {
  /** Keeps a report in place of the earlier one of the process. */
  record(report: ProcessStatus): Promise<unknown>;
  /** Removes the report of a process that ends. */
  remove(process: Pick<ProcessStatus, 'id'>): Promise<unknown>;
}

/**
 * Reports the state of this process now and then regularly. A report that fails is not repeated: administrators see that it is
 * missing, and its cause is reported where it arose.
 *
 * @returns ends it, and removes the report
 */
export function announceProcess(options: DescribedProcess, target: ReportTarget): { close(): Promise<void> } {
  const description = describeProcess(options);
  const announcing = repeat(async () => target.record(await description.describe()), {
    intervalMs: INTERVAL_MS,
    onFault: () => {},
  });
  return {
    async close() {
      description.close();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, END_LIMIT_MS);
      const removed = announcing.close().then(() => target.remove(description));
      // A store that is silent must not use up the time for running calls. Without the removal the process is shown as lost.
      await Promise.race([removed.catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}
