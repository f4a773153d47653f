import type { FastifyReply } from 'fastify';

const SCIM_TYPE = 'application/scim+json';

/** Answers with a document of SCIM. */
export function sendScim(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  // As bytes, because Fastify would add a charset to the content type of a string.
  return reply
    .code(status)
    .header('content-type', SCIM_TYPE)
    .send(Buffer.from(JSON.stringify(body)));
}
