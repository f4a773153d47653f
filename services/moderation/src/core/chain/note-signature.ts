import type { Fault } from '@steward/audit/chain';
import type { AuditChain } from '../model/audit-chain.ts';
import { checkpointId } from '../model/audit-checkpoint.ts';
import type { ChainDeps } from './chain-deps.ts';
import type { Signed, SignedPlace } from './signing-record.ts';

/**
 * Notes a checkpoint that was signed and committed. While the last one that was noted is missing from the store, nothing else is noted: what
 * was removed stays missing, however many checkpoints are made behind it.
 */
export async function noteSignature(deps: ChainDeps, chain: AuditChain, place: SignedPlace): Promise<void> {
  const known = await deps.signingRecord.read();
  if (known && (place.number <= known.last.number || (await missingSignature(deps, chain, known)))) return;
  const since = known?.since ?? (await firstSigned(deps)) ?? place.number;
  await deps.signingRecord.write({ since: Math.min(since, place.number), last: place });
}

/** Finds out whether the last checkpoint that was noted is no longer in the chain. */
export async function missingSignature(
  { auditCheckpoints }: Pick<ChainDeps, 'auditCheckpoints'>,
  chain: AuditChain | undefined,
  { last: { number, hash } }: Signed,
): Promise<Fault | undefined> {
  const missing = (what: string): Fault => ({
    kind: 'checkpoint_missing',
    number,
    message: `The checkpoint at ${number}, which this server has signed, ${what}. After the restoration of an older backup, remove the file of audit.signing_record_file.`,
  });
  if (chain && chain.cut > number) return undefined;
  const found = await auditCheckpoints.findOne({ _id: checkpointId(number) });
  if (!chain || chain.checkpoint < number || !found) return missing('is missing');
  return found.hash === hash ? undefined : missing('is another one');
}

async function firstSigned({ auditCheckpoints }: ChainDeps): Promise<number | undefined> {
  for await (const { number, signature } of auditCheckpoints.find({}, { sort: { _id: 1 } }))
    if (signature !== null) return number;
  return undefined;
}
