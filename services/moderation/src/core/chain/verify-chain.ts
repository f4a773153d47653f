import { type ChainStart, ChainVerifier, type Fault, isCutSignedBy, type Link } from '@steward/audit/chain';
import { refuse } from '@steward/errors';
import type { AuditChain } from '../model/audit-chain.ts';
import { checkpointId } from '../model/audit-checkpoint.ts';
import { loadChain } from './audit-chain-aggregate.ts';
import type { ChainDeps } from './chain-deps.ts';
import { missingSignature } from './note-signature.ts';
import type { Signed } from './signing-record.ts';
import { startOf, walkChain } from './walk-chain.ts';

/** What the verification of a part of the stored chain found. */
export interface Verification {
  /** The number before the first that was verified. */
  readonly after: number;
  /** The last entry that was verified; that before the part if there was none. */
  readonly last: { readonly number: number; readonly hash: string };
  readonly entries: number;
  readonly checkpoints: number;
  readonly signed: number;
  readonly fault?: Fault;
  /** Whether the verification reached the end of the chain. */
  readonly reachedEnd: boolean;
}

/** Which part of the chain is verified. */
export interface VerifyOptions {
  /** The number before its first; undefined for the first that is in the log. */
  readonly after?: number | undefined;
  /** The most entries. */
  readonly limit: number;
  /** When to stop, in milliseconds since the Unix epoch. */
  readonly deadlineMs: number;
}

const NOTHING = { number: 0, hash: '' };

/**
 * Verifies a part of the stored chain, while entries are appended and old ones are removed.
 *
 * @throws refuse.notFound when the part is behind the end of the chain
 */
export async function verifyChain(deps: ChainDeps, options: VerifyOptions): Promise<Verification> {
  // Before the chain, which is then at least as far.
  const signed = await deps.signingRecord.read();
  const chain = await loadChain(deps);
  if (!chain) return verifyAbsence(deps, signed);
  // Retention may have removed what the caller continues at.
  const after = Math.max(options.after ?? chain.cut, chain.cut);
  if (after > chain.number) throw refuse.notFound(`The last number of the audit log is ${chain.number}`);
  const found = await verifyPart(deps, chain, after, options, signed);
  if (!found.fault) return found;
  // Retention may have removed entries in the course of the verification.
  const cut = (await loadChain(deps))?.cut ?? 0;
  return cut > after ? verifyChain(deps, { ...options, after: cut }) : found;
}

async function verifyPart(
  deps: ChainDeps,
  chain: AuditChain,
  after: number,
  { limit, deadlineMs }: VerifyOptions,
  signed: Signed | undefined,
): Promise<Verification> {
  const start = await startOf(deps, after, chain.cut);
  if (!start) return { ...nothing(after), fault: missingStart(after, chain) };
  const unproved = after === chain.cut ? verifyCut(deps, chain, start, signed) : undefined;
  if (unproved) return { ...nothing(after), fault: unproved };
  const verifier = new ChainVerifier(deps.serverName, deps.signingKeys.publicKeys, {
    ...start,
    signedSince: signed?.since,
  });
  const to = Math.min(chain.number, after + limit);
  const found = (fault: Fault | undefined, reachedEnd: boolean): Verification => ({
    after,
    last: verifier.last,
    entries: verifier.entries,
    checkpoints: verifier.checkpoints,
    signed: verifier.signed,
    ...(fault ? { fault } : {}),
    reachedEnd,
  });
  for await (const piece of walkChain(deps, { after, to, toCheckpoint: chain.checkpoint }, findMisfiled)) {
    const fault =
      'link' in piece
        ? (verifier.entry(piece.link) ?? (piece.isMisfiled ? misfiled(piece.link) : undefined))
        : verifier.checkpoint(piece.checkpoint);
    if (fault) return found(fault, false);
    if ('checkpoint' in piece || deps.clock.now() < deadlineMs || verifier.entries === 0) continue;
    return found(undefined, false);
  }
  if (to < chain.number) {
    const gap = verifier.last.number < to ? verifier.end({ ...chain, number: to }) : undefined;
    return found(gap, false);
  }
  const fault =
    verifier.end(chain) ??
    (await findBeyond(deps, chain)) ??
    (signed && (await missingSignature(deps, chain, signed)));
  return found(fault, true);
}

/** Verifies that this server cut the chain at its start: otherwise anyone with access to the store could drop its first entries. */
function verifyCut(
  { serverName, signingKeys }: ChainDeps,
  { cut: number, cut_key_id: key_id, cut_signature: signature }: AuditChain,
  { hash, isSigned = false }: ChainStart,
  signed: Signed | undefined,
): Fault | undefined {
  const fault = (kind: Fault['kind'], what: string): Fault => ({
    kind,
    number,
    message: `That the entries up to ${number} were removed after their retention ${what}.`,
  });
  if (typeof signature !== 'string' || typeof key_id !== 'string')
    return isSigned || (signed && number >= signed.since)
      ? fault('signature_missing', 'has no signature, although the checkpoint there had one')
      : undefined;
  const key = signingKeys.publicKeys.get(key_id);
  if (!key) return fault('key_unknown', `is signed with the key ${key_id}, which is not known here`);
  if (isCutSignedBy(key, serverName, { number, hash, key_id }, signature)) return undefined;
  return fault('signature_invalid', 'has a signature that is not valid');
}

/** Finds an entry or a checkpoint behind the end of the chain. */
async function findBeyond(deps: ChainDeps, chain: AuditChain): Promise<Fault | undefined> {
  const entry = await deps.auditLog.findOne(
    { 'chain.number': { $gt: chain.number } },
    { sort: { 'chain.number': 1, _id: 1 } },
  );
  const checkpoint = await deps.auditCheckpoints.findOne(
    { _id: { $gt: checkpointId(chain.checkpoint) } },
    { sort: { _id: 1 } },
  );
  if (!entry && !checkpoint) return undefined;
  // What was appended in the course of the verification is known to the chain by now.
  const latest = (await loadChain(deps)) ?? chain;
  const { number = 0 } = entry?.chain ?? {};
  if (entry && number > latest.number) {
    const message = `The chain ends at ${latest.number}, before this entry.`;
    return { kind: 'entry_appended', number, id: entry._id, message };
  }
  if (!checkpoint || checkpoint._id <= checkpointId(latest.checkpoint)) return undefined;
  return {
    kind: 'head_changed',
    number: Number(checkpoint._id),
    message: `The chain knows no checkpoint after ${latest.checkpoint}, but there is one at ${Number(checkpoint._id)}.`,
  };
}

/** A log without a chain: nothing is numbered yet, or the end of the chain was removed. */
async function verifyAbsence(deps: ChainDeps, signed: Signed | undefined): Promise<Verification> {
  const entry = await deps.auditLog.findOne(
    { 'chain.number': { $gt: 0 } },
    { sort: { 'chain.number': 1, _id: 1 } },
  );
  const checkpoint = await deps.auditCheckpoints.findOne({}, { sort: { _id: 1 } });
  const none = { ...nothing(0), reachedEnd: true };
  if (!entry && !checkpoint) {
    const missing = signed && (await missingSignature(deps, undefined, signed));
    return missing ? { ...none, fault: missing } : none;
  }
  // Another process may have started the chain just now.
  if (await loadChain(deps)) return none;
  const number = entry?.chain?.number ?? checkpoint?.number ?? 0;
  const message = 'The end of the chain is missing, although there are numbered entries or checkpoints.';
  return { ...none, fault: { kind: 'head_missing', number, message } };
}

/** Finds the entries of a batch that lists do not find by what they say. */
const findMisfiled = ({ auditLog }: Pick<ChainDeps, 'auditLog'>, ids: readonly string[]) =>
  auditLog.misfiled(ids);

function misfiled({ number, entry: { id } }: Link): Fault {
  const message = `Lists find entry ${number} by something else than it says: its copies for indexes were changed.`;
  return { kind: 'index_changed', number, id, message };
}

function nothing(after: number) {
  return { after, last: NOTHING, entries: 0, checkpoints: 0, signed: 0, reachedEnd: false };
}

function missingStart(after: number, { cut }: AuditChain): Fault {
  return after === cut
    ? {
        kind: 'checkpoint_missing',
        number: cut,
        message: `The checkpoint at ${cut}, before the first entry, is missing.`,
      }
    : { kind: 'entry_missing', number: after, message: `Entry ${after} is missing.` };
}
