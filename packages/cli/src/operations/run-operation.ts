import type { ByteStream, CallOptions, Client } from '@steward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { CommandFailure, EXIT, usageFailure } from '../io/exit.ts';
import { isRefusal } from '../io/refusal.ts';
import type { Output, RowsOf } from '../output/output.ts';
import type { ListTrait, OperationCommand } from './operation-command.ts';
import { optionName } from './option-name.ts';
import { readBody, readSecret, readText } from './read-input.ts';
import { readValue } from './read-value.ts';

/** The most rows that every list gives in one page. */
const LARGEST_PAGE = 500;

/** The fields of answers whose names do not say what their rows are. */
const VAGUE: ReadonlySet<string> = new Set(['', 'chunk', 'results', 'state', 'entries', 'changes']);

type Params = Readonly<Record<string, unknown>>;

/** A list as the client returns it: a promise of its first page, and all of its pages. */
type Pages = PromiseLike<unknown> & { pages(): AsyncIterable<unknown> };

/** Runs the command of an operation: reads its parameters, asks if it must, calls the operation and writes the answer. */
export async function runOperation(cli: Cli, command: Command, operation: OperationCommand): Promise<void> {
  const output = await cli.output(command);
  const client = await cli.client(command);
  const params = await completed(
    await readParameters(cli, command, operation),
    operation,
    cli.userIds(command),
  );
  if (operation.destructive || params.deactivated === true)
    await cli.confirm(command, warningOf(operation, params));
  await answer(cli, command, operation, client, params, output).catch(async (error) => {
    if (cli.signal.aborted && operation.method !== 'GET')
      await cli.note('Interrupted: the server may carry the request out all the same.');
    throw error;
  });
}

/** Calls the operation and writes its answer. */
async function answer(
  cli: Cli,
  command: Command,
  operation: OperationCommand,
  client: Client,
  params: Params,
  output: Output,
): Promise<void> {
  const { idempotencyKey } = command.opts<{ readonly idempotencyKey?: string }>();
  const options: CallOptions = {
    signal: cli.signal,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  const { list, columns } = operation;
  if (operation.bytes) {
    const stream = await (callOperation(client, operation, params, options) as Promise<ByteStream>);
    return output.bytes(stream);
  }
  if (list === undefined) return output.answer(await callOperation(client, operation, params, options));
  const { all, limit } = pagingOptions(command, list);
  const rows = { ...rowsOf(operation, list, columns, params), limit };
  if (!all && limit === undefined) {
    const page = await callOperation(client, operation, params, options);
    await output.page(page, rows);
    return noteNextPage(cli, list, page);
  }
  const size = list.sized ? { limit: Math.min(limit ?? LARGEST_PAGE, LARGEST_PAGE) } : {};
  const pages = (callOperation(client, operation, { ...params, ...size }, options) as Pages).pages();
  await output.pages(countedAsPartly(pages), rows);
}

/** Where the rows of the answer are, and what tables show of them. */
function rowsOf(
  { group, name }: OperationCommand,
  { variants = [], ...usual }: ListTrait,
  columns: readonly string[],
  params: Params,
): RowsOf {
  const variant = variants.find(({ parameter, value }) => params[parameter] === value);
  const { items, narrow } = variant ?? usual;
  return { items, columns: variant?.columns ?? columns, narrow, noun: nounOf(items, group, name) };
}

/** What the rows are called, in the plural. */
function nounOf(items: string, group: string, name: string): string {
  const noun = VAGUE.has(items) ? name.replace(/^(?:list|search|get)-/, '') : items;
  return (noun === 'list' || noun === 'ids' ? group : noun).replaceAll(/[_-]/g, ' ');
}

/** Completes the user ids among the parameters. */
async function completed(
  params: Params,
  { parameters }: Pick<OperationCommand, 'parameters'>,
  complete: (id: string) => Promise<string>,
): Promise<Params> {
  const whole: Record<string, unknown> = { ...params };
  for (const { name } of parameters.filter(({ user }) => user)) {
    const value = params[name];
    if (typeof value === 'string') whole[name] = await complete(value);
    else if (Array.isArray(value)) whole[name] = await Promise.all(value.map(complete));
  }
  return whole;
}

/**
 * Returns the parameters of a call from arguments, flags and body.
 *
 * @throws CommandFailure if one is missing, or no value of its type
 */
async function readParameters(
  cli: Cli,
  command: Command,
  { parameters }: Pick<OperationCommand, 'parameters'>,
): Promise<Params> {
  const options = command.opts();
  const params: Record<string, unknown> =
    typeof options.body === 'string' ? { ...(await readBody(cli.io, options.body)) } : {};
  const now = cli.io.time();
  let position = 0;
  for (const parameter of parameters) {
    const { name, flag } = parameter;
    if (flag === undefined) {
      const text = command.processedArgs[position++];
      // They would name another path.
      if (/^\.{0,2}$/.test(text)) throw usageFailure(`<${name}> must be neither empty nor dots`);
      params[name] = readValue(text, parameter, `<${name}>`, now);
      continue;
    }
    const given = options[optionName(flag)];
    if (given === undefined) continue;
    const label = `--${flag}`;
    if (parameter.file) params[name] = await readText(cli.io, given);
    else if (parameter.secret) params[name] = await readSecret(cli.io, given, `${name}:`);
    else if (typeof given === 'boolean') params[name] = given;
    else if (Array.isArray(given)) params[name] = given.map((text) => readValue(text, parameter, label, now));
    else params[name] = readValue(given, parameter, label, now);
  }
  const missing = parameters.find(({ name, required }) => required && params[name] === undefined);
  if (missing !== undefined) throw usageFailure(`--${missing.flag ?? missing.name} is required`);
  return params;
}

/** Calls the operation by its name in the client. */
function callOperation(
  client: Client,
  { call: [group, method] }: OperationCommand,
  params: Params,
  options: CallOptions,
): unknown {
  const methods = (client as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[
    group
  ];
  return methods?.[method]?.(params, options);
}

function pagingOptions(
  command: Command,
  { cursor }: ListTrait,
): { readonly all: boolean; readonly limit: number | undefined } {
  if (cursor === undefined) return { all: false, limit: undefined };
  const { all, limit } = command.opts<{ all?: boolean; limit?: string }>();
  if (limit === undefined) return { all: all === true, limit: undefined };
  if (all) throw usageFailure('--all and --limit exclude each other');
  if (!/^[1-9]\d{0,14}$/.test(limit)) throw usageFailure(`--limit is a whole number above 0, not ${limit}`);
  return { all: false, limit: Number(limit) };
}

async function noteNextPage(cli: Cli, { cursor }: ListTrait, page: unknown): Promise<void> {
  if (cursor === undefined || !cli.io.stdout.isTerminal) return;
  const position = (page as Params)[cursor.next];
  if (position == null || position === '') return;
  await cli.note(`There is more: repeat with --${cursor.parameter} ${position}, or with --all.`);
}

/** A list that breaks off behind its first page is done in part. */
async function* countedAsPartly(pages: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  let count = 0;
  try {
    for await (const page of pages) {
      count += 1;
      yield page;
    }
  } catch (error) {
    if (count === 0 || !isRefusal(error)) throw error;
    throw new CommandFailure(`the list breaks off: ${error.message}`, EXIT.partly, {
      cause: error,
    });
  }
}

function warningOf({ group, name, parameters }: OperationCommand, params: Params): string {
  const targets = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => params[parameter.name]);
  return `${[group, name, ...targets].join(' ')} cannot be taken back`;
}
