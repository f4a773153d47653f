import type { VerifyAuditLogResponse } from '@steward/sdk';
import { Argument, type Command, Option } from 'commander';
import type { Cli } from '../cli/cli.ts';
import { findCommand } from '../cli/find-command.ts';
import { CommandFailure, EXIT, usageFailure } from '../io/exit.ts';
import { inputOf } from '../io/io.ts';
import { progressOn } from '../output/progress.ts';
import type { Flow } from './flow.ts';

interface VerifyOptions {
  readonly key?: readonly string[];
  readonly signedSince?: string;
  readonly maxUnsignedHours?: string;
  readonly onServer?: true;
  readonly fromNumber?: string;
  readonly limit?: string;
}

/** How many entries the server verifies in one request. */
const PART = 10_000;

/** Lets `audit verify` verify here what the server exports, so that the server is not asked about itself. */
export const addAuditVerify: Flow = (program, cli) => {
  const command = findCommand(program, 'audit', 'verify');
  command
    .description(
      'Verifies the audit log: that the numbered entries are as they were recorded, and names the first one that is not. The export of the server is ' +
        'verified here, while it arrives; or that in a file. Signatures are compared with --key, and must then be there; else with the keys of the ' +
        'export itself, which can have been changed together with it. With --on-server the server verifies, in parts.\n\n' +
        'Ends with 0 when the log is intact, 1 when it is not.\n\nFor administrators with the scope `audit:read`.',
    )
    .addArgument(
      new Argument(
        '[file]',
        'An export to verify in place of the log of the server; - is the standard input.',
      ),
    )
    .addOption(
      new Option(
        '--key <path>',
        'A file with a public key of the server in PEM, from a source that you trust. Repeatable.',
      ).argParser((text: string, earlier: readonly string[] = []) => [...earlier, text]),
    )
    .addOption(
      new Option(
        '--signed-since <number>',
        'With --key: the number from which on the server has had a key. Earlier checkpoints need no signature.',
      ),
    )
    .addOption(
      new Option(
        '--max-unsigned-hours <hours>',
        'With --key: how long after the last signature the newest entry may be made; 25 hours unless given.',
      ),
    )
    .addOption(new Option('--on-server', 'Let the server verify.'));
  command.action(async () => {
    const options = command.opts<VerifyOptions>();
    const [file] = command.processedArgs as [string | undefined];
    if (options.onServer && (file !== undefined || options.key !== undefined))
      throw usageFailure('--on-server excludes a file and --key');
    if (options.key === undefined && (options.signedSince ?? options.maxUnsignedHours) !== undefined)
      throw usageFailure('--signed-since and --max-unsigned-hours need --key');
    if (file !== undefined && (options.fromNumber !== undefined || options.limit !== undefined))
      throw usageFailure('--from-number and --limit are for the log of the server, not for a file');
    await (options.onServer
      ? verifyOnServer(cli, command, options)
      : verifyHere(cli, command, options, file));
  });
};

async function verifyHere(
  cli: Cli,
  command: Command,
  options: VerifyOptions,
  file: string | undefined,
): Promise<void> {
  const output = await cli.output(command);
  const [{ keyIdOf, readPublicKey, UNSIGNED_FOR_MS, verifyExport }, { linesOf }] = await Promise.all([
    import('@steward/audit/chain'),
    import('@steward/kernel'),
  ]);
  const hours = numberOf(options.maxUnsignedHours, '--max-unsigned-hours');
  const trusted = options.key && {
    keys: new Map(await Promise.all(options.key.map(readKey))),
    signedSince: numberOf(options.signedSince, '--signed-since') ?? 0,
    maxUnsignedMs: hours === undefined ? UNSIGNED_FOR_MS : hours * MS_PER_HOUR,
  };
  const progress = progressOn(cli.io);
  let count = 0;
  async function* counted(lines: AsyncIterable<string>) {
    for await (const line of lines) {
      cli.signal.throwIfAborted();
      count += 1;
      if (count % LINES_SHOWN === 0) progress.show(count, null, 'lines verified');
      yield line;
    }
  }
  try {
    const bytes = await exported(cli, command, options, file);
    const found = await verifyExport(counted(linesOf(bytes, LONGEST_LINE)), trusted);
    progress.clear();
    const { fault, entries, first, last, checkpoints, signed, signedUpTo } = found;
    await output.answer({
      valid: fault === undefined,
      entries,
      first_number: entries === 0 ? null : first,
      last_number: entries === 0 ? null : last.number,
      hash: entries === 0 ? null : last.hash,
      checkpoints,
      signed,
      signed_up_to: signedUpTo,
      keys: trusted === undefined ? 'of the export itself; compare with --key' : 'given',
      error: fault === undefined ? null : { line: fault.line, id: fault.id ?? null, message: fault.message },
    });
    if (fault === undefined) return;
    const which = fault.id === undefined ? '' : ` (${fault.id})`;
    throw new CommandFailure(
      `The audit log is broken at line ${fault.line} of the export${which}: ${fault.message}`,
    );
  } finally {
    progress.clear();
  }

  async function readKey(path: string) {
    const { readText } = await import('../operations/read-input.ts');
    const pem = await readText(cli.io, path);
    try {
      const key = readPublicKey(pem);
      return [keyIdOf(key), key] as const;
    } catch {
      throw usageFailure(`${path} has no public Ed25519 key in PEM`);
    }
  }
}

/** The longest line of an export, in characters; an entry has at most about 10 KB. */
const LONGEST_LINE = 1024 * 1024;
const LINES_SHOWN = 1_000;
const MS_PER_HOUR = 60 * 60_000;

/** Returns the export of the server, or that of a file, while it is read. */
async function exported(
  cli: Cli,
  command: Command,
  { fromNumber, limit }: VerifyOptions,
  file: string | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  if (file === '-') return inputOf(cli.io);
  if (file !== undefined) {
    const { open } = await import('node:fs/promises');
    try {
      return (await open(file)).createReadStream();
    } catch (error) {
      throw new CommandFailure(`cannot read ${file}: ${(error as Error).message}`, EXIT.usage, {
        cause: error,
      });
    }
  }
  const from = numberOf(fromNumber, '--from-number');
  const count = numberOf(limit, '--limit');
  if (count !== undefined && from === undefined)
    throw usageFailure('--limit needs --from-number, or --on-server');
  const to = from !== undefined && count !== undefined ? { to_number: from + count - 1 } : {};
  const client = await cli.client(command);
  return client.audit.export(
    { ...(from !== undefined && { from_number: from }), ...to },
    { signal: cli.signal },
  );
}

/** Has the server verify part after part, to the end or for as many entries as were asked for. */
async function verifyOnServer(
  cli: Cli,
  command: Command,
  { fromNumber, limit }: VerifyOptions,
): Promise<void> {
  const output = await cli.output(command);
  const client = await cli.client(command);
  const progress = progressOn(cli.io);
  let from = numberOf(fromNumber, '--from-number');
  let left = numberOf(limit, '--limit') ?? Number.POSITIVE_INFINITY;
  const sums = { entries: 0, checkpoints: 0, signed: 0 };
  let first: number | null = null;
  try {
    for (;;) {
      const part: VerifyAuditLogResponse = await client.audit.verify(
        { ...(from !== undefined && { from_number: from }), limit: Math.min(left, PART) },
        { signal: cli.signal },
      );
      sums.entries += part.entries;
      sums.checkpoints += part.checkpoints;
      sums.signed += part.signed;
      first ??= part.first_number;
      left -= part.entries;
      progress.show(sums.entries, null, 'entries verified');
      const next = part.next_number;
      if (part.valid && !part.complete && next !== undefined && left > 0) {
        from = next;
        continue;
      }
      progress.clear();
      await output.answer({ ...part, ...sums, first_number: first });
      if (part.valid) return;
      throw new CommandFailure(`The audit log is broken: ${part.error?.message ?? 'see the answer'}`);
    }
  } finally {
    progress.clear();
  }
}

function numberOf(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw usageFailure(`${flag} is a whole number above 0, not ${text}`);
  return Number(text);
}
