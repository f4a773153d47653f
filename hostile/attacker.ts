import { parentPort, workerData } from 'node:worker_threads';
import type { Outcome, Target } from './attack.ts';
import { attacks } from './attacks.ts';

/** The attacks that the thread of the attacker runs at once. */
export interface Orders {
  readonly names: readonly string[];
  readonly target: Target;
}

const { names, target } = workerData as Orders;
const outcomes = await Promise.all(
  attacks
    .filter(({ name }) => names.includes(name))
    .map(async ({ name, run }): Promise<Outcome> => {
      try {
        return await run({ ...target, label: `${name}-${target.label}` });
      } catch (error) {
        return { broken: [`${name} could not be carried out: ${(error as Error).message}`], figures: [] };
      }
    }),
);
parentPort?.postMessage(outcomes);
