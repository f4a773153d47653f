import { StewardError } from '@steward/sdk';
import { type Argument, type Command, CommanderError } from 'commander';
import { createCli } from './cli/cli.ts';
import { createProgram } from './create-program.ts';
import { CommandFailure, EXIT, Finished, Interrupted } from './io/exit.ts';
import { type Io, write } from './io/io.ts';
import { compactJson } from './output/json.ts';
import { visible } from './output/visible.ts';

/**
 * Runs a command and returns the exit code; never throws for what users or servers do.
 *
 * @param args the words behind the name of the program
 */
export async function runCli(io: Io, args: readonly string[]): Promise<number> {
  const cli = createCli(io);
  const program = createProgram(cli);
  prepare(program, io);
  try {
    await program.parseAsync(args, { from: 'user' });
    return cli.exitCode();
  } catch (error) {
    return report(io, error, args);
  }
}

/** Writes an argument as the usage of its command does. */
function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Lets every command throw in place of ending the process, and write where this run writes. */
function prepare(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.stdout.stream.write(visible(text)),
    writeErr: (text) => io.stderr.stream.write(visible(text)),
    // The failure is reported as all others are.
    outputError: () => undefined,
    getOutHelpWidth: () => io.stdout.columns ?? 100,
    getErrHelpWidth: () => io.stderr.columns ?? 100,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  // The others have it with the common flags.
  if (command.options.length === 0) command.helpOption('-h, --help', 'Show this help.');
  command.helpCommand(false).configureHelp({
    subcommandTerm: (each) => [each.name(), ...each.registeredArguments.map(argumentTerm)].join(' '),
    subcommandDescription: (each) => (each.summary() || each.description()).replace(/\.$/, ''),
    optionTerm: (option) =>
      command.options.some(({ long }) => long === `--no-${option.name()}`) && !option.negate
        ? `--[no-]${option.name()}`
        : option.flags,
  });
  for (const each of command.commands) prepare(each, io);
}

async function report(io: Io, error: unknown, args: readonly string[]): Promise<number> {
  const failure = reasonOf(error);
  if (failure instanceof Finished) return EXIT.done;
  if (failure instanceof Interrupted || io.signal.aborted) return EXIT.interrupted;
  if (failure instanceof CommanderError && failure.exitCode === 0) return EXIT.done;
  const exitCode = exitCodeOf(failure);
  // A group of commands without one of them shows its help.
  if (failure instanceof CommanderError && failure.code === 'commander.help') return exitCode;
  const refusal = [failure, failure.cause].find((each) => each instanceof StewardError);
  const text = wantsJson(args) ? asJson(failure, refusal, exitCode) : asText(failure, refusal);
  await write(io.stderr, text);
  return exitCode;
}

/** What ended the command, which may be within the failure of the request that it ended. */
function reasonOf(error: unknown): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  return failure.cause instanceof Finished || failure.cause instanceof Interrupted ? failure.cause : failure;
}

function exitCodeOf(failure: Error): number {
  if (failure instanceof CommandFailure) return failure.exitCode;
  if (failure instanceof CommanderError) return EXIT.usage;
  if (!(failure instanceof StewardError)) return EXIT.failed;
  if (failure.errcode === 'INVALID_ANSWER') return EXIT.failed;
  if (failure.status === 404) return EXIT.notFound;
  return failure.status === 401 || failure.status === 403 ? EXIT.notAllowed : EXIT.failed;
}

function asText(failure: Error, refusal: StewardError | undefined): string {
  const details = refusal === undefined ? '' : ` (${detailsOf(refusal).join(', ')})`;
  return visible(`stewardctl: ${messageOf(failure)}${details}\n`);
}

function messageOf(failure: Error): string {
  const message = failure.message.replace(/^error: /, '').replaceAll('\n', ' ');
  if (failure instanceof CommanderError) return `${message}; see stewardctl --help`;
  const isForeign = failure instanceof StewardError && failure.errcode === 'INVALID_ANSWER';
  return isForeign
    ? `${message}: the answer is none of the administrative API; is the address right?`
    : message;
}

function detailsOf({ errcode, status, requestId }: StewardError): readonly string[] {
  return [
    errcode,
    ...(status > 0 ? [`status ${status}`] : []),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
}

function asJson(failure: Error, refusal: StewardError | undefined, exitCode: number): string {
  const answered = refusal !== undefined && refusal.status > 0;
  return `${compactJson({
    error: messageOf(failure),
    errcode: refusal?.errcode ?? null,
    status: answered ? refusal.status : null,
    request_id: refusal?.requestId ?? null,
    exit_code: exitCode,
  })}\n`;
}

/** Whether a program reads the output: known from the words themselves, since parsing may have failed. */
function wantsJson(args: readonly string[]): boolean {
  return /(?:^|\0)(?:-o\0?=?|--output[\0=])(?:nd)?json(?:\0|$)/.test(args.join('\0'));
}
