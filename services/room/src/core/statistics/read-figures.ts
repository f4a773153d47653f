import { type Figures, taskFigures } from '@steward/statistics';
import type { Deps } from '../deps.ts';

/** Reads the current figures of rooms, from totals that the store keeps. */
export async function readFigures({ rooms, tasks }: Pick<Deps, 'rooms' | 'tasks'>): Promise<Figures<'room'>> {
  const [byFacet, backlog] = await Promise.all([rooms.tally(), tasks.backlog()]);
  return {
    rooms: [...byFacet.values()].reduce((sum, count) => sum + count, 0),
    ...taskFigures(backlog),
  };
}
