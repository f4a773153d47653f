import { isObject } from '@steward/kernel';
import { ChainVerifier, type Fault, type Link } from './chain-verifier.ts';
import type { Checkpoint } from './checkpoint.ts';
import { EXPORT_FORMAT, EXPORT_VERSION } from './export-format.ts';
import { keyIdOf, type PublicKeys, readPublicKey } from './signing-keys.ts';

/** What is wrong with the first broken line of an export. */
export interface ExportFault extends Omit<Fault, 'kind' | 'number'> {
  /** Its number, from 1; behind the last line for one that is missing. */
  readonly line: number;
}

/** What the verification of an export found. */
export interface ExportVerification {
  readonly entries: number;
  /** The first number; 0 without entries. */
  readonly first: number;
  readonly last: { readonly number: number; readonly hash: string };
  readonly checkpoints: number;
  readonly signed: number;
  /** The number of the last checkpoint with a valid signature; 0 for none. Signatures cover the entries up to there. */
  readonly signedUpTo: number;
  readonly fault?: ExportFault;
}

/** What a reader knows of the server that an export is of, from a source that it trusts. */
export interface Trusted {
  /** The keys whose signatures are accepted. */
  readonly keys: PublicKeys;
  /** The number from which on the server signs: earlier checkpoints may have no signature. */
  readonly signedSince: number;
  /** How long after the last signed checkpoint the newest entry may be made, in milliseconds. */
  readonly maxUnsignedMs: number;
}

/**
 * How long after the last signed checkpoint the newest entry is made at most, in milliseconds: a server with a key signs each day with
 * new entries, and looks for them every ten minutes.
 */
export const UNSIGNED_FOR_MS = 25 * 60 * 60_000;

type Parsed = Readonly<Record<string, unknown>>;

/** The keys of the lines of each kind. */
const KEYS: Readonly<Record<string, ReadonlySet<string>>> = {
  header: new Set([
    ...[
      'kind',
      'format',
      'version',
      'server_name',
      'ts',
      'after',
      'after_hash',
      'after_checkpoint',
      'after_signed',
    ],
    'public_keys',
  ]),
  entry: new Set(['kind', 'number', 'hash', 'entry']),
  checkpoint: new Set(['kind', 'number', 'hash', 'ts', 'newest_ts', 'previous', 'key_id', 'signature']),
  end: new Set(['kind', 'number', 'hash', 'checkpoint']),
};

/** A line that no export of this format has. */
class Malformed extends Error {}

/**
 * Verifies an export, in constant memory.
 *
 * @param lines of the export
 * @param trusted if undefined, the keys that the export contains are accepted, and signatures may be missing
 * @throws the error of the input
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  trusted?: Trusted,
): Promise<ExportVerification> {
  let line = 0;
  let verifier: ChainVerifier | undefined;
  let first = 0;
  let signedUpTo = 0;
  let signedTs = 0;
  let newestTs = 0;
  let hasEnded = false;
  const found = (fault?: ExportFault): ExportVerification => ({
    entries: verifier?.entries ?? 0,
    first,
    last: verifier?.last ?? { number: 0, hash: '' },
    checkpoints: verifier?.checkpoints ?? 0,
    signed: verifier?.signed ?? 0,
    signedUpTo,
    ...(fault ? { fault } : {}),
  });
  const verify = (parsed: Parsed): Omit<Fault, 'kind' | 'number'> | undefined => {
    if (!verifier) {
      verifier = started(parsed, trusted);
      return undefined;
    }
    if (hasEnded) throw new Malformed('follows the end');
    switch (parsed.kind) {
      case 'entry': {
        const link = linkOf(parsed);
        const fault = verifier.entry(link);
        const { ts } = link.entry;
        if (typeof ts === 'number') newestTs = Math.max(newestTs, ts);
        if (!fault && first === 0) first = verifier.last.number;
        return fault;
      }
      case 'checkpoint': {
        const before = verifier.signed;
        const checkpoint = checkpointOf(parsed);
        const fault = verifier.checkpoint(checkpoint);
        newestTs = Math.max(newestTs, checkpoint.newest_ts);
        if (verifier.signed > before) {
          signedUpTo = verifier.last.number;
          signedTs = checkpoint.ts;
        }
        return fault;
      }
      case 'end': {
        hasEnded = true;
        const { number, hash, checkpoint } = fieldsOf(parsed, {
          number: 'number',
          hash: 'string',
          checkpoint: 'number',
        });
        return (
          verifier.end({ number, hash, checkpoint }) ??
          (trusted && verifier.entries > 0
            ? unsignedEnd({ number, signedUpTo, unsignedMs: newestTs - signedTs }, trusted)
            : undefined)
        );
      }
      default:
        throw new Malformed('is of no known kind');
    }
  };
  for await (const text of lines) {
    line++;
    try {
      const fault = verify(parse(text));
      if (fault)
        return found({ line, message: fault.message, ...(fault.id === undefined ? {} : { id: fault.id }) });
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      return found({ line, message: `The line ${error.message}.` });
    }
  }
  if (!hasEnded)
    return found({ line: line + 1, message: 'The export is incomplete: its last line is missing.' });
  return found();
}

function parse(text: string): Parsed {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Malformed('is not JSON');
  }
  if (!isObject(parsed)) throw new Malformed('is not a JSON object');
  // The parser keeps one of two equal keys.
  if (JSON.stringify(parsed) !== text) throw new Malformed('is not written as the server writes it');
  const known = KEYS[String(parsed.kind)];
  const unknown = known && Object.keys(parsed).find((key) => !known.has(key));
  if (unknown !== undefined) throw new Malformed(`has an unknown key, ${JSON.stringify(unknown)}`);
  return parsed;
}

/** What is wrong at the end of a chain whose last entries have no signature that covers them, or none of which has. */
function unsignedEnd(
  { number, signedUpTo, unsignedMs }: { number: number; signedUpTo: number; unsignedMs: number },
  { signedSince, maxUnsignedMs }: Trusted,
): Omit<Fault, 'kind' | 'number'> | undefined {
  if (number < signedSince || (signedUpTo > 0 && unsignedMs <= maxUnsignedMs)) return undefined;
  if (signedUpTo === number) return undefined;
  return {
    message:
      signedUpTo === 0
        ? 'Nothing is signed, although the server has a key.'
        : `Entries after ${signedUpTo} are not signed, and the newest is made too long after that signature.`,
  };
}

function started(header: Parsed, trusted: Trusted | undefined): ChainVerifier {
  if (header.kind !== 'header' || header.format !== EXPORT_FORMAT)
    throw new Malformed(`is not the first line of an export (${EXPORT_FORMAT})`);
  if (header.version !== EXPORT_VERSION)
    throw new Malformed(`is of version ${JSON.stringify(header.version)}, which this release does not know`);
  const { server_name, after, after_hash } = fieldsOf(header, {
    server_name: 'string',
    after: 'number',
    after_hash: 'string',
  });
  const { after_checkpoint: checkpoint, after_signed: isSigned, public_keys: pems } = header;
  return new ChainVerifier(server_name, trusted?.keys ?? keysOf(pems), {
    number: after,
    hash: after_hash,
    ...(typeof checkpoint === 'number' ? { checkpoint } : {}),
    isSigned: isSigned === true,
    signedSince: trusted?.signedSince,
  });
}

function keysOf(pems: unknown): PublicKeys {
  if (!Array.isArray(pems)) throw new Malformed('has no list of public keys');
  return new Map(
    pems.map((pem) => {
      try {
        const key = readPublicKey(String(pem));
        return [keyIdOf(key), key];
      } catch {
        throw new Malformed('has a public key that is not an Ed25519 key');
      }
    }),
  );
}

function linkOf(parsed: Parsed): Link {
  const { number, hash } = fieldsOf(parsed, { number: 'number', hash: 'string' });
  const { entry } = parsed;
  if (!isObject(entry)) throw new Malformed('has no entry');
  const { id } = fieldsOf(entry, { id: 'string' });
  return { number, hash, entry: { ...entry, id } };
}

function checkpointOf(parsed: Parsed): Checkpoint {
  const { key_id, signature } = parsed;
  return {
    ...fieldsOf(parsed, {
      number: 'number',
      hash: 'string',
      ts: 'number',
      newest_ts: 'number',
      previous: 'number',
    }),
    key_id: typeof key_id === 'string' ? key_id : null,
    signature: typeof signature === 'string' ? signature : null,
  };
}

interface Types {
  readonly number: number;
  readonly string: string;
}

/** The named fields of an object, which must have these types. */
function fieldsOf<T extends Readonly<Record<string, keyof Types>>>(
  object: Parsed,
  types: T,
): { readonly [K in keyof T]: Types[T[K]] } {
  for (const [name, type] of Object.entries(types))
    if (typeof object[name] !== type) throw new Malformed(`has no ${name}, or one of another type`);
  return Object.fromEntries(Object.keys(types).map((name) => [name, object[name]])) as {
    readonly [K in keyof T]: Types[T[K]];
  };
}
