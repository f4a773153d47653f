import { connect } from 'node:tls';
import type { Certificate } from './io.ts';

const HTTPS_PORT = 443;

/**
 * Reads the certificate of a server, with a connection of its own.
 *
 * @throws Error when the connection fails, or the certificate is not valid for the server
 */
export function tlsCertificate(server: URL, signal: AbortSignal): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const host = server.hostname.replace(/^\[|\]$/g, '');
    const port = server.port === '' ? HTTPS_PORT : Number(server.port);
    // Addresses have no name to ask for.
    const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    const abort = () => socket.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    const socket = connect({ host, port, ...name }, () => {
      const expiresTs = Date.parse(socket.getPeerCertificate().valid_to);
      resolve({ expiresTs, protocol: socket.getProtocol() ?? 'TLS' });
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
