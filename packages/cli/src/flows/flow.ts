import type { Command } from 'commander';
import type { Cli } from '../cli/cli.ts';

/**
 * Adds commands that need more than one operation, or changes the command of an operation. `program` already has the
 * commands of all operations; `findCommand` returns one of them, and a further `action` takes the place of its own. What a
 * flow needs only when it runs, it imports then.
 */
export type Flow = (program: Command, cli: Cli) => void;
