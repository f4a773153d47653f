/** What every bus has to do, as tests. */
export { type BusRig, busContract } from './bus-contract.ts';
