import type { DescMethodUnary, DescService, Message } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import { type Refusal, toBody, toRefusal } from '@steward/errors';
import type { Binding, Profile, RequestInput } from '@steward/http';
import { headers, readsToken } from '@steward/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessToken } from './access-token.ts';
import { segmentsOf } from './raw-path.ts';

/** How long a service may take to answer, in milliseconds. */
const CALL_TIMEOUT_MS = 60_000;

/** As much of a user agent as is passed on and kept, in characters. */
const MAX_USER_AGENT_LENGTH = 256;

const JSON_TYPE = 'application/json';

/** What the handler of a route needs to know of a request beside what Fastify knows. */
export interface RequestContext {
  readonly profile: Profile;
  readonly traceparent: string;
}

/**
 * The handler of one binding: reads the request, makes its one call, writes the answer. A call that may wait
 * is given up with its client, and when `givesUp` is raised.
 */
export function transcode(
  binding: Binding<DescMethodUnary>,
  transportOf: (service: DescService) => Transport,
  contextOf: (request: FastifyRequest) => RequestContext,
  givesUp: AbortSignal,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { method, rules } = binding;
  const timeoutMs = CALL_TIMEOUT_MS + rules.maxWaitMs;
  const transport = transportOf(binding.service);
  return async (request, reply) => {
    const context = contextOf(request);
    const body = request.body as Uint8Array | undefined;
    const { message, header } = readCall(binding, request, context, { body, headers: request.headers });
    const signal = rules.maxWaitMs > 0 ? untilGone(reply, givesUp) : undefined;
    const response = await transport.unary(method, signal, timeoutMs, header, message);
    const { status, body: json } = binding.write(response.message, context.profile);
    return sendJson(reply, status, json);
  };
}

/** Raised when the client is gone, or `givesUp` is raised. */
function untilGone(reply: FastifyReply, givesUp: AbortSignal): AbortSignal {
  const call = new AbortController();
  const giveUp = () => call.abort();
  if (givesUp.aborted) giveUp();
  givesUp.addEventListener('abort', giveUp, { once: true });
  reply.raw.once('close', () => {
    givesUp.removeEventListener('abort', giveUp);
    giveUp();
  });
  return call.signal;
}

/** The call that a request stands for: its message, and what travels beside it. */
export function readCall(
  { read, rules }: Binding,
  request: FastifyRequest,
  { profile, traceparent }: RequestContext,
  { body, headers: sent }: Pick<RequestInput, 'body' | 'headers'>,
): { readonly message: Message; readonly header: Readonly<Record<string, string>> } {
  const query = queryOf(request.raw.url ?? '');
  const access = profile === 'compat' ? rules.compatAccess : rules.access;
  const token = readsToken(access) ? accessToken(request.raw, query) : tokenIfAny(request, query);
  const params = segmentsOf(request);
  const { message, deferred } = read({ params, query, body, ...(sent ? { headers: sent } : {}) });
  const header: Record<string, string> = {
    [headers.traceparent]: traceparent,
    [headers.requestId]: request.id,
    [headers.clientAddress]: request.ip,
    [headers.clientUserAgent]: encodeURIComponent(
      (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    ),
  };
  if (token !== undefined) header[headers.accessToken] = encodeURIComponent(token);
  if (profile === 'compat') header[headers.profile] = profile;
  if (deferred) header[headers.deferredRefusal] = encodeURIComponent(JSON.stringify(deferred));
  return { message, header };
}

/** Answers with a refusal. */
function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const retryMs = refusal.extra?.retry_after_ms;
  if (typeof retryMs === 'number') reply.header('retry-after', String(Math.ceil(retryMs / 1000)));
  return sendJson(reply, refusal.status, JSON.stringify(toBody(refusal)));
}

/** As bytes: Fastify would add a charset to a string, which the documented type has not. */
export function sendJson(reply: FastifyReply, status: number, json: string): FastifyReply {
  return reply.code(status).header('content-type', JSON_TYPE).send(Buffer.from(json));
}

/** Answers with what an error stands for. */
export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  return sendRefusal(reply, toRefusal(error));
}

/** The query of a URL as it was sent, without the question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** The token of a request to a method that needs none, and may want to refuse one. */
function tokenIfAny(request: FastifyRequest, query: string): string | undefined {
  try {
    return accessToken(request.raw, query);
  } catch {
    return undefined;
  }
}
