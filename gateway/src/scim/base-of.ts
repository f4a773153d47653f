import type { FastifyRequest } from 'fastify';

/** The origin at which the client reaches the server. */
export function baseOf(
  { protocol, headers: { host } }: FastifyRequest,
  publicBaseUrl: string | undefined,
): string {
  if (publicBaseUrl !== undefined) return new URL(publicBaseUrl).origin;
  const own = `${protocol}://${host ?? ''}`;
  return URL.canParse(own) ? new URL(own).origin : '';
}
