/** Figures of services, and what they count hour by hour. */
export { type Counts, type CountsByName, type CountsRange, createCounts } from './counts.ts';
export { declareHourCounts } from './hour-counts.ts';
export { DAY_MS, HOUR_MS, hourId, startOf, startOfHour } from './intervals.ts';
export type { CountingService, CountOf, FigureOf, Figures } from './names.ts';
export { type RemoteStatistics, statisticsThrough } from './read-remotely.ts';
export { type ServiceStatistics, statisticsRoute } from './statistics-route.ts';
export { taskFigures } from './task-figures.ts';
