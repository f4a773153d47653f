import { networkOf } from '@steward/rpc';
import type { FastifyRequest } from 'fastify';

/** The caller to whom a request is charged: the account of its token where that is known, else its address. */
export interface Caller {
  /** Identifies the caller among all others. */
  readonly key: string;
  readonly kind: 'address' | 'user' | 'administrator';
  /** The account, where it is known. */
  readonly userId?: string;
}

/** The caller of a request whose token is unknown or missing. */
export function callerByAddress({ clientAddress }: FastifyRequest): Caller {
  return { key: `address ${networkOf(clientAddress)}`, kind: 'address' };
}
