import { Conflict } from '@steward/store';
import { BY_SERVER } from '@steward/tasks';
import type { ReportCase } from '../model/case.ts';
import type { CaseDeps } from './case-deps.ts';

/** The kind of the tasks that tell reporters the outcome. Their key is the id of the case. */
export const NOTIFY_REPORTERS = 'report.notify';

/** What a task tells the reporters of. */
export interface NotifyParams {
  /** The id of the case. */
  readonly case: string;
  /** The number of the resolution. */
  readonly resolution: number;
}

/** Creates the task that tells the reporters of a case its outcome, once for each resolution. */
export async function notifyReporters(
  { ownTasks }: Pick<CaseDeps, 'ownTasks'>,
  { _id }: ReportCase,
  resolution: number,
): Promise<void> {
  try {
    await ownTasks.create({
      id: `notify-${_id}.${resolution}`,
      kind: NOTIFY_REPORTERS,
      key: _id,
      params: { case: _id, resolution } satisfies NotifyParams,
      requestedBy: BY_SERVER,
    });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
