import type { Deps } from '../deps.ts';

/** What changes of cases need. */
export type DeskDeps = Pick<
  Deps,
  | 'cases'
  | 'clock'
  | 'eventReports'
  | 'feedAppender'
  | 'inbox'
  | 'mediaReports'
  | 'ownTasks'
  | 'random'
  | 'roomReports'
  | 'userReports'
>;
