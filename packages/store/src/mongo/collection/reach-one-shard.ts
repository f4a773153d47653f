import type { CollectionDeclaration, Doc } from '../../port/declaration.ts';

/**
 * The filter with the value of the shard key, where it follows from the ids that the filter names: otherwise a query by id
 * would ask all shards, and a cluster would refuse to insert a document by an update.
 */
export function reachOneShard<F extends object>(
  { shardKey, shardKeyOfId }: Pick<CollectionDeclaration<Doc>, 'shardKey' | 'shardKeyOfId'>,
  filter: F,
): F {
  if (shardKey === null || !shardKeyOfId || shardKey in filter) return filter;
  const { _id: id } = filter as { readonly _id?: string | { readonly $in?: readonly string[] } };
  if (typeof id === 'string') return { ...filter, [shardKey]: shardKeyOfId(id) };
  if (!id?.$in) return filter;
  return { ...filter, [shardKey]: { $in: [...new Set(id.$in.map(shardKeyOfId))] } };
}
