import * as clack from '@clack/prompts';
import { Interrupted } from './exit.ts';
import type { Choice, Prompts } from './prompts.ts';

/** Where questions are asked. */
type Terminal = Required<Pick<clack.TextOptions, 'input' | 'output'>>;

/** Returns questions on a terminal. */
export function clackPrompts(terminal: Terminal): Prompts {
  return {
    confirm: async (message) => answered(await clack.confirm({ ...terminal, message, initialValue: false })),
    text: async (message, { initial } = {}) =>
      answered(
        await clack.text({ ...terminal, message, ...(initial !== undefined && { initialValue: initial }) }),
      ),
    secret: async (message) => answered(await clack.password({ ...terminal, message })),
    async select<Value>(message: string, choices: readonly Choice<Value>[]): Promise<Value> {
      // Values of any type are chosen by their place, since the library treats texts and objects differently.
      const options = choices.map(({ label, hint }, value) => ({
        value,
        label,
        ...(hint !== undefined && { hint }),
      }));
      const place = answered(await clack.select({ ...terminal, message, options }));
      return (choices[place] as Choice<Value>).value;
    },
  };
}

function answered<Value>(value: Value): Exclude<Value, symbol> {
  if (clack.isCancel(value)) throw new Interrupted();
  return value as Exclude<Value, symbol>;
}
