/** All of steward in one process. */
export { type AllInOneOptions, type RunningServer, startAllInOne } from './service.ts';
