import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '@steward/config';
import { closeAll } from '@steward/kernel';
import { type LeftOut, type OldHomeserver, openReference, type ReferenceSettings } from '@steward/migrate';
import { stringify } from 'yaml';
import { copyHomeserver } from './copy-homeserver.ts';
import { findPepper } from './find-pepper.ts';
import { openTrial } from './open-trial.ts';
import { problemOfFolder } from './problem-of-folder.ts';

/** How many events and other rows two processors load in a second, for the forecast. */
const EVENTS_PER_SECOND = 1_500;
const ROWS_PER_SECOND = 5_000;

/** How many bytes of media are copied in a second, for the forecast. */
const BYTES_PER_SECOND = 50 * 1024 * 1024;

/** How many rows that cannot be carried a check names of each table. */
const NAMED = 20;

/** What a check has found. */
export interface Check {
  readonly server_name: string;
  readonly schema_version: number;
  /** Whether the old homeserver seems to run. */
  readonly running: boolean;
  /** What prevents a copy. */
  readonly errors: readonly string[];
  /** What does not. */
  readonly warnings: readonly string[];
  /** What is carried, by table. */
  readonly carried: readonly { readonly kind: string; readonly table: string; readonly rows: number }[];
  readonly left_out: readonly LeftOut[];
  /** How many rows cannot be carried. */
  readonly refused: number;
  /** The keys of the old configuration that are not read. */
  readonly unread_settings: readonly string[];
  /** The bytes that the copy needs, and those that are free where the data directory is. */
  readonly needed_bytes: number;
  readonly free_bytes: number;
  readonly forecast_seconds: number;
  /** The settings that answer to those of the old homeserver, as YAML. */
  readonly settings: string;
}

/**
 * Says what a copy would carry, and what stands in its way: loads everything into a store of its own, so that the services say what
 * they refuse.
 *
 * @param copy the path at which a database in use may be copied
 * @param print prints a line about how far the check is
 */
export async function checkHomeserver(
  config: Config,
  settings: ReferenceSettings,
  copy: string,
  print: (line: string) => void,
): Promise<Check> {
  const errors: string[] = [];
  const warnings: string[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      errors.push((error as Error).message);
      return undefined;
    }
  };
  if (settings.serverName !== config.server.name)
    errors.push(`STEWARD_SERVER_NAME is ${config.server.name}; it must be ${settings.serverName}.`);
  const pepper = attempt(() => findPepper(config, settings.pepper));
  if (settings.pepper !== '' && settings.pepper !== settings.pepper.trimEnd())
    warnings.push(
      'The pepper ends with white space, which the file of a pepper loses: passwords will not match.',
    );
  const folder = problemOfFolder(settings.mediaFolder);
  if (folder !== undefined) errors.push(folder);
  if (settings.mediaProviders.length > 0)
    warnings.push(
      `media_storage_providers: ${settings.mediaProviders.join(', ')}: a copy reads the files of ${settings.mediaFolder} alone. Copy what is only in those stores into the folder first, under the same paths; the files that are missing are named.`,
    );
  const old = await openReference(settings, {
    ...{ pepper, storesPasswords: config.passwords.localdb_enabled, copy },
    now: Date.now(),
  });
  const opened: (() => unknown)[] = [() => old.close()];
  try {
    const unknown = (await typesOf(old)).filter(
      (type) => !KNOWN_TYPES.has(type) && !config.accounts.user_types.includes(type),
    );
    if (unknown.length > 0)
      errors.push(`Accounts have the types ${unknown.join(', ')}: name them in accounts.user_types.`);
    // What these errors refuse is not named row by row.
    const trial = await openTrial(
      {
        ...config,
        server: { ...config.server, name: settings.serverName },
        accounts: { ...config.accounts, user_types: [...config.accounts.user_types, ...unknown] },
      },
      settings.mediaFolder,
    );
    opened.push(() => trial.close());
    if (old.isRunning) warnings.push('The old homeserver seems to run: copy again after it was stopped.');
    const unfinished = await old.unfinished();
    warnings.push(...unfinished);
    const named = new Map<string, number>();
    const onProblem = (line: string, table: string) => {
      const before = named.get(table) ?? 0;
      named.set(table, before + 1);
      if (before < NAMED) warnings.push(line);
    };
    const { copied } = await copyHomeserver(old, { ...trial, print, onProblem });
    for (const [table, count] of named)
      if (count > NAMED) warnings.push(`${table}: ${count - NAMED} more rows like these.`);
    const carried = copied.map(({ kind, table, rows, refused }) => ({ kind, table, rows: rows - refused }));
    const left = await old.leftOut();
    for (const { table, rows, reason } of left)
      if (reason === undefined)
        warnings.push(`${table}: ${rows} rows are not carried: this release does not know the table.`);
    const sizes = await old.sizes();
    const needed =
      sizes.database * (old.isRunning && settings.database.engine === 'sqlite' ? 2 : 1) + sizes.media;
    const free = await freeBytes(config.server.data);
    if (free < needed)
      errors.push(`The copy needs about ${needed} bytes, and ${free} are free at ${config.server.data}.`);
    const events = carried.find(({ kind }) => kind === 'events')?.rows ?? 0;
    const others = carried.reduce((sum, { rows }) => sum + rows, -events);
    return {
      server_name: settings.serverName,
      schema_version: old.schemaVersion,
      running: old.isRunning,
      ...{ errors, warnings, carried },
      refused: copied.reduce((sum, { refused }) => sum + refused, 0),
      unread_settings: settings.unread,
      left_out: left,
      needed_bytes: needed,
      free_bytes: free,
      forecast_seconds: Math.ceil(
        events / EVENTS_PER_SECOND + others / ROWS_PER_SECOND + sizes.media / BYTES_PER_SECOND,
      ),
      settings: settingsFor(settings, unknown),
    };
  } finally {
    await closeAll(opened.reverse());
  }
}

/** The types that accounts have. */
async function typesOf({ parts }: OldHomeserver): Promise<readonly string[]> {
  const types = new Set<string>();
  for (const part of parts.filter(({ kind }) => kind === 'users'))
    for await (const found of part.read())
      if ('record' in found && typeof found.record.user_type === 'string') types.add(found.record.user_type);
  return [...types];
}

/** The types of accounts that every server has. */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['bot', 'support']);

/** The free bytes at a path, or at the nearest folder above it that exists. */
async function freeBytes(path: string): Promise<number> {
  if (!existsSync(path)) return freeBytes(dirname(path));
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** The bytes of a size such as `50M`. */
function bytesOf(size: string | number): number | undefined {
  const { number, unit = '' } = /^(?<number>\d+)(?<unit>[KMG])?$/.exec(String(size))?.groups ?? {};
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1);
}

/** The settings that answer to those of the old homeserver. Secrets are not among them. */
function settingsFor({ all, serverName, pepper }: ReferenceSettings, types: readonly string[]): string {
  const { server_notices: notices } = all;
  const upload = all.max_upload_size ? bytesOf(all.max_upload_size) : undefined;
  const { localdb_enabled, enabled } = all.password_config ?? {};
  return stringify({
    server: {
      name: serverName,
      ...(all.public_baseurl ? { public_baseurl: all.public_baseurl } : {}),
    },
    ...(all.enable_registration
      ? { registration: { enabled: true, requires_token: all.registration_requires_token === true } }
      : {}),
    ...(types.length > 0 ? { accounts: { user_types: types } } : {}),
    ...(pepper !== '' || enabled === false || localdb_enabled === false
      ? {
          passwords: {
            ...(enabled === false ? { enabled: false } : {}),
            ...(localdb_enabled === false ? { localdb_enabled: false } : {}),
            ...(pepper === '' ? {} : { peppers: [{ name: 'old', file: '/etc/steward/pepper' }] }),
          },
        }
      : {}),
    ...(notices
      ? {
          notices: {
            enabled: true,
            localpart: notices.system_mxid_localpart,
            ...(notices.system_mxid_display_name ? { display_name: notices.system_mxid_display_name } : {}),
            ...(notices.room_name ? { room_name: notices.room_name } : {}),
          },
        }
      : {}),
    ...(upload === undefined ? {} : { media: { max_upload_bytes: upload } }),
  });
}
