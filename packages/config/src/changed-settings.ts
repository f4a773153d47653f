import { listSettings } from './list-settings.ts';
import { type Config, loadConfig } from './load.ts';

/** Shown in place of a secret. */
const REDACTED = '[redacted]';

/** The user name, password or token in a URL. */
const USER_INFO = /(?<=:\/\/)[^/@]+(?=@)/g;

/**
 * The settings that differ from their defaults, by key, for example `server.name`. Secrets and the user information of URLs are
 * replaced.
 */
export function changedSettings(config: Config): Readonly<Record<string, unknown>> {
  const { warnings: _, ...defaults } = loadConfig({ env: {} });
  const changed: Record<string, unknown> = {};
  for (const { path, secret } of listSettings()) {
    const value = JSON.stringify(valueAt(config, path));
    if (value === undefined || value === JSON.stringify(valueAt(defaults, path))) continue;
    changed[path.join('.')] = secret ? REDACTED : JSON.parse(value.replaceAll(USER_INFO, REDACTED));
  }
  return changed;
}

function valueAt(config: object, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config);
}
