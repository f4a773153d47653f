import type { CountAliasesRequest } from '@steward/proto/steward/room/v1/directory_pb.ts';
import type { Deps } from '../../core/deps.ts';

/** Counts the aliases that a user created, for other services. */
export async function countAliases(deps: Pick<Deps, 'aliases'>, { userId }: CountAliasesRequest) {
  return { aliases: BigInt(await deps.aliases.countDocuments({ creator: userId })) };
}
