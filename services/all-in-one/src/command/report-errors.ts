import { ConfigError } from '@steward/config';

/** Runs the main function of a command. An error becomes lines with the name of the command, and the exit status 1. */
export function reportErrors(name: string, main: () => Promise<void>): void {
  main().catch((error) => {
    const lines = error instanceof ConfigError ? error.problems : [(error as Error).message];
    for (const line of lines) process.stderr.write(`${name}: ${line}\n`);
    process.exitCode = 1;
  });
}
