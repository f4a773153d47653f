import { chainHash } from '@steward/audit/chain';
import { type Decision, type NewEffect, unchanged } from '@steward/service';
import { type Filter, NOT_FLUSHED } from '@steward/store';
import { type AuditChain, CHAIN_ID, type CheckpointEffect, type NumberEffect } from '../model/audit-chain.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import { auditChainAggregate, startChain } from './audit-chain-aggregate.ts';
import type { ChainDeps } from './chain-deps.ts';
import { chainedEntry } from './chained-entry.ts';
import { noteSignature } from './note-signature.ts';

/** The most entries in one commit: with a checkpoint, fewer than the effects that may be pending. */
const BATCH = 60;

/** How long an entry waits for its outcome before it is appended without, in milliseconds: requests end after a minute. */
const OUTCOME_WAIT_MS = 5 * 60_000;

/** The longest time between an entry and the next checkpoint, in milliseconds: a day. */
const CHECKPOINT_INTERVAL_MS = 24 * 60 * 60_000;

/** The entries without a number. */
const UNCHAINED: Filter<AuditEntry> = { 'chain.number': null };

/** The entries that never change again: they have their outcome, or no longer wait for it. */
const SETTLED: Filter<AuditEntry> = {
  ...UNCHAINED,
  $or: [{ outcome: { $ne: 'unknown' } }, { 'chain.sealed': true }],
};

/** The options of `appendEntries`. */
export interface AppendOptions {
  /** Whether a checkpoint is made behind these entries, unless there is one. */
  readonly checkpoint?: boolean;
}

/**
 * Appends the next entries to the chain, in the order of their ids, in one commit; with the checkpoint that is due. Several
 * processes may do so concurrently: the one that commits second decides again. The commit is not flushed: what loses
 * it loses the later ones, too. One with a checkpoint is.
 *
 * @returns whether there may be more to append
 * @throws ChainLost
 */
export async function appendEntries(deps: ChainDeps, options: AppendOptions = {}): Promise<boolean> {
  const wantsCheckpoint = options.checkpoint === true;
  const decide = async (chain: AuditChain) => {
    // A batch ends at the number of the next checkpoint.
    const space = Math.min(BATCH, Math.max(1, chain.checkpoint + deps.checkpointEntries - chain.number));
    const entries = await deps.auditLog.find(SETTLED, { sort: { _id: 1 }, limit: space }).toArray();
    const isFull = entries.length === space;
    const decision = decisionOf(deps, chain, entries, wantsCheckpoint);
    const decided: AuditChain | undefined = decision && { ...chain, ...decision.set };
    const result = { isFull, decided };
    return decision ? { ...decision, result } : unchanged(result);
  };
  const append = () => auditChainAggregate.change(deps, CHAIN_ID, decide, NOT_FLUSHED);
  let appended = await append();
  if (!appended) {
    await startChain(deps);
    appended = await append();
  }
  const { isFull = false, decided } = appended?.result ?? {};
  if (decided && decided.checkpoint === decided.number && deps.signingKeys.keyId !== null)
    await noteSignature(deps, decided, { number: decided.number, hash: decided.hash });
  return isFull;
}

function decisionOf(
  deps: ChainDeps,
  chain: AuditChain,
  entries: readonly AuditEntry[],
  wantsCheckpoint: boolean,
): Decision<AuditChain, NumberEffect | CheckpointEffect> | undefined {
  const now = deps.clock.now();
  let { number, hash, newest_ts } = chain;
  const effects: NewEffect<NumberEffect | CheckpointEffect>[] = [];
  for (const entry of entries) {
    number++;
    hash = chainHash(number, hash, chainedEntry(entry));
    // A clock that was ahead must not keep the entries of the chain beyond their retention.
    newest_ts = Math.max(newest_ts, Math.min(entry.ts, now));
    effects.push({ kind: 'number', entry: entry._id, number, hash });
  }
  const isDue =
    wantsCheckpoint ||
    number - chain.checkpoint >= deps.checkpointEntries ||
    isOlder(chain.checkpoint_ts, CHECKPOINT_INTERVAL_MS, now);
  const hasCheckpoint = isDue && number > chain.checkpoint;
  if (!hasCheckpoint && entries.length === 0) return undefined;
  const end = { number, hash, newest_ts };
  if (!hasCheckpoint) return { set: end, effects };
  const { keyId: key_id, sign } = deps.signingKeys;
  const content = { ...end, ts: now, previous: chain.checkpoint, key_id };
  effects.push({ kind: 'checkpoint', ...content, signature: sign(deps.serverName, content) });
  return { set: { ...end, checkpoint: number, checkpoint_ts: now }, effects };
}

/**
 * Seals those of the oldest entries without a number that have waited for their outcome for too long, so that they can be
 * appended: an outcome that still arrives becomes an entry of its own.
 */
export async function sealEntries({
  auditLog,
  clock,
  sealing,
}: Pick<ChainDeps, 'auditLog' | 'clock' | 'sealing'>): Promise<void> {
  const now = clock.now();
  // A process of a release without a chain stores entries without the time, and may still add their outcome.
  const isOverdue = ({ outcome, ts, chain = {} }: AuditEntry) =>
    outcome === 'unknown' && !chain.sealed && isOlder(chain.received_ts ?? ts, OUTCOME_WAIT_MS, now);
  const oldest = await auditLog.find(UNCHAINED, { sort: { _id: 1 }, limit: 2 * BATCH }).toArray();
  const overdue = oldest.filter(isOverdue);
  if (overdue.length === 0) return;
  await sealing(overdue);
  await auditLog.updateMany(
    { _id: { $in: overdue.map(({ _id }) => _id) }, outcome: 'unknown' },
    { $set: { 'chain.sealed': true } },
    NOT_FLUSHED,
  );
}

/** Whether a time is at least so long ago; or ahead by as much, because the clock was set back since. */
function isOlder(ts: number, ms: number, now: number): boolean {
  return Math.abs(now - ts) >= ms;
}

/** The most entries that `countUnchained` counts. */
const MOST_COUNTED = 1_000;

/** Counts the entries without a number; `MOST_COUNTED` stands for that many or more. */
export async function countUnchained({ auditLog }: Pick<ChainDeps, 'auditLog'>): Promise<number> {
  const found = await auditLog
    .find(UNCHAINED, { sort: { _id: 1 }, limit: MOST_COUNTED, projection: { _id: 1 } })
    .toArray();
  return found.length;
}

/** The oldest entry without a number. */
export function oldestUnchained({ auditLog }: Pick<ChainDeps, 'auditLog'>): Promise<AuditEntry | null> {
  return auditLog.findOne(UNCHAINED, { sort: { _id: 1 }, projection: { ts: 1 } });
}
