import type { Figures } from '@steward/statistics';
import type { Deps } from '../deps.ts';
import { readOwnFigures } from './read-own-figures.ts';

/** What the figures of the server are read from. */
export type FigureDeps = Pick<Deps, 'cases' | 'ownTasks' | 'peerStatistics'>;

/** The present figures of the server. Those of a service that cannot be reached are absent. */
export type ServerFigures = Partial<Figures<'user'> & Figures<'room'> & Figures<'media'>> &
  Pick<Figures<'moderation'>, 'open_reports'>;

/** Reads the current figures of all services concurrently, with one call each. */
export async function readServerFigures(deps: FigureDeps): Promise<ServerFigures> {
  const { user, room, media } = deps.peerStatistics;
  const [own, ofUser, ofRoom, ofMedia] = await Promise.all([
    readOwnFigures(deps),
    user.figures(),
    room.figures(),
    media.figures(),
  ]);
  const { scheduled_tasks: _, active_tasks: __, ...figures } = { ...own, ...ofUser, ...ofRoom, ...ofMedia };
  if (!ofRoom || !ofMedia) return figures;
  // Without one of the services the sums would be too low.
  const withTasks = [own, ofRoom, ofMedia];
  return {
    ...figures,
    scheduled_tasks: withTasks.reduce((sum, each) => sum + each.scheduled_tasks, 0),
    active_tasks: withTasks.reduce((sum, each) => sum + each.active_tasks, 0),
  };
}
