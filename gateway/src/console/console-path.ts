/** The path below which the console is served, as the `base` of `console/vite.config.ts` says it. */
export const CONSOLE_PATH = '/_service/console';

/** Whether a request is one for the console, whatever its verb and whether or not such a file exists. */
export function isConsolePath(url: string): boolean {
  return url.startsWith(CONSOLE_PATH) && /^[/?]?$/.test(url.charAt(CONSOLE_PATH.length));
}
