import { constants } from 'node:crypto';
import { isIP } from 'node:net';
import type { ConnectionOptions, TlsOptions } from 'node:tls';

/** The certificate that a process shows, its key, and the authorities from which the other end's certificate must come; PEM. */
export interface TlsIdentity {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

/** The identity of a process, which changes while it runs. */
export interface Tls {
  /** Returns the identity for new connections. */
  current(): TlsIdentity;
  /** Tells of each change. */
  onChange(listener: (identity: TlsIdentity) => void): void;
  /** Receives why a connection to this process was refused, such as `CERT_HAS_EXPIRED`. */
  readonly onRefusal?: (reason: string) => void;
}

/** How long a handshake may take, in milliseconds. */
export const HANDSHAKE_LIMIT_MS = 10_000;

const PROTOCOL = { minVersion: 'TLSv1.2', ALPNProtocols: ['h2'] } as const;

/** The options of a server that admits callers with a certificate of the authorities. */
export function serverOptions({ ca, certificate, key }: TlsIdentity): TlsOptions {
  return {
    ...PROTOCOL,
    ca,
    cert: certificate,
    key,
    requestCert: true,
    rejectUnauthorized: true,
    handshakeTimeout: HANDSHAKE_LIMIT_MS,
    // A resumed session would be admitted without another look at the certificate, which may have expired.
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}

/** The options of a connection to a server whose certificate is valid for the host of a URL. */
export function connectionOptions({ ca, certificate, key }: TlsIdentity, url: string): ConnectionOptions {
  const name = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    ...PROTOCOL,
    ca,
    cert: certificate,
    key,
    // The address is checked where the URL has no name.
    ...(isIP(name) ? {} : { servername: name }),
  };
}
