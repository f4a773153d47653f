import { usageFailure } from '../io/exit.ts';

/** Runs a filter over a value and returns what it puts out, with a line break after each. */
export type JqFilter = (value: unknown) => Promise<string>;

/** The exit code of jq for a filter that it cannot compile. */
const COMPILE_ERROR = 3;

/**
 * Compiles a filter of jq before anything is requested.
 *
 * @param isPretty whether objects and arrays are written on several lines; texts are written without quotes
 * @throws CommandFailure if the filter has an error
 */
export async function loadJq(filter: string, isPretty: boolean): Promise<JqFilter> {
  const jq = await (await import('./jq-program.ts')).loadJqProgram();
  const flags = isPretty ? ['-r'] : ['-r', '-c'];
  const run = (json: string, program: string): string => {
    try {
      const output = jq.raw(json, program, flags);
      return output ? `${output}\n` : '';
    } catch (error) {
      throw usageFailure(`--jq: ${describe(error)}`);
    }
  };
  // Within a definition that is never called, the filter is compiled and not run.
  run('null', `def unused: (${filter}\n); empty`);
  return async (value) => run(JSON.stringify(value), filter);
}

/** Returns the first thing that jq says, without where its program has it. */
function describe(error: unknown): string {
  const { message, exitCode } = error as { readonly message: string; readonly exitCode?: number };
  const said = /^jq: error(?: \(at [^)]*\))?: (.*)$/m.exec(message)?.[1] ?? message;
  const text = said.replace(/ \((?:Unix|Windows)[^)]*\)/, '').replace(/ at <top-level>.*/, '');
  return exitCode === COMPILE_ERROR ? `the filter has an error: ${text}` : text;
}
