import type { FastifyRequest } from 'fastify';

/** The length limit of the user agent that is forwarded and stored, in characters. */
const MAX_USER_AGENT_LENGTH = 256;

/** What a gateway tells services about the client of a request. */
export interface ClientOfRequest {
  readonly clientAddress: string;
  readonly clientUserAgent: string;
}

/** The address of the client, and what it calls itself. */
export function clientOf({
  clientAddress,
  headers,
}: Pick<FastifyRequest, 'clientAddress' | 'headers'>): ClientOfRequest {
  return {
    clientAddress,
    clientUserAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
  };
}
