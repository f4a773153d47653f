import { parentPort, workerData } from 'node:worker_threads';
import type { Outcome, Target } from './attack.ts';
import { attacks } from './attacks.ts';

/** The attacks that the thread of the attacker runs at once. */
export interface Orders {
  readonly names: readonly string[];
  readonly target: Target;
}

const { names, target } = workerData as Orders;
const chosen = attacks.filter(({ name }) => names.includes(name));
const prepared = [];
for (const { name, prepare } of chosen) {
  prepared.push({ name, carryOut: await prepare({ ...target, label: `${name}-${target.label}` }) });
}
parentPort?.postMessage('prepared');
const outcomes = await Promise.all(
  prepared.map(async ({ name, carryOut }): Promise<Outcome> => {
    try {
      return await carryOut();
    } catch (error) {
      return { broken: [`${name} could not be carried out: ${(error as Error).message}`], figures: [] };
    }
  }),
);
parentPort?.postMessage(outcomes);
