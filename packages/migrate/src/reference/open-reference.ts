import { readFileSync } from 'node:fs';
import type { OldHomeserver } from '../part.ts';
import { leftOut, READ } from './left-out.ts';
import { accountsPart } from './parts/accounts.ts';
import type { Context } from './parts/context.ts';
import { keyParts } from './parts/keys.ts';
import { mediaParts } from './parts/media.ts';
import { ownSettingsParts } from './parts/own-settings.ts';
import { reportParts } from './parts/reports.ts';
import { roomParts } from './parts/rooms.ts';
import { sessionParts } from './parts/sessions.ts';
import type { ReferenceSettings } from './settings.ts';
import { countOf, oneRow, type SourceDatabase } from './source/database.ts';
import { isOpenElsewhere } from './source/is-open-elsewhere.ts';
import { openPostgres } from './source/open-postgres.ts';
import { openSqlite } from './source/open-sqlite.ts';

/** The versions of the schema that were tested. */
const OLDEST_SCHEMA = 84;
const NEWEST_SCHEMA = 94;

/** Tables that earlier versions of the schema may not have. */
const LATER: ReadonlySet<string> = new Set(['room_reports', 'user_reports', 'quarantined_media_changes']);

/** What the reader needs from the new server. */
export interface ReferenceOptions {
  /** The name of the pepper in the settings of the new server; undefined for none. */
  readonly pepper: string | undefined;
  /** Whether the new server stores passwords (`passwords.localdb_enabled`). */
  readonly storesPasswords: boolean;
  /** The path at which a database in use may be copied. */
  readonly copy: string;
  /** The time, in milliseconds: tokens that have ended are not carried. */
  readonly now: number;
  /** Where the new server counts from since the first copy; the lowest position of an event unless given. */
  readonly firstPosition?: number | undefined;
}

/** The old homeserver, and what a check asks beside. */
export interface Reference extends OldHomeserver {
  readonly schemaVersion: number;
  readonly isRunning: boolean;
  /** What the old homeserver has not finished, one sentence each. */
  unfinished(): Promise<readonly string[]>;
  /** The bytes of the database, and of media. */
  sizes(): Promise<{ readonly database: number; readonly media: number }>;
}

/**
 * Opens the database that the configuration of the reference names.
 *
 * @throws Error with a message of one line when it cannot be read, or is of a program or release that was not tested
 */
export async function openReference(
  settings: ReferenceSettings,
  { pepper, storesPasswords, copy, now, firstPosition: first }: ReferenceOptions,
): Promise<Reference> {
  const { serverName, mediaFolder, pidFile } = settings;
  const isAlive =
    (pidFile !== undefined && isProcess(pidFile)) ||
    (settings.database.engine === 'sqlite' && isOpenElsewhere(settings.database.path));
  const database =
    settings.database.engine === 'sqlite'
      ? await openSqlite(settings.database.path, isAlive ? copy : undefined)
      : await openPostgres(settings.database.args);
  try {
    const schemaVersion = await versionOf(database);
    const localpart = settings.all.server_notices?.system_mxid_localpart;
    const { n } = await oneRow(database, 'SELECT MIN(stream_ordering) AS n FROM events');
    const firstPosition = first ?? Math.min(1, Number(n ?? 1));
    const context: Context = {
      ...{ database, serverName, pepper, storesPasswords, mediaFolder, firstPosition, now },
      noticeUser: localpart === undefined ? undefined : `@${localpart}:${serverName}`,
    };
    return {
      ...{ serverName, mediaFolder, schemaVersion, firstPosition },
      isRunning: isAlive || ((await database.users()) ?? 0) > 0,
      parts: [
        accountsPart(context),
        ...sessionParts(context),
        ...keyParts(context),
        ...ownSettingsParts(context),
        ...roomParts(context),
        ...mediaParts(context),
        ...reportParts(context),
      ],
      leftOut: () => leftOut(database, now),
      unfinished: () => unfinishedOf(database),
      async sizes() {
        const { local } = await oneRow(
          database,
          'SELECT SUM(media_length) AS local FROM local_media_repository',
        );
        const { remote } = await oneRow(
          database,
          'SELECT SUM(media_length) AS remote FROM remote_media_cache',
        );
        return { database: await database.bytes(), media: Number(local ?? 0) + Number(remote ?? 0) };
      },
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Work that the old homeserver does in the background, with what it means here. */
const UNFINISHED = {
  background_updates: 'changes of the database are not complete: let the old homeserver finish them first',
  users_pending_deactivation: 'deactivations are not complete: the accounts are carried as deactivated',
  partial_state_rooms: 'the state of rooms is not complete: let the old homeserver finish joining them first',
} as const;

async function unfinishedOf(database: SourceDatabase): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [table, meaning] of Object.entries(UNFINISHED)) {
    const rows = database.tables.has(table) ? await countOf(database, table) : 0;
    if (rows > 0) found.push(`${table}: ${rows} rows: ${meaning}.`);
  }
  return found;
}

async function versionOf(database: SourceDatabase): Promise<number> {
  if (!database.tables.has('schema_version'))
    throw new Error(
      'The database is not one of the reference homeserver: it has no table schema_version, or the role may not use its schema.',
    );
  const { version } = await oneRow(database, 'SELECT version FROM schema_version');
  if (version === undefined)
    throw new Error(
      'The database is not complete: schema_version has no row. It was not restored to its end.',
    );
  const found = Number(version);
  if (!(found >= OLDEST_SCHEMA && found <= NEWEST_SCHEMA))
    throw new Error(
      `The schema of the database has the version ${version}, and this release reads ${OLDEST_SCHEMA} to ${NEWEST_SCHEMA}.`,
    );
  const missing = [...READ].filter(
    (table) => !database.tables.has(table) && (found === NEWEST_SCHEMA || !LATER.has(table)),
  );
  if (missing.length > 0)
    throw new Error(
      `The database is not complete: the schema ${found} has the tables ${missing.join(', ')}. It was not restored to its end.`,
    );
  return found;
}

/** Whether the process of a file with its id is alive. */
function isProcess(pidFile: string): boolean {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8').trim()), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
