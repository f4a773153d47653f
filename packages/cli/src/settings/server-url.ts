import { usageFailure } from '../io/exit.ts';

/**
 * Returns the address of a server without its last slash. `https:` is assumed where none is named.
 *
 * @throws CommandFailure if it is not an HTTP address, or has a password, a query or a fragment
 */
export function serverUrl(text: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isServer =
    url !== undefined &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  if (!isServer || url === undefined)
    throw usageFailure(
      `${text.replace(/[^/]*@/, '***@')} is not an address of a server, such as https://matrix.example.org`,
    );
  return url.href.replace(/\/+$/, '');
}

/** Whether a token that is sent there could be read on the way. */
export function isUnprotected(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === 'http:' && !/^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
