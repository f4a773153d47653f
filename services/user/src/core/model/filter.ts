import { createHash } from 'node:crypto';
import { declareCollection, firstId } from '@steward/store';

/** A filter that a client has stored. */
export interface Filter {
  /** See `filterKey`. */
  _id: string;
  user_id: string;
  /** A JSON object. */
  filter: string;
  /** The account's session epoch when it was stored. */
  epoch: number;
}

/** How many bytes of its digest make up a filter's id. */
const ID_BYTES = 8;

/** The key of a filter's document. A filter id holds no space. */
export function filterKey(userId: string, filterId: string): string {
  return `${userId} ${filterId}`;
}

/** The id of a filter, a decimal number derived from its text, so that storing it again changes nothing. */
export function filterIdOf(filter: string): string {
  const digest = createHash('sha256').update(filter).digest().subarray(0, ID_BYTES);
  return BigInt(`0x${digest.toString('hex')}`).toString();
}

/** Filters of accounts. */
export const filters = declareCollection<Filter>({
  name: 'user.filters',
  shardKey: 'user_id',
  shardKeyOfId: firstId,
  indexes: [{ name: 'by_user', keys: [['user_id', 1]] }],
});
