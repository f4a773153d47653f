import type { FastifyRequest } from 'fastify';

/** The length limit of the user agent that is forwarded and stored, in characters. */
const MAX_USER_AGENT_LENGTH = 256;

/** What a gateway tells services about the client of a request. */
export interface ClientOfRequest {
  readonly clientAddress: string;
  readonly clientUserAgent: string;
}

/** The address of the client, and what it calls itself. */
export function clientOf({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): ClientOfRequest {
  return {
    // Without a value once the connection was reset, whatever its type says.
    clientAddress: ip ?? '',
    clientUserAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
  };
}
