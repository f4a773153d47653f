import { createRequire } from 'node:module';

/** The program of jq. */
interface Jq {
  /**
   * Returns the output without its last line break.
   *
   * @throws Error with `exitCode`, the first line of whose message names it, and the others are what jq says
   */
  raw(json: string, filter: string, flags: readonly string[]): string | undefined;
}

/** Loads the program. Its module is a promise, which an import would await in place of returning it. */
export function loadJqProgram(): Promise<Jq> {
  const require = createRequire(import.meta.url);
  return require('jq-web');
}
