import { type IncomingHttpHeaders, request as openRequest } from 'node:http';

/** An answer that is no JSON. */
export interface Bytes {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Requests bytes over a connection of its own.
 *
 * @throws Error when there is no answer, or it is shorter than announced
 */
export function getBytes(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Bytes> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = openRequest({ hostname, port, method, path, headers: { ...headers }, agent: false });
    sent.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.end();
  });
}
