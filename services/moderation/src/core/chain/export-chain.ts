import {
  type ChainEnd,
  type Checkpoint,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type Link,
} from '@steward/audit/chain';
import { refuse } from '@steward/errors';
import type { AuditChain } from '../model/audit-chain.ts';
import { loadChain } from './audit-chain-aggregate.ts';
import type { ChainDeps } from './chain-deps.ts';
import { startOf, walkChain } from './walk-chain.ts';

/** The first line of an export. */
export interface ExportHeader {
  readonly kind: 'header';
  readonly format: typeof EXPORT_FORMAT;
  readonly version: typeof EXPORT_VERSION;
  readonly server_name: string;
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** The number before the first entry, and its hash. */
  readonly after: number;
  readonly after_hash: string;
  /** The number of the last checkpoint before the first line behind this one; null where it is past its retention. */
  readonly after_checkpoint: number | null;
  /** Whether that checkpoint has a signature, so that the next one must have one. */
  readonly after_signed: boolean;
  /** The public keys that the server knows, in PEM, for readers that trust the export. */
  readonly public_keys: readonly string[];
}

/** A line of an export. */
export type ExportLine =
  | ExportHeader
  | ({ readonly kind: 'entry' } & Link)
  | ({ readonly kind: 'checkpoint' } & Checkpoint)
  | ({ readonly kind: 'end' } & ChainEnd);

/** Which part of the chain is exported: its first and its last number, by default those of the chain. */
export interface ExportRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * Exports a part of the stored chain: a header, entries and checkpoints in order, and the end, without which the export is
 * incomplete. It does not verify them.
 *
 * @throws refuse.notFound before the first line when the part is not in the log
 * @throws Error when retention removes entries in the course of it
 */
export async function* exportChain(deps: ChainDeps, { from, to }: ExportRange): AsyncGenerator<ExportLine> {
  const chain = await loadChain(deps);
  if (!chain) throw refuse.notFound('The audit log has no numbered entries');
  const after = from === undefined ? chain.cut : from - 1;
  const last = Math.min(to ?? chain.number, chain.number);
  if (after < chain.cut || last <= after) {
    throw refuse.notFound(`The audit log has the numbers ${chain.cut + 1} to ${chain.number}`);
  }
  const start = await startOf(deps, after, chain.cut);
  if (!start) throw refuse.notFound(`Number ${after} is missing: verify the audit log`);
  yield {
    kind: 'header',
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    server_name: deps.serverName,
    ts: deps.clock.now(),
    after,
    after_hash: start.hash,
    after_checkpoint: start.checkpoint ?? null,
    after_signed: start.isSigned ?? false,
    public_keys: [...deps.signingKeys.publicKeys.values()].map((key) =>
      key.export({ type: 'spki', format: 'pem' }).toString(),
    ),
  };
  const end = { number: after, hash: start.hash, checkpoint: start.checkpoint ?? 0 };
  let previous = start.checkpoint;
  for await (const piece of walkChain(deps, { after, to: last, toCheckpoint: chain.checkpoint })) {
    if ('link' in piece) {
      if (piece.link.number > end.number + 1) await requireUncut(deps, end.number);
      end.number = piece.link.number;
      end.hash = piece.link.hash;
      yield { kind: 'entry', ...piece.link };
    } else {
      // Checkpoints are removed after the entries before them, of which the last ones may have been read.
      if (previous !== undefined && piece.checkpoint.previous > previous) await requireUncut(deps, previous);
      previous = piece.checkpoint.number;
      end.checkpoint = previous;
      yield { kind: 'checkpoint', ...piece.checkpoint };
    }
  }
  yield { kind: 'end', ...(last === chain.number ? endOf(chain) : { ...end, number: last }) };
}

function endOf({ number, hash, checkpoint }: AuditChain): ChainEnd {
  return { number, hash, checkpoint };
}

/** @throws Error when retention has removed the entry behind a number */
async function requireUncut(deps: ChainDeps, number: number): Promise<void> {
  const chain = await loadChain(deps);
  if (chain && chain.cut > number) throw new Error('Entries were removed while they were exported');
}
