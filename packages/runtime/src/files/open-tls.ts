import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Config } from '@steward/config';
import { type Clock, repeat } from '@steward/kernel';
import type { Tls, TlsIdentity } from '@steward/rpc';
import type { Logger, Meters } from '@steward/telemetry';
import { type FollowedFiles, followFiles } from './follow-files.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const MS_PER_S = 1_000;

/** How long before its end of validity a certificate is reported in the log, each day, in milliseconds. */
const NOTICE_MS = 14 * DAY_MS;

/** How often refused connections are reported in the log at most, in milliseconds: anyone who reaches the port can cause them. */
const REFUSAL_PAUSE_MS = 60_000;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The identity of a process towards the others, from files. */
export interface ProcessTls extends Tls, Pick<FollowedFiles, 'refresh' | 'close'> {}

/** What the identity of a process is opened with. */
export interface TlsOptions {
  readonly config: Pick<Config, 'services'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly meters: Pick<Meters, 'gauge'>;
}

/**
 * Reads the files of `services.tls`, and follows them. When a certificate expires is measured, and reported in the log two weeks
 * before.
 *
 * @returns undefined when the settings name none
 * @throws Error with a message of one line when they cannot be read or used, or the certificate has expired
 */
export async function openTls({
  config,
  clock,
  logger,
  meters,
}: TlsOptions): Promise<ProcessTls | undefined> {
  const { ca_file: ca, certificate_file: certificate, key_file: key } = config.services.tls;
  if (ca === undefined || certificate === undefined || key === undefined) return undefined;
  const listeners: ((identity: TlsIdentity) => void)[] = [];
  let identity: TlsIdentity = { ca: '', certificate: '', key: '' };
  let expiries = { own: 0, authority: 0 };
  const setting = 'services.tls';
  const use = ([ca = '', certificate = '', key = '']: readonly string[]) => {
    const found = { ca, certificate, key };
    expiries = check(found, clock, setting);
    identity = found;
    for (const listener of listeners) listener(found);
  };
  const files = await followFiles([{ setting, paths: [ca, certificate, key], use }], logger);
  meters.gauge('steward_certificate_expiry_timestamp_seconds').from(() => [
    { labels: { certificate: 'own' }, value: expiries.own / MS_PER_S },
    { labels: { certificate: 'authority' }, value: expiries.authority / MS_PER_S },
  ]);
  const warn = async () => {
    for (const [certificate, expiry] of Object.entries(expiries))
      if (expiry - clock.now() < NOTICE_MS)
        logger.warn({ certificate, expires: new Date(expiry).toISOString() }, 'a certificate expires soon');
  };
  let reportedTs = Number.NEGATIVE_INFINITY;
  const onRefusal = (reason: string) => {
    if (clock.now() - reportedTs < REFUSAL_PAUSE_MS) return;
    reportedTs = clock.now();
    logger.warn({ reason }, 'a connection of another process was refused');
  };
  const warning = repeat(warn, { intervalMs: DAY_MS, onFault: () => {} });
  return {
    current: () => identity,
    onChange: (listener) => void listeners.push(listener),
    onRefusal,
    refresh: () => files.refresh(),
    async close() {
      await files.close();
      await warning.close();
    },
  };
}

/**
 * Returns when the certificate, and the last one of the authorities, expire, in milliseconds since the Unix epoch.
 *
 * @throws Error with a message of one line when the files cannot be used together
 */
function check(
  { ca, certificate, key }: TlsIdentity,
  clock: Clock,
  setting: string,
): { readonly own: number; readonly authority: number } {
  try {
    createSecureContext({ ca, cert: certificate, key });
  } catch (error) {
    throw new Error(`${setting}: the files cannot be used together (${reason(error)})`);
  }
  // Of a chain, the first certificate is that of the process.
  const [own] = expiriesOf(certificate);
  const authority = Math.max(...expiriesOf(ca));
  if (own === undefined || authority === Number.NEGATIVE_INFINITY)
    throw new Error(`${setting}: a file without a certificate in PEM`);
  if (own <= clock.now())
    throw new Error(`${setting}: the certificate expired on ${new Date(own).toISOString()}`);
  return { own, authority };
}

function expiriesOf(pem: string): readonly number[] {
  return (pem.match(PEM) ?? []).map((text) => new X509Certificate(text).validToDate.getTime());
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
