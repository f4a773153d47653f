import type { Config } from '@steward/config';
import type { FastifyInstance } from 'fastify';

/**
 * How many connections may wait to be accepted; the operating system may permit fewer. When a burst of connections exceeds
 * it, the systems of all clients repeat their attempts to connect, the first time after a second.
 */
const BACKLOG = 4_096;

/**
 * Makes the gateway listen on the configured host and port. Resolves with its URL.
 *
 * @throws the error of the socket, such as EADDRINUSE
 */
export function listen(
  gateway: FastifyInstance,
  { host, port }: Pick<Config['server'], 'host' | 'port'>,
): Promise<string> {
  return gateway.listen({ host, port, backlog: BACKLOG });
}
