import type { Deps } from '../deps.ts';

/** Whether a user has cross-signing keys, which always include a master key. */
export async function hasMasterKey(deps: Pick<Deps, 'crossSigningKeys'>, userId: string): Promise<boolean> {
  return (await deps.crossSigningKeys.findOne({ _id: userId }, { projection: { _id: 1 } })) !== null;
}
