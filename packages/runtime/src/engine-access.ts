import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '@steward/config';
import { authenticatorOf, type Broker } from '@steward/events';
import type { MongoServer } from '@steward/store';

/** A challenge of a broker, to try credentials with. */
const NONCE = 'nonce';

/**
 * The database of the settings, with its files checked.
 *
 * @throws Error with a message of one line, which names the setting, when a file cannot be used
 */
export function databaseAccess({ store }: Pick<Config, 'store'>): MongoServer {
  const { url, user, password_file, ca_file, certificate_file, key_file } = store;
  checkPassword('STEWARD_STORE_PASSWORD_FILE', password_file);
  checkTls('STEWARD_STORE', ca_file, certificate_file, key_file);
  return {
    url,
    user,
    passwordFile: password_file,
    caFile: ca_file,
    certificateFile: certificate_file,
    keyFile: key_file,
  };
}

/**
 * The broker of the settings, with its files checked; undefined when they name none.
 *
 * @throws Error with a message of one line, which names the setting, when a file cannot be used
 */
export function brokerAccess({ bus }: Pick<Config, 'bus'>): Broker | undefined {
  const { nats_url: servers, nats_user, nats_password_file, nats_credentials_file, nats_nkey_file } = bus;
  if (servers === undefined) return undefined;
  checkPassword('STEWARD_NATS_PASSWORD_FILE', nats_password_file);
  check('STEWARD_NATS_CREDENTIALS_FILE', nats_credentials_file, 'contains no JWT and seed', () =>
    authenticatorOf({ servers, credentialsFile: nats_credentials_file })?.(NONCE),
  );
  check('STEWARD_NATS_NKEY_FILE', nats_nkey_file, 'contains no seed of an nkey', () =>
    authenticatorOf({ servers, nkeyFile: nats_nkey_file })?.(NONCE),
  );
  checkTls('STEWARD_NATS', bus.nats_ca_file, bus.nats_certificate_file, bus.nats_key_file);
  return {
    servers,
    user: nats_user,
    passwordFile: nats_password_file,
    credentialsFile: nats_credentials_file,
    nkeyFile: nats_nkey_file,
    caFile: bus.nats_ca_file,
    certificateFile: bus.nats_certificate_file,
    keyFile: bus.nats_key_file,
  };
}

function checkPassword(setting: string, path: string | undefined): void {
  check(setting, path, 'is empty', (text) => {
    if (text.trimEnd() === '') throw new Error('no text');
  });
}

/** @param prefix what the names of the three settings have in common */
function checkTls(prefix: string, ca?: string, certificate?: string, key?: string): void {
  const parse = (pem: string) => new X509Certificate(pem);
  check(`${prefix}_CA_FILE`, ca, 'contains no certificate', parse);
  check(`${prefix}_CERTIFICATE_FILE`, certificate, 'contains no certificate', parse);
  check(`${prefix}_KEY_FILE`, key, `is not the private key of ${certificate}`, (text) =>
    createSecureContext({ key: text, cert: readFileSync(certificate ?? '') }),
  );
}

/** Reads the file of a setting, if it has one. What `use` throws is not shown, because it could quote the file. */
function check(
  setting: string,
  path: string | undefined,
  problem: string,
  use: (text: string) => unknown,
): void {
  if (path === undefined) return;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`${setting}: ${path} cannot be read (${(cause as Error).message})`, { cause });
  }
  try {
    use(text);
  } catch (cause) {
    throw new Error(`${setting}: ${path} ${problem}`, { cause });
  }
}
