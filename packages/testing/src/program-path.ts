import { fileURLToPath } from 'node:url';

/** Returns the path of the built program of a command, such as `import`; see `deploy/commands.ts`. */
export function programPath(command: string): string {
  return fileURLToPath(new URL(`../../../dist/${command}.js`, import.meta.url));
}
