import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  type ExportVerification,
  keyIdOf,
  type PublicKeys,
  readPublicKey,
  UNSIGNED_FOR_MS,
  verifyExport,
} from '@steward/audit/chain';
import { linesOf } from '@steward/kernel';
import { counted, progressOf } from '../command/progress.ts';
import { visibleLine } from '../command/say.ts';

const USAGE = `Verifies an export of the audit log, without a server. Names the first line that is not as it was recorded.

  steward audit-verify <export> [--key <public key>]... [--signed-since <number>] [--max-unsigned-hours <hours>]

  <export>            the file that GET /_service/admin/v1/audit_log/export answered
  --key <public key>  a PEM file with a public key of the server, from a source that you trust. Without one, signatures
                      are compared with the keys in the export, which can have been changed together with it, and may be missing.
                      With one, all checkpoints must be signed
  --signed-since <number>       with --key: the number from which on the server has had a key; earlier checkpoints need no signature
  --max-unsigned-hours <hours>  with --key: how long after the last signature the newest entry may be made; 25 hours unless given

Exits with 0 if the export is intact, with 1 if it is not, and with 2 if it could not be verified.
`;

const INTACT = 0;
const BROKEN = 1;
const NOT_VERIFIED = 2;

/** The longest line of an export, in characters; an entry has at most about 10 KB. */
const MAX_LINE_LENGTH = 1024 * 1024;

const MS_PER_HOUR = 60 * 60_000;

/** Where the command writes. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs the command with these arguments; returns its exit status. Memory does not grow with the export. */
export async function verifyAuditExport(args: readonly string[], { out, err }: Output): Promise<number> {
  const unusable = (error: unknown) => {
    err(`${visibleLine(`audit-verify: ${(error as Error).message}`)}\n`);
    return NOT_VERIFIED;
  };
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        key: { type: 'string', multiple: true },
        'signed-since': { type: 'string' },
        'max-unsigned-hours': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [file, ...others] = positionals;
    if (values.help) {
      out(USAGE);
      return INTACT;
    }
    if (file === undefined || others.length > 0) {
      err(USAGE);
      return NOT_VERIFIED;
    }
    const { key, 'signed-since': since, 'max-unsigned-hours': hours } = values;
    if (key === undefined && (since !== undefined || hours !== undefined))
      throw new Error('--signed-since and --max-unsigned-hours need --key');
    const trusted = key && {
      keys: await readKeys(key),
      signedSince: since === undefined ? 0 : wholeNumber(since, '--signed-since'),
      maxUnsignedMs:
        hours === undefined ? UNSIGNED_FOR_MS : wholeNumber(hours, '--max-unsigned-hours') * MS_PER_HOUR,
    };
    const progress = progressOf('audit-verify', { print: (line) => err(`${line}\n`) });
    const found = await progress('lines', (step) =>
      verifyExport(counted(linesOf(createReadStream(file), MAX_LINE_LENGTH), step), trusted),
    );
    out(describe(found, trusted !== undefined));
    return found.fault ? BROKEN : INTACT;
  } catch (error) {
    return unusable(error);
  }
}

function wholeNumber(text: string, option: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${option} is a whole number, not ${text}`);
  return Number(text);
}

async function readKeys(files: readonly string[]): Promise<PublicKeys> {
  const keys = await Promise.all(
    files.map(async (file) => {
      const pem = await readFile(file, 'utf8');
      try {
        const key = readPublicKey(pem);
        return [keyIdOf(key), key] as const;
      } catch {
        throw new Error(`${file} does not contain a public Ed25519 key in PEM`);
      }
    }),
  );
  return new Map(keys);
}

function describe(found: ExportVerification, hasTrusted: boolean): string {
  const { fault, entries, first, last, checkpoints, signed, signedUpTo } = found;
  const range = entries === 0 ? '' : `, ${first} to ${last.number}, hash ${last.hash}`;
  const lines = [`${entries} intact entries${range}`, `${checkpoints} checkpoints, ${signed} of them signed`];
  if (fault) {
    const which = fault.id === undefined ? '' : ` (${fault.id})`;
    lines.unshift(`BROKEN at line ${fault.line}${which}: ${fault.message}`);
  } else {
    const signer = hasTrusted ? 'a given key' : 'a key in the export itself: compare with --key';
    lines.push(signed === 0 ? 'nothing is signed' : `signed up to ${signedUpTo}, with ${signer}`);
  }
  return lines.map((line) => `${visibleLine(line)}\n`).join('');
}
