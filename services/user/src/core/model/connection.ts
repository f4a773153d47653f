import type { Client } from '@steward/rpc';
import { type BulkOperation, declareCollection } from '@steward/store';
import { actsAsOther, type Token } from './token.ts';

/** What identifies the use of a token, or of an administrator session, which has no device. */
export type UsedToken = Pick<Token, '_id' | 'user_id' | 'owner' | 'device_id'>;

/** The use of a token from an address (behaviour.md 2.4). It outlives the token. */
export interface Connection {
  /** The token's digest and the address. */
  _id: string;
  /** The account that the token belongs to. */
  user_id: string;
  ip: string;
  /** The program that used it last. */
  user_agent: string;
  /** Milliseconds since the Unix epoch. */
  last_seen: number;
  /** The account as which an administrator acted; absent for uses of the own account. */
  acting_as?: string;
}

/** The pair of token and address for which there is one connection. */
export function connectionKey(token: UsedToken, client: Client): string {
  return `${token._id} ${client.address}`;
}

/** The writes that record a use, in any order; another process may have recorded a later one. */
export function connectionWrites(
  token: UsedToken,
  client: Client,
  at: number,
): readonly BulkOperation<Connection>[] {
  const found = { _id: connectionKey(token, client), user_id: token.owner };
  const other = actsAsOther(token) ? { acting_as: token.user_id } : {};
  const latest = { user_agent: client.userAgent, last_seen: at };
  return [
    {
      updateOne: {
        filter: found,
        update: { $setOnInsert: { ip: client.address, ...other, ...latest } },
        upsert: true,
      },
    },
    { updateOne: { filter: { ...found, last_seen: { $lt: at } }, update: { $set: latest } } },
  ];
}

/** The addresses from which tokens were used, by the account that they belong to. */
export const connections = declareCollection<Connection>({
  name: 'user.connections',
  shardKey: 'user_id',
  indexes: [
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['last_seen', -1],
      ],
    },
    { name: 'age', keys: [['last_seen', 1]] },
  ],
});
