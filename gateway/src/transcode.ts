import type { DescMethodUnary, DescService, Message } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import type { Transport } from '@connectrpc/connect';
import { type Refusal, toBody, toRefusal } from '@steward/errors';
import type { Binding, Profile, ReadResult, RequestInput } from '@steward/http';
import {
  forwardedAs,
  headers,
  IDEMPOTENCY_KEY_HEADER,
  isReplayed,
  POSITION_HEADER,
  parseIdempotencyKey,
  parseReason,
  REASON_HEADER,
  REPLAYED_HEADER,
  readEntityTag,
  readPosition,
  readsToken,
  USUAL_BODY_BYTES,
  WrittenAnswer,
} from '@steward/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { credential, tokenIfAny } from './access-token.ts';
import type { LargeBodyReader } from './bodies/large-body-reader.ts';
import { clientOf } from './client-of.ts';
import { headerValue } from './header-value.ts';
import { segmentsOf } from './raw-path.ts';
import { writeSessionCookie } from './sessions/session-cookie.ts';
import type { Site } from './sessions/site.ts';

/** How long a service may take to answer, in milliseconds. */
const CALL_TIMEOUT_MS = 60_000;

const UNAVAILABLE_STATUS = 503;

/** When clients may repeat a request that the server could not answer, in seconds. */
const UNAVAILABLE_RETRY_S = '1';

const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;

const REASON = REASON_HEADER.toLowerCase();
const IDEMPOTENCY_KEY = IDEMPOTENCY_KEY_HEADER.toLowerCase();

const JSON_TYPE = 'application/json';

/** The longest answer that is sent as a string, in characters. */
const MAX_STRING_LENGTH = 64 * 1024;

/** What a handler needs to know of a request besides Fastify's request. */
export interface RequestContexts {
  readonly site: Site;
  profileOf(request: FastifyRequest): Profile;
  /**
   * The trace context of the client; a new one for a request that `changes` something, because the facts of a change name its
   * trace.
   */
  traceparentOf(request: FastifyRequest, changes: boolean): string | undefined;
}

/**
 * The handler of one binding: reads the request, makes its one call, writes the answer. A large body is read on another
 * thread. A long poll is aborted when its client disconnects, and when `abortsWaits` is raised.
 */
export function transcode(
  binding: Binding<DescMethodUnary>,
  transportOf: (service: DescService) => Transport,
  contexts: RequestContexts,
  readInput: ReadInput,
  abortsWaits: AbortSignal,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { method, rules } = binding;
  const timeoutMs = CALL_TIMEOUT_MS + rules.maxWaitMs;
  const transport = transportOf(binding.service);
  const { responseBodyField: responseBody } = binding;
  const hints = {
    native: forwardedAs({ responseBody, compat: false }),
    compat: forwardedAs({ responseBody, compat: true }),
  };
  return async (request, reply) => {
    const profile = contexts.profileOf(request);
    const body = request.body as Uint8Array | undefined;
    const input = inputOf(request, profile, { body, headers: request.headers });
    const read = await readInput(binding, input, request);
    const header = headerOf(binding, request, contexts, read);
    const signal = rules.maxWaitMs > 0 ? untilDisconnected(reply, abortsWaits) : undefined;
    const { message, header: answered } = await transport.unary(
      method,
      signal,
      timeoutMs,
      header,
      read.message,
      hints[profile],
    );
    if (rules.sessionCookie) writeSessionCookie(contexts.site, request, reply, answered);
    const tag = rules.entityTag ? readEntityTag(answered) : undefined;
    if (tag !== undefined) reply.header('etag', tag);
    const position = readPosition(answered);
    if (position !== undefined) reply.header(POSITION_HEADER, position);
    if (isReplayed(answered)) reply.header(REPLAYED_HEADER, 'true');
    const { status, body: json } =
      message instanceof WrittenAnswer ? message : binding.write(message, profile);
    return sendJson(reply, status, json);
  };
}

/** Who is charged for a request. */
function callerOf({ tracked, clientAddress }: FastifyRequest): string {
  return tracked?.usage.caller.key ?? clientAddress;
}

/** Reads a request as its binding does, a large body on another thread. */
export type ReadInput = (
  binding: Binding,
  input: RequestInput,
  request: FastifyRequest,
) => ReadResult | Promise<ReadResult>;

/** Reads requests, those with large bodies with their reader. */
export function readWith(largeBodies: LargeBodyReader): ReadInput {
  return (binding, input, request) => {
    const { body } = input;
    return body !== undefined && body.length > USUAL_BODY_BYTES
      ? largeBodies.read(binding, { ...input, body }, callerOf(request))
      : binding.read(input);
  };
}

/** A signal that is raised when the client disconnects, or with `abortsWaits`. */
function untilDisconnected(reply: FastifyReply, abortsWaits: AbortSignal): AbortSignal {
  const call = new AbortController();
  const abort = () => call.abort();
  if (abortsWaits.aborted) abort();
  abortsWaits.addEventListener('abort', abort, { once: true });
  reply.raw.once('close', () => {
    abortsWaits.removeEventListener('abort', abort);
    abort();
  });
  return call.signal;
}

/** The call of a request: its message and its headers. */
export function readCall(
  binding: Binding,
  request: FastifyRequest,
  contexts: RequestContexts,
  sent: Pick<RequestInput, 'body' | 'headers'>,
): { readonly message: Message; readonly header: Readonly<Record<string, string>> } {
  const read = binding.read(inputOf(request, contexts.profileOf(request), sent));
  return { message: read.message, header: headerOf(binding, request, contexts, read) };
}

/** The parts of a request that its binding reads. */
function inputOf(
  request: FastifyRequest,
  profile: Profile,
  sent: Pick<RequestInput, 'body' | 'headers'>,
): RequestInput {
  return { params: segmentsOf(request), query: queryOf(request.raw.url ?? ''), profile, ...sent };
}

/**
 * The headers of the call of a request.
 *
 * @param profile that of the path of the request unless given
 * @throws refuse.missingToken for a malformed token, refuse.invalidParam for an unusable reason
 */
export function headerOf(
  { method, rules }: Binding,
  request: FastifyRequest,
  contexts: RequestContexts,
  { deferred }: Pick<ReadResult, 'deferred'>,
  profile = contexts.profileOf(request),
): Readonly<Record<string, string>> {
  const query = queryOf(request.raw.url ?? '');
  const traceparent = contexts.traceparentOf(request, method.idempotency !== NO_SIDE_EFFECTS);
  const access = profile === 'compat' ? rules.compatAccess : rules.access;
  const token = readsToken(access) ? credential(request, query, access) : tokenIfAny(request, query);
  const { clientAddress, clientUserAgent } = clientOf(request);
  const header: Record<string, string> = {
    [headers.requestId]: request.id,
    [headers.clientAddress]: clientAddress,
    [headers.clientUserAgent]: encodeURIComponent(clientUserAgent),
  };
  if (traceparent !== undefined) header[headers.traceparent] = traceparent;
  const tracestate = request.span?.context.tracestate;
  if (tracestate !== undefined) header[headers.tracestate] = tracestate;
  const reason = request.headers[REASON];
  if (reason !== undefined) {
    const stated = parseReason(headerValue(reason) ?? '');
    if (stated !== undefined) header[headers.reason] = encodeURIComponent(stated);
  }
  const key = request.headers[IDEMPOTENCY_KEY];
  // What only reads is repeated freely.
  if (key !== undefined && method.idempotency !== NO_SIDE_EFFECTS)
    header[headers.idempotencyKey] = parseIdempotencyKey(headerValue(key) ?? '');
  if (token !== undefined) header[headers.accessToken] = encodeURIComponent(token);
  if (request.tracked?.isCallerDue) header[headers.nameCaller] = 'yes';
  if (profile === 'compat') header[headers.profile] = profile;
  if (deferred) header[headers.deferredRefusal] = encodeURIComponent(JSON.stringify(deferred));
  return header;
}

/** Says when a refused request may be repeated, if it may. */
export function setRetryAfter(reply: FastifyReply, { status, extra }: Refusal): void {
  const retryMs = extra?.retry_after_ms;
  if (typeof retryMs === 'number') reply.header('retry-after', String(Math.ceil(retryMs / 1000)));
  else if (status === UNAVAILABLE_STATUS) reply.header('retry-after', UNAVAILABLE_RETRY_S);
}

/** Answers with a refusal. */
function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  setRetryAfter(reply, refusal);
  return sendJson(reply, refusal.status, JSON.stringify(toBody(refusal)));
}

/**
 * Sends JSON text. A short one is sent as a string, which Node writes together with the head of the answer; it has a serializer,
 * because Fastify would otherwise add a charset to the content type. A long one is sent as bytes, because Node keeps, until
 * the client has read a string, the string and three bytes for each of its characters.
 */
export function sendJson(reply: FastifyReply, status: number, json: string): FastifyReply {
  reply.code(status).header('content-type', JSON_TYPE);
  return json.length > MAX_STRING_LENGTH ? reply.send(Buffer.from(json)) : reply.serializer(asIs).send(json);
}

function asIs(json: unknown): string {
  return json as string;
}

/** Answers with the refusal of an error. */
export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  return sendRefusal(reply, toRefusal(error));
}

/** The query of a URL as it was sent, without the question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}
