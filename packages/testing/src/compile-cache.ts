/** Names the directory of Node's compile cache. */
const VARIABLE = 'NODE_COMPILE_CACHE';

/**
 * The environment that makes a child process share the compile cache of this one, so that a server starts in half
 * the time; empty when this process has none.
 */
export function compileCache(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> {
  const directory = env[VARIABLE];
  return directory ? { [VARIABLE]: directory } : {};
}
