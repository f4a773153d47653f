import type { ChainStart, Checkpoint, Link } from '@steward/audit/chain';
import { FIRST_HASH } from '@steward/audit/chain';
import type { Filter } from '@steward/store';
import { type AuditCheckpoint, checkpointId } from '../model/audit-checkpoint.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import type { ChainDeps } from './chain-deps.ts';
import { chainedEntry } from './chained-entry.ts';

/** How many entries are read at once: few enough not to delay other requests of the process. */
const BATCH = 200;

/** A piece of the chain. */
export type Piece =
  | { readonly link: Link; readonly isMisfiled: boolean }
  | { readonly checkpoint: Checkpoint };

/** Finds those of some entries that are misfiled. */
type FindMisfiled = (deps: Pick<ChainDeps, 'auditLog'>, ids: readonly string[]) => Promise<readonly string[]>;

/** A part of the chain in the store. */
export interface Part {
  /** The last number before it. */
  readonly after: number;
  /** Its last number. */
  readonly to: number;
  /** The number of the last checkpoint that belongs to it. */
  readonly toCheckpoint: number;
}

/**
 * Where a part of the chain starts; undefined when the entry or the checkpoint before it is missing.
 *
 * @param cut the number of the checkpoint up to which entries may be gone; 0 for none
 */
export async function startOf(
  deps: Pick<ChainDeps, 'auditLog' | 'auditCheckpoints'>,
  after: number,
  cut: number,
): Promise<ChainStart | undefined> {
  if (after === 0) return { number: 0, hash: FIRST_HASH, checkpoint: 0 };
  if (after === cut) {
    const kept = await deps.auditCheckpoints.findOne({ _id: checkpointId(cut) });
    return kept ? { number: cut, hash: kept.hash, isSigned: typeof kept.signature === 'string' } : undefined;
  }
  const before = await deps.auditLog.findOne({ 'chain.number': after });
  if (before?.chain?.hash === undefined) return undefined;
  const last = await deps.auditCheckpoints.findOne(
    { _id: { $lt: checkpointId(after) } },
    { sort: { _id: -1 } },
  );
  // One at this number is in the part.
  return {
    number: after,
    hash: before.chain.hash,
    checkpoint: last?.number ?? 0,
    isSigned: typeof last?.signature === 'string',
  };
}

/**
 * Reads a part of the chain in its order, in batches: each entry, then the checkpoint at it; first the checkpoint at
 * `after`. Duplicates of numbers are among the entries.
 *
 * @param findMisfiled marks entries; none are without it
 */
export async function* walkChain(
  deps: Pick<ChainDeps, 'auditLog' | 'auditCheckpoints'>,
  { after, to, toCheckpoint }: Part,
  findMisfiled: FindMisfiled = async () => [],
): AsyncGenerator<Piece> {
  let last: Pick<Link, 'number'> & { readonly id: string } = { number: after, id: '' };
  let checkpoint = checkpointId(after);
  for (let isFirst = true; ; isFirst = false) {
    const entries = await nextEntries(deps, last, to, isFirst);
    const lastNumber = entries.length < BATCH ? to : (entries.at(-1)?.chain?.number ?? to);
    // The checkpoints of a batch are at most as many as its entries.
    const checkpoints = await deps.auditCheckpoints
      .find(
        { _id: { $gte: checkpoint, $lte: checkpointId(Math.min(lastNumber, toCheckpoint)) } },
        { sort: { _id: 1 } },
      )
      .toArray();
    checkpoint = checkpointId(lastNumber + 1);
    const misfiled = new Set(
      await findMisfiled(
        deps,
        entries.map(({ _id }) => _id),
      ),
    );
    yield* merge(entries, checkpoints, misfiled);
    const end = entries.at(-1);
    if (entries.length < BATCH || !end) return;
    last = { number: lastNumber, id: end._id };
  }
}

/** The next entries behind a place, of which another entry may have the number, too. */
async function nextEntries(
  { auditLog }: Pick<ChainDeps, 'auditLog'>,
  last: { readonly number: number; readonly id: string },
  to: number,
  isFirst: boolean,
): Promise<readonly AuditEntry[]> {
  const upTo = async (number: number) => {
    const filter: Filter<AuditEntry> = {
      'chain.number': isFirst ? { $gt: last.number, $lte: number } : { $gte: last.number, $lte: number },
    };
    const found = await auditLog
      .find(filter, { sort: { 'chain.number': 1, _id: 1 }, limit: BATCH + 1 })
      .toArray();
    return found.filter(({ _id }) => _id !== last.id).slice(0, BATCH);
  };
  // Numbers have no gaps, and some engines sort all that matches before they limit it.
  const near = Math.min(to, last.number + BATCH);
  const entries = await upTo(near);
  return entries.length < BATCH && near < to ? upTo(to) : entries;
}

function* merge(
  entries: readonly AuditEntry[],
  checkpoints: readonly AuditCheckpoint[],
  misfiled: ReadonlySet<string>,
): Generator<Piece> {
  let next = 0;
  const upTo = function* (number: number): Generator<Piece> {
    for (
      let found = checkpoints[next];
      found && found._id < checkpointId(number);
      found = checkpoints[++next]
    ) {
      const { _id, ...checkpoint } = found;
      yield { checkpoint };
    }
  };
  for (const entry of entries) {
    const { number = 0, hash = '' } = entry.chain ?? {};
    yield* upTo(number);
    yield { link: { number, hash, entry: chainedEntry(entry) }, isMisfiled: misfiled.has(entry._id) };
  }
  yield* upTo(Number.MAX_SAFE_INTEGER);
}
