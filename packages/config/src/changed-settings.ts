import { listSettings } from './list-settings.ts';
import { type Config, loadConfig } from './load.ts';

/** Shown in place of a secret. */
const REDACTED = '[redacted]';

/** The user name, password or token in a URL, up to its last `@`, because a password may contain others. */
const USER_INFO = /(?<=:\/\/)[^/"]+(?=@)/g;

/** A password, a token or a secret among the parameters of a URL, for example `tlsCertificateKeyFilePassword` of MongoDB. */
const SECRET_PARAMETER = /(?<=[?&][^=&"]*(?:password|token|secret)[^=&"]*=)[^&"]+/gi;

/** What may contain a secret in the text of a setting. */
const SECRETS = [USER_INFO, SECRET_PARAMETER];

/**
 * The settings that differ from their defaults, by key, for example `server.name`. Secrets are replaced, also those in URLs.
 */
export function changedSettings(config: Config): Readonly<Record<string, unknown>> {
  const { warnings: _, ...defaults } = loadConfig({ env: {} });
  const changed: Record<string, unknown> = {};
  for (const { path, secret } of listSettings()) {
    const value = JSON.stringify(valueAt(config, path));
    if (value === undefined || value === JSON.stringify(valueAt(defaults, path))) continue;
    changed[path.join('.')] = secret ? REDACTED : JSON.parse(withoutSecrets(value));
  }
  return changed;
}

function withoutSecrets(text: string): string {
  return SECRETS.reduce((rest, pattern) => rest.replaceAll(pattern, REDACTED), text);
}

function valueAt(config: object, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config);
}
