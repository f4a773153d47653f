import type { Actor, HttpRequest, Reply, World } from '@steward/testing';

const SESSION = '/_service/admin/v1/session';

/** A page of the server's own origin in a browser, which keeps the cookie of an administrator session. */
export class Browser {
  readonly #world: World;
  /** The attributes of the last cookie that the server set. */
  cookieAttributes: readonly string[] = [];
  /** The cookie as the browser sends it; empty without one. */
  cookie = '';

  constructor(world: World) {
    this.#world = world;
  }

  /** The origin of the server. */
  get origin(): string {
    return new URL(this.#world.running.url).origin;
  }

  /** Sends a request as a script of the page does. */
  async send<Body = Record<string, unknown>>(
    verb: string,
    path: string,
    request: HttpRequest = {},
  ): Promise<Reply<Body>> {
    const headers = {
      host: new URL(this.origin).host,
      'sec-fetch-site': 'same-origin',
      ...(verb === 'GET' ? {} : { origin: this.origin }),
      ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      ...request.headers,
    };
    const reply = await this.#world.http<Body>(verb, path, { ...request, headers });
    const [set] = reply.headers['set-cookie'] ?? [];
    if (set !== undefined) {
      const [pair = '', ...attributes] = set.split('; ');
      this.cookieAttributes = attributes;
      this.cookie = pair.endsWith('=') ? '' : pair;
    }
    return reply;
  }

  /** Starts an administrator session with the password of a user. */
  signIn<Body = Record<string, unknown>>({ userId, password }: Actor): Promise<Reply<Body>> {
    return this.send<Body>('POST', SESSION, { body: { user: userId, password } });
  }
}
