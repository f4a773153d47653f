import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { tlsRefusal } from '@steward/kernel';
import { Failure } from './failure.ts';
import { hostOf } from './host-of.ts';

const MAX_HEADER_BYTES = 16 * 1024;
/** What is read of an answer, so that its sender sees no broken connection. */
const MAX_BODY_BYTES = 64 * 1024;
/** When a host has several addresses, the time after which the next one is tried: Node ends the attempt before. */
const ATTEMPT_TIMEOUT_MS = 2_500;
const REDIRECTS = { first: 300, last: 399 };

/**
 * For an agent of each request: it has no connection that an earlier look-up permitted, no TLS session to resume, and ignores the
 * proxies of the environment.
 */
const CONNECTION = {
  keepAlive: false,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
};

/** One request, and where its connection goes. */
interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** The addresses that may be connected to; at least one. The name of the host is not resolved again. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for none. */
  readonly body: string | undefined;
  /** Ends the request, with its reason. */
  readonly signal: AbortSignal;
}

/** The known parts of an answer. */
export interface Answer {
  readonly status: number;
  /** The Retry-After header as it was sent. */
  readonly retryAfter: string | undefined;
  /** The Content-Type header as it was sent. */
  readonly contentType: string | undefined;
  /** The beginning of its body, as far as it was read. */
  readonly body: string;
}

/**
 * Sends a request over a connection of its own, and follows no redirect. An answer counts from its headers on: the body may
 * then be endless, too slow or broken.
 *
 * @throws Failure why there is no answer; the reason of `signal` when that ends it before the headers of the answer
 */
export async function exchange({ method, url, addresses, headers, body, signal }: Exchange): Promise<Answer> {
  const host = hostOf(url);
  const secure = url.protocol === 'https:';
  const request = (secure ? requestHttps : requestHttp)({
    method,
    host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    agent: new (secure ? HttpsAgent : HttpAgent)(CONNECTION),
    lookup: answering(addresses),
    ...(isIP(host) === 0 && { servername: host }),
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says
    rejectUnauthorized: true,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  });
  try {
    const response = await responseOf(request.end(body), signal);
    const { statusCode: status = 0 } = response;
    if (status >= REDIRECTS.first && status <= REDIRECTS.last)
      throw new Failure('redirect', `Status ${status}: redirects are not followed`);
    const { 'retry-after': retryAfter, 'content-type': contentType } = response.headers;
    return { status, retryAfter, contentType, body: await beginningOf(response) };
  } finally {
    request.destroy();
  }
}

/** Resolves every name to the given addresses. */
function answering(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, _options, callback) => process.nextTick(callback, null, found);
}

function responseOf(request: ReturnType<typeof requestHttp>, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.once('response', resolve);
  request.on('error', (error) => reject(signal.aborted ? signal.reason : failureOf(error)));
  // After a switch of protocols there is neither a response nor an error.
  request.once('close', () => reject(new Failure('protocol', 'The connection ended without an answer')));
  return promise;
}

/** Reads the body up to the limit. Resolves however it ends. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes >= MAX_BODY_BYTES) resolve();
    else chunks.push(chunk);
  });
  response.on('error', () => resolve());
  response.once('close', resolve);
  response.once('end', resolve);
  await promise;
  return Buffer.concat(chunks).toString();
}

function failureOf(error: NodeJS.ErrnoException): Failure {
  const { code = 'unknown error' } = error;
  // EPROTO: the other side speaks no TLS, or refuses the handshake.
  const refusal = tlsRefusal(error) ?? (code === 'EPROTO' ? 'The TLS handshake failed' : undefined);
  if (refusal !== undefined) return new Failure('tls', refusal);
  if (code.startsWith('HPE_')) return new Failure('protocol', `The answer is not valid HTTP (${code})`);
  return new Failure('connect', `No connection, or it ended before the answer (${code})`);
}
