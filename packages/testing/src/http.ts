import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as openRequest } from 'node:http';

type QueryValue = string | number | boolean;

/** The parts of a request besides verb and path. */
export interface HttpRequest {
  /** Sent as `Authorization: Bearer <token>`. */
  readonly token?: string;
  /** Sent as JSON, with any verb. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly rawBody?: string | Uint8Array;
  /** Appended to the path: a text unchanged, values encoded; a list repeats its name. */
  readonly query?: string | Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** A list sends the header several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** An answer. `Body` is the type that the caller expects of its JSON, unchecked. */
export interface Reply<Body = Record<string, unknown>> {
  readonly status: number;
  /** The parsed JSON; `undefined` when the answer is empty or not JSON. */
  readonly body: Body;
  /** The raw answer. */
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Sends one request over its own connection. Unlike `fetch` it sends exactly what it is given: bodies with GET,
 * headers twice, paths that are not normalised.
 *
 * @throws Error when the server does not answer
 */
export function sendHttp<Body = Record<string, unknown>>(
  url: string,
  verb: string,
  path: string,
  request: HttpRequest = {},
): Promise<Reply<Body>> {
  const { hostname, port } = new URL(url);
  const payload = payloadOf(request);
  const headers: OutgoingHttpHeaders = {};
  if (!request.headers?.['transfer-encoding']) headers['content-length'] = payload.byteLength;
  if (payload.byteLength > 0) headers['content-type'] = 'application/json';
  if (request.token !== undefined) headers.authorization = `Bearer ${request.token}`;
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    headers[name] = typeof value === 'string' ? value : [...value];
  }
  return new Promise((resolve, reject) => {
    const target = path + queryText(path, request.query);
    const sent = openRequest({ hostname, port, method: verb, path: target, headers, agent: false });
    // A server may answer and close the connection before it has read a large body; the answer counts then.
    let answered = false;
    sent.on('error', (error) => answered || reject(error));
    sent.on('response', (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          body: parse(text) as Body,
          text,
          headers: response.headers,
        });
      });
    });
    sent.end(payload);
  });
}

function payloadOf({ body, rawBody }: HttpRequest): Buffer {
  if (rawBody !== undefined) return Buffer.from(rawBody);
  return Buffer.from(body === undefined ? '' : JSON.stringify(body));
}

/** What the query of a request adds to its path. */
export function queryText(path: string, query: HttpRequest['query']): string {
  if (query === undefined) return '';
  const joint = path.includes('?') ? '&' : '?';
  if (typeof query === 'string') return joint + query;
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [name, String(item)]),
  );
  return pairs.length === 0 ? '' : joint + new URLSearchParams(pairs);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
