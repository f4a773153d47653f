import type { FastifyRequest } from 'fastify';

/** Under which origins browsers reach the server. */
export class Site {
  readonly #publicOrigin: string | undefined;

  /** @param publicBaseUrl the URL at which clients reach the server; undefined when not configured */
  constructor(publicBaseUrl: string | undefined) {
    this.#publicOrigin = publicBaseUrl === undefined ? undefined : originOf(publicBaseUrl);
  }

  /** Whether a browser reached the server over TLS: with this request, or because it always does. */
  isSecure({ protocol }: FastifyRequest): boolean {
    return protocol === 'https' || this.#publicOrigin?.startsWith('https:') === true;
  }

  /**
   * Whether an origin is that of the server, as the header `Host` of the request or the configuration names it. Other headers
   * do not count: proxies pass `X-Forwarded-Host` on as the client sent it, unless they are configured otherwise.
   */
  isOwnOrigin({ protocol, headers: { host } }: FastifyRequest, origin: string): boolean {
    return (
      origin === this.#publicOrigin || (host !== undefined && origin === originOf(`${protocol}://${host}`))
    );
  }
}

/** The origin of a URL as browsers state it; `undefined` for an invalid one. */
function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
