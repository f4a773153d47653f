import { type IncomingHttpHeaders, request as openRequest } from 'node:http';

/** A response without JSON. */
export interface Bytes {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Requests bytes over a separate connection.
 *
 * @throws Error when there is no response, or it is shorter than its declared length
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
