/** An answer of the fake server. */
export interface FakeAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that the fake server received. */
export interface FakeRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The address and the token with which commands of tests reach a fake server. */
export const FAKE_ENV = { STEWARD_SERVER: 'https://server.example', STEWARD_TOKEN: 'stw_secret' };

/** Returns a `fetch` that answers requests by their method and path, and what it received. */
export function fakeServer(answers: (request: FakeRequest) => FakeAnswer | undefined): {
  readonly fetch: typeof globalThis.fetch;
  readonly requests: FakeRequest[];
} {
  const requests: FakeRequest[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    init.signal?.throwIfAborted();
    const url = new URL(String(input));
    const request = {
      method: init.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    requests.push(request);
    const {
      status = 200,
      body = {},
      headers = {},
    } = answers(request) ?? {
      status: 404,
      body: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' },
    };
    const isText = typeof body === 'string';
    return new Response(isText ? body : JSON.stringify(body), {
      status,
      headers: {
        'content-type': isText ? 'application/octet-stream' : 'application/json',
        'x-request-id': 'request-1',
        ...headers,
      },
    });
  };
  return { fetch, requests };
}
