import type { Deps } from '../deps.ts';

/** What changes of cases need. */
export type CaseDeps = Pick<
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
