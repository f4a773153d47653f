import { STATUS_CODES } from 'node:http';
import type { RawRequest } from '@steward/sdk';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { addCommonOptions } from '../cli/common-options.ts';
import { usageFailure } from '../io/exit.ts';
import { write } from '../io/io.ts';
import { readText } from '../operations/read-input.ts';
import { parseJson } from '../operations/read-value.ts';
import { visible } from '../output/visible.ts';

/** Below which paths without a slash in front are. */
const ADMIN_API = '/_service/admin/';

const READS = new Set(['GET', 'HEAD']);

interface ApiOptions {
  readonly field: readonly string[];
  readonly typedField: readonly string[];
  readonly input?: string;
  readonly include?: true;
}

/** Adds `api`, which sends a request by its path. */
export function addApi(program: Command, cli: Cli): void {
  const collect = (text: string, earlier: readonly string[] = []) => [...earlier, text];
  const command = program
    .command('api')
    .summary('Sends a request by its method and path')
    .description(
      'Sends a request by its method and path and writes the answer. A path without a slash in front is below ' +
        `${ADMIN_API}, such as v2/users. Fields become the query of GET and the body of other methods.`,
    )
    .argument('<method>', 'The method of HTTP.')
    .argument('<path>', 'The path, possibly with a query.')
    .addOption(
      new Option('-f, --field <name=text>', 'A field with a text. Repeatable.')
        .argParser(collect)
        .default([]),
    )
    .addOption(
      new Option('-F, --typed-field <name=json>', 'A field with a value of JSON. Repeatable.')
        .argParser(collect)
        .default([]),
    )
    .addOption(new Option('--input <path>', 'Send this file as the body, as JSON; - is the standard input.'))
    .addOption(new Option('-i, --include', 'Write the status and the headers of the answer in front.'));
  addCommonOptions(command).action(async (verb: string, path: string, options: ApiOptions) => {
    const method = verb.toUpperCase();
    if (!/^[A-Z]+$/.test(method)) throw usageFailure(`${verb} is not an HTTP method`);
    const request = await requestOf(cli, method, path, options);
    const output = await cli.output(command);
    const client = await cli.client(command);
    if (method === 'DELETE') await cli.confirm(command, `${method} ${request.path} cannot be taken back`);
    const response = await client.request(request, { signal: cli.signal });
    if (options.include) await write(cli.io.stdout, visible(headOf(response)));
    const isJson = /^application\/(?:[\w.+-]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
    if (response.body === null || method === 'HEAD') return;
    if (isJson) await output.answer(await response.json());
    else await output.bytes(response.body);
  });
}

async function requestOf(cli: Cli, method: string, path: string, options: ApiOptions): Promise<RawRequest> {
  const fields = fieldsOf(options);
  const hasFields = Object.keys(fields).length > 0;
  const full = path.startsWith('/') ? path : `${ADMIN_API}${path}`;
  if (/^\/[/\\]/.test(full)) throw usageFailure(`${path} is not a path: it has two slashes in front`);
  if (options.input !== undefined) {
    if (hasFields) throw usageFailure('--input and fields exclude each other');
    const body = await readText(cli.io, options.input);
    return { method, path: full, body, headers: { 'content-type': 'application/json' } };
  }
  if (READS.has(method)) {
    if (hasFields && full.includes('?'))
      throw usageFailure('the query is in the path or in fields, not in both');
    return { method, path: full, query: fields };
  }
  return { method, path: full, json: fields };
}

function fieldsOf({ field, typedField }: ApiOptions): Record<string, unknown> {
  const texts = field.map((pair) => split(pair, '--field'));
  const values = typedField.map((pair) => {
    const [name, text] = split(pair, '--typed-field');
    return [name, parseJson(text, `--typed-field ${name}`)] as const;
  });
  return Object.fromEntries([...texts, ...values]);
}

function split(pair: string, flag: string): readonly [name: string, text: string] {
  const at = pair.indexOf('=');
  if (at < 1) throw usageFailure(`${flag} is a name, = and a value, not ${pair}`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function headOf({ status, headers }: Response): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\n`);
  return `HTTP ${status} ${STATUS_CODES[status] ?? ''}\n${lines.join('')}\n`;
}
