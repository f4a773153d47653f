/** Plans: what a request would do, checked as the request and never carried out. */
export { planCalls } from './plan-calls.ts';
export { type Planned, type Planner, planner, plans } from './planner.ts';
