import type { Client, StewardError } from '@steward/sdk';
import type { Io } from '../../io/io.ts';
import { isUnprotected } from '../../settings/server-url.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const MS_PER_DAY = 86_400_000;
const MS_PER_S = 1_000;
/** A certificate is renewed by then, where that is automatic. */
const CERTIFICATE_DAYS = 14;
/** Codes of a second factor, and times in the log, suffer from more. */
const SKEW_WARN_MS = 5_000;
const SKEW_FAIL_MS = 60_000;

/** The requests of checks are not repeated: what fails is to be seen. */
export const ONCE = { maxRetries: 0, timeoutMs: 15_000 };

/** Whether the server answers, over which connection, and with which clock. Ends with the first that fails. */
export async function* checkConnection(io: Io, client: Client, server: string): AsyncGenerator<Finding> {
  const start = io.now();
  const asked = io.time();
  let headers: Headers | undefined;
  try {
    const response = await client.request({ path: '/health' }, { ...ONCE, signal: io.signal });
    await response.body?.cancel();
    headers = response.headers;
    yield ok('server', `${server} answers in ${Math.round(io.now() - start)} ms`);
  } catch (error) {
    io.signal.throwIfAborted();
    const refusal = error as StewardError;
    headers = refusal.headers;
    if (refusal.status === 0)
      yield fail(
        'server',
        refusal.message,
        /certificate|\b(?:SSL|TLS)\b/i.test(refusal.message)
          ? 'has the address TLS 1.2 or later, and a certificate for its name? NODE_EXTRA_CA_CERTS names an issuer to trust'
          : 'does the server run, is the address right (stewardctl context list), and does the network permit the connection?',
      );
    else if (refusal.status === 503)
      yield warn(
        'server',
        `${server} answers, but cannot serve every request: ${JSON.stringify(refusal.body)}`,
        'look at the checks below, and at docs/observability.md#health',
      );
    else
      yield fail(
        'server',
        `${server} answers ${refusal.status} to /health`,
        'is it the address of steward, or of a proxy that does not pass /health and /_service on?',
      );
  }
  if (headers === undefined) return;
  yield await checkTls(io, server);
  yield checkClock(headers.get('date'), (asked + io.time()) / 2);
}

async function checkTls(io: Io, server: string): Promise<Finding> {
  const url = new URL(server);
  if (url.protocol === 'http:')
    return isUnprotected(server)
      ? warn(
          'tls',
          'the connection is not protected: others can read the token',
          'use an address with https:',
        )
      : ok('tls', 'not needed on this machine');
  try {
    const { expiresTs, protocol } = await io.certificateOf(url, io.signal);
    const days = Math.floor((expiresTs - io.time()) / MS_PER_DAY);
    const detail = `${protocol}, the certificate expires in ${days} days`;
    return days < CERTIFICATE_DAYS ? warn('tls', detail, 'renew the certificate') : ok('tls', detail);
  } catch (error) {
    io.signal.throwIfAborted();
    return fail(
      'tls',
      (error as Error).message,
      'correct the certificate, or trust its issuer with NODE_EXTRA_CA_CERTS',
    );
  }
}

function checkClock(date: string | null, here: number): Finding {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return ok('clock', 'the server does not tell its time');
  // The header has whole seconds.
  const apart = Math.max(Math.abs(here - there - MS_PER_S / 2) - MS_PER_S / 2, 0);
  const detail =
    apart < MS_PER_S
      ? 'agrees with that of the server'
      : `${Math.round(apart / MS_PER_S)} s from that of the server`;
  const remedy = 'synchronise the clocks of this machine and of the server (NTP)';
  if (apart >= SKEW_FAIL_MS) return fail('clock', detail, remedy);
  return apart >= SKEW_WARN_MS ? warn('clock', detail, remedy) : ok('clock', detail);
}
