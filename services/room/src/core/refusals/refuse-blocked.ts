import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { isBlocking } from '../model/block.ts';

/**
 * Refuses to let a user enter a room that administrators have blocked (behaviour.md 10.8).
 *
 * @throws refuse.refusedProof
 */
export async function refuseBlocked(deps: Pick<Deps, 'blocks'>, roomId: string): Promise<void> {
  const block = await deps.blocks.findOne({ _id: roomId });
  if (isBlocking(block)) throw refuse.refusedProof('This room has been blocked on this server');
}
