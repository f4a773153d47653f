import { parseArgs } from 'node:util';
import { type Config, loadConfig } from '@steward/config';
import { type Progress, progressOf } from './progress.ts';
import { reportErrors } from './report-errors.ts';
import { say } from './say.ts';

/** A command with one option that it requires, and others that it does not. The options have values. */
export interface Command<Required extends string, Optional extends string> {
  readonly name: string;
  /** Printed for `--help`, and when the required option is missing. */
  readonly usage: string;
  readonly required: Required;
  readonly optional?: readonly Optional[];
  /**
   * Carries the command out.
   *
   * @param onProblem prints a problem that does not stop the command; its exit status is then 1
   * @param progress shows how far parts of the work are that take long
   */
  run(
    values: Readonly<Record<Required, string> & Partial<Record<Optional, string>>>,
    config: Config,
    onProblem: (problem: string) => void,
    progress: Progress,
  ): Promise<void>;
}

/** Runs a command with the arguments of the process, and the settings of an environment. */
export function runCommand<Required extends string, Optional extends string = never>(
  env: Readonly<Record<string, string | undefined>>,
  command: Command<Required, Optional>,
): void {
  const { name, usage, required, optional = [] } = command;
  reportErrors(name, async () => {
    const text = { type: 'string' } as const;
    const options = Object.fromEntries([required, ...optional].map((option) => [option, text]));
    const parsed = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } });
    const { help, ...values } = parsed.values as Readonly<Record<string, string | boolean | undefined>>;
    if (help || values[required] === undefined) {
      process.stdout.write(usage);
      process.exitCode = help ? 0 : 1;
      return;
    }
    const config = loadConfig({ env });
    const onProblem = (problem: string) => {
      say(`${name}: ${problem}`);
      process.exitCode = 1;
    };
    await command.run(values as Parameters<typeof command.run>[0], config, onProblem, progressOf(name));
  });
}
