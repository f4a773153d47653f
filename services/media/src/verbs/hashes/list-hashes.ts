import { randomId } from '@steward/kernel';
import type { Deps } from '../../core/deps.ts';
import { quarantineListed } from '../../core/hashes/quarantine-listed.ts';
import { saveHashes } from '../../core/hashes/save-hashes.ts';
import type { HashValues } from '../../core/model/listed-hash.ts';

/** What adding hashes answers. */
export interface AddedHashes {
  readonly added: bigint;
  readonly updated: bigint;
  readonly taskId?: string;
}

/**
 * Adds hashes to the list, and starts the task for existing media if it is requested.
 *
 * @param id of the request and its task; random unless given
 */
export async function listHashes(
  deps: Pick<Deps, 'hashes' | 'clock' | 'random' | 'tasks'>,
  hashes: readonly HashValues[],
  addedBy: string,
  applyToExisting: boolean,
  id?: string,
): Promise<AddedHashes> {
  const appliedBy = applyToExisting ? (id ?? randomId(deps.random)) : undefined;
  const { added, updated } = await saveHashes(deps, hashes, { addedBy, appliedBy });
  const counts = { added: BigInt(added), updated: BigInt(updated) };
  return appliedBy === undefined
    ? counts
    : { ...counts, taskId: await quarantineListed(deps, appliedBy, addedBy) };
}
