/** The addresses of a broker and the client's credentials: the client options that URLs specify. */
export interface Servers {
  /** Each of the form `host:port`. */
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  /** TLS with the defaults of the platform, if a URL has the scheme `tls`. */
  readonly tls?: Record<string, never>;
}

const DEFAULT_PORT = '4222';

/**
 * Parses the URLs of a broker's servers: `nats://host:4222`, `tls://host`, or a bare `host:4222`; a
 * string may contain several, separated by commas. Credentials precede the host, as `user:password@` or
 * `token@`; those of the first URL that has credentials apply to all.
 *
 * @throws TypeError when there is no URL, or one is not of these forms; the message contains no credentials
 */
export function parseServers(servers: string | readonly string[]): Servers {
  const urls = [servers]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(parseServer);
  if (urls.length === 0) throw new TypeError('No URL of a NATS server is given');
  const named = urls.find((url) => url.username !== '');
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || DEFAULT_PORT}`),
    ...(named ? credentials(named) : {}),
    ...(urls.some((url) => url.protocol === 'tls:') ? { tls: {} } : {}),
  };
}

function parseServer(text: string, index: number): URL {
  const url = URL.parse(text.includes('://') ? text : `nats://${text}`);
  if (!url || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '') {
    throw new TypeError(`NATS server ${index + 1} is not of the form nats://host:port`);
  }
  return url;
}

function credentials({ username, password }: URL): Pick<Servers, 'user' | 'pass' | 'token'> {
  const name = decodeURIComponent(username);
  return password === '' ? { token: name } : { user: name, pass: decodeURIComponent(password) };
}
