import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';

/** Whether the calling session passed user-interactive authentication so recently that it need not again. */
export async function isRecentlyProved(deps: Deps, caller: Requester): Promise<boolean> {
  const { interactiveGraceMs } = deps.settings;
  if (interactiveGraceMs === 0) return false;
  const token = await deps.tokens.findOne({ _id: caller.tokenId }, { projection: { proved_ts: 1 } });
  const provedAt = token?.proved_ts ?? null;
  return provedAt !== null && deps.clock.now() - provedAt < interactiveGraceMs;
}

/** Records that the calling session has just passed user-interactive authentication, if a grace period is set. */
export async function recordProof(deps: Deps, caller: Requester): Promise<void> {
  if (deps.settings.interactiveGraceMs === 0) return;
  await deps.tokens.updateOne({ _id: caller.tokenId }, { $max: { proved_ts: deps.clock.now() } });
}
