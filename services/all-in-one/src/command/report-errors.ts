import { ConfigError } from '@steward/config';
import { say } from './say.ts';

/** The owner only: what commands write contains password hashes, keys and private messages. */
const PRIVATE_UMASK = 0o077;

/**
 * Runs the main function of a command. What it writes is private from the first byte. An error becomes lines with the name of the
 * command, and the exit status 1.
 */
export function reportErrors(name: string, main: () => Promise<void>): void {
  process.umask(PRIVATE_UMASK);
  main().catch((error) => {
    const lines = error instanceof ConfigError ? error.problems : [(error as Error).message];
    for (const line of lines) say(`${name}: ${line}`);
    process.exitCode = 1;
  });
}
