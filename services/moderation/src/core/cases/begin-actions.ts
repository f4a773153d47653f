import { Conflict } from '@steward/store';
import { BY_SERVER } from '@steward/tasks';
import type { CaseResolution, ReportCase } from '../model/case.ts';
import type { CaseDeps } from './case-deps.ts';

/** The kind of the tasks that carry out the actions of resolutions. Their key is the id of the case. */
export const RESOLVE_REPORT = 'report.resolve';

/** Whose actions a task carries out. */
export interface ResolveParams {
  /** The id of the case. */
  readonly case: string;
  /** The number of the resolution. */
  readonly resolution: number;
}

/** The id of the task that carries out the actions of a resolution. */
export function actionTaskId(caseId: string, resolution: number): string {
  return `resolve-${caseId}.${resolution}`;
}

/** The resolution of a case with a number, the current one or an earlier one. */
export function resolutionOf(
  { resolution, former_resolutions: former }: ReportCase,
  number: number,
): CaseResolution | undefined {
  return [...former, ...(resolution ? [resolution] : [])].find((each) => each.number === number);
}

/** Creates the task that carries out the actions of a resolution, once: its id follows from the resolution. */
export async function beginActions(
  { ownTasks }: Pick<CaseDeps, 'ownTasks'>,
  document: ReportCase,
  number: number,
): Promise<void> {
  const { _id } = document;
  try {
    await ownTasks.create({
      id: actionTaskId(_id, number),
      kind: RESOLVE_REPORT,
      key: _id,
      params: { case: _id, resolution: number } satisfies ResolveParams,
      requestedBy: resolutionOf(document, number)?.decider ?? BY_SERVER,
    });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
