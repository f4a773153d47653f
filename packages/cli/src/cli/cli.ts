import type { Client } from '@steward/sdk';
import type { Command } from 'commander';
import { CommandFailure, EXIT, usageFailure } from '../io/exit.ts';
import { type Io, isInteractive, write } from '../io/io.ts';
import type { Prompts } from '../io/prompts.ts';
import { type Format, type Output, type OutputFormat, openOutput } from '../output/output.ts';
import { visible } from '../output/visible.ts';
import { commonOptions } from './common-options.ts';
import { type Connection, connect } from './connect.ts';
import { completionOfUserIds } from './user-ids.ts';

/**
 * What commands are made with. Each command passes itself, because its flags say which server is meant, how answers are
 * written and whether to ask.
 */
export interface Cli {
  readonly io: Io;
  /** Aborted by Ctrl-C: pass it to every request and every wait. */
  readonly signal: AbortSignal;
  /** Returns a client of the server that the command means. With `--dry-run` its first request is shown and not sent, with `--plan` its requests are planned. */
  client(command: Command): Promise<Client>;
  /** Returns the server and the token that the command means. */
  connection(command: Command): Promise<Connection>;
  /** Returns a client that sends requests also with `--dry-run` and `--plan`: for what only reads. */
  reader(command: Command): Promise<Client>;
  /** Returns what completes the first part of a user id with the name of the server that the command means. */
  userIds(command: Command): (id: string) => Promise<string>;
  /** Whether the command is to show what it would do, and change nothing. */
  isDryRun(command: Command): boolean;
  /** Whether the server is asked what the command would do. */
  isPlan(command: Command): boolean;
  /**
   * Returns where the command writes its results. Open it before anything is changed: it checks the filter of `--jq`.
   *
   * @param piped the format elsewhere than on a terminal, where no flag names one; JSON when unset
   */
  output(command: Command, piped?: Format): Promise<Output>;
  /**
   * Asks whether to go on, unless `--yes`, `--dry-run` or `--plan` is there.
   *
   * @param warning what is about to be done and cannot be taken back, without a full stop
   * @throws CommandFailure when the answer is no; with the exit code of usage where no one can be asked
   */
  confirm(command: Command, warning: string): Promise<void>;
  /** As `confirm`, for many at once: the answer is their number, so that it is not given by habit. */
  confirmCount(command: Command, warning: string, count: number): Promise<void>;
  /** Writes a line for people, to the standard error. */
  note(text: string): Promise<void>;
  /** Sets with what the program ends when the command returns, for example 5 for what is done in part. */
  exitWith(code: (typeof EXIT)[keyof typeof EXIT]): void;
}

/** The formats for people. */
const TABLES: ReadonlySet<string> = new Set<OutputFormat>(['table', 'wide']);

/** For requests that only read. */
const SENDING = { dryRun: false, plan: false } as const;

/** Returns what commands are made with, and how the program is to end. */
export function createCli(io: Io): Cli & { exitCode(): number } {
  let exitCode: number = EXIT.done;
  const note = (text: string) => write(io.stderr, `${visible(text)}\n`);
  const isColoured = (command: Command) =>
    io.stdout.isTerminal &&
    commonOptions(command).color !== false &&
    !io.env.NO_COLOR &&
    io.env.TERM !== 'dumb';
  const connection = (command: Command) => connect(io, commonOptions(command), note);
  async function unless(command: Command, warning: string, ask: (prompts: Prompts) => Promise<boolean>) {
    const { yes, dryRun, plan } = commonOptions(command);
    if (yes || dryRun || plan) return;
    if (!isInteractive(io))
      throw usageFailure(`${warning}: repeat with --yes, because there is no terminal to ask on`);
    if (!(await ask(await io.prompts()))) throw new CommandFailure('Nothing was done.');
  }
  return {
    io,
    signal: io.signal,
    connection,
    client: async (command) => (await connection(command)).client,
    reader: async (command) => (await connect(io, { ...commonOptions(command), ...SENDING }, note)).client,
    userIds(command) {
      const open = async () => (await connect(io, { ...commonOptions(command), ...SENDING }, note)).client;
      return completionOfUserIds(open, io.signal);
    },
    isDryRun: (command) => commonOptions(command).dryRun === true,
    isPlan: (command) => commonOptions(command).plan === true,
    output(command, piped = 'json') {
      const { output, jq, columns } = commonOptions(command);
      if (columns !== undefined && (jq !== undefined || (output !== undefined && !TABLES.has(output))))
        throw usageFailure('--columns works with tables only: leave out --jq, and --output other than table');
      const usual = columns !== undefined || io.stdout.isTerminal ? 'table' : piped;
      const named = output ?? usual;
      return openOutput(io.stdout, {
        format: named === 'wide' ? 'table' : named,
        isWide: named === 'wide',
        columns,
        jq,
        isColoured: isColoured(command),
        now: io.time(),
      });
    },
    confirm: (command, warning) =>
      unless(command, warning, ({ confirm }) => confirm(`${visible(warning)}. Go on?`)),
    confirmCount: (command, warning, count) =>
      unless(
        command,
        warning,
        async ({ text }) =>
          (await text(`${visible(warning)}. Type ${count} to go on:`)).trim() === `${count}`,
      ),
    note,
    exitWith(code) {
      exitCode = code;
    },
    exitCode: () => exitCode,
  };
}
