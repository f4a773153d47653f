/** The complete server in one process. */
export { type AllInOneOptions, type RunningServer, startAllInOne } from './service.ts';
