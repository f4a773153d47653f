import type { Socket } from 'node:net';
import { refuse, toRefusal } from '@steward/errors';
import { isUnloggedFault } from '@steward/rpc';
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/** Notes that the server failed after the head of an answer was sent: the lines of Fastify that are kept. */
export class FaultsOfStreams extends LogController {
  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    // A client that aborts its request is not a fault of the server.
    if (reply.raw.destroyed) return;
    request.isCutOff = true;
    if (!isUnloggedFault(error, toRefusal(error))) return;
    request.log.error({ reqId: request.id, err: error }, 'request failed');
  }
}

/** Converts Fastify's own errors to the documented refusals. */
export function fromFastify(error: unknown): unknown {
  const { code } = error as { code?: string };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse.tooLarge('The body is too large');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refuse.notJson('The body is not as long as announced');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return refuse.notJson('The body is not JSON');
    default:
      return error;
  }
}

/** Answers invalid HTTP and too large headers in the form of all refusals. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const tooSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = tooLarge
    ? '431 Request Header Fields Too Large'
    : tooSlow
      ? '408 Request Timeout'
      : '400 Bad Request';
  const errcode = tooLarge ? 'M_TOO_LARGE' : 'M_UNKNOWN';
  const body = JSON.stringify({ errcode, error: 'Malformed HTTP request' });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nAccess-Control-Allow-Origin: *\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
