/** How Node and OpenSSL name what prevents a TLS connection: a certificate that is not accepted, or none, or no TLS. */
const CODE =
  /^(?:ERR_SSL_|ERR_TLS_|ERR_OSSL_|CERT_|CRL_|ERROR_IN_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH_|HOSTNAME_MISMATCH)/;

/**
 * Why two programs cannot agree on TLS, in one line: an unknown authority, another host name, an expired certificate,
 * no certificate, no TLS. Another attempt with the same certificates fails in the same way.
 *
 * @returns undefined for an error that has another cause
 */
export function tlsRefusal(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, reason, message } = cause as Error & { code?: unknown; reason?: unknown };
    if (typeof code !== 'string' || !CODE.test(code)) continue;
    // OpenSSL's own message begins with numbers and ends with a place in its sources; Node's can end with advice on Node.
    const text = code.startsWith('ERR_SSL_') && typeof reason === 'string' ? reason : message;
    return text.split('\n', 1)[0]?.replace(/; if the root CA .*$/, '');
  }
  return undefined;
}
