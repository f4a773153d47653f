import { type Figures, taskFigures } from '@steward/statistics';
import { fromCaseFacet } from '../cases/subject.ts';
import type { Deps } from '../deps.ts';

/** Reads the current figures of reports, from totals that the store keeps. */
export async function readOwnFigures({
  cases,
  ownTasks,
}: Pick<Deps, 'cases' | 'ownTasks'>): Promise<Figures<'moderation'>> {
  const [byFacet, backlog] = await Promise.all([cases.tally(), ownTasks.backlog()]);
  const open = [...byFacet].filter(([facet]) => fromCaseFacet(facet).state !== 'resolved');
  return { open_reports: open.reduce((sum, [, count]) => sum + count, 0), ...taskFigures(backlog) };
}
