import 'reflect-metadata';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The paths of a certificate and its key. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** An authority for the certificates of a test. */
export interface TestAuthority {
  /** The path of its own certificate. */
  readonly file: string;
  /**
   * Issues a certificate for servers and clients.
   *
   * @param hosts the DNS names and addresses that it is valid for
   * @param days from now until it expires; negative when it has expired
   */
  issue(hosts: readonly string[], days?: number): Promise<CertificateFiles>;
}

/** Creates an authority, whose files are in a directory of its own below the system's for temporary files. */
export async function createAuthority(): Promise<TestAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-certificates-'));
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const name = `CN=${folder.split('-').at(-1)}`;
  const own = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    notBefore: new Date(Date.now() - 9 * DAY_MS),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  let issued = 0;
  const write = (file: string, text: string) => {
    const path = join(folder, file);
    writeFileSync(path, text);
    return path;
  };
  const pem = (certificate: X509Certificate) => certificate.toString('pem');
  return {
    file: write('authority.pem', pem(own)),
    async issue(hosts, days = 1) {
      const { publicKey, privateKey } = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
      const certificate = await X509CertificateGenerator.create({
        subject: `CN=${hosts[0]}`,
        issuer: name,
        publicKey,
        signingKey: keys.privateKey,
        notBefore: new Date(Date.now() - 8 * DAY_MS),
        notAfter: new Date(Date.now() + days * DAY_MS),
        extensions: [
          new SubjectAlternativeNameExtension(
            hosts.map((value) => ({
              type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const),
              value,
            })),
          ),
        ],
      });
      const exported = await crypto.subtle.exportKey('pkcs8', privateKey);
      issued++;
      return {
        certificate: write(`${issued}.pem`, pem(certificate)),
        key: write(`${issued}.key`, PemConverter.encode(exported, 'PRIVATE KEY')),
      };
    },
  };
}
