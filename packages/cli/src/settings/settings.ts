import { randomUUID } from 'node:crypto';
import { chmod, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailure, EXIT } from '../io/exit.ts';
import type { Io } from '../io/io.ts';
import { makeFolder } from '../io/make-folder.ts';

/** A server and how to be known there. */
export interface Context {
  readonly server: string;
  readonly token: string;
  /** Who the token is, to tell contexts apart. */
  readonly user?: string;
  /** Whether the token is that of a login which `logout` ends. */
  readonly is_login?: true;
}

/** What `stewardctl` keeps between its runs. */
export interface Settings {
  /** The context of commands that name none. */
  readonly current?: string;
  readonly contexts: Readonly<Record<string, Context>>;
}

const NONE: Settings = { contexts: {} };

/** Only the owner reads tokens. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;

const LOCK_PAUSE_MS = 25;
const LOCK_ATTEMPTS = 200;

/** Returns where the settings are: below `XDG_CONFIG_HOME`, or else `.config` of the home directory. */
export function settingsPath({ XDG_CONFIG_HOME: config, HOME: home }: Io['env']): string {
  return join(config || join(home || homedir(), '.config'), 'stewardctl', 'config.json');
}

/**
 * Reads the settings; none when there is no file. Takes a file that others may read away from them.
 *
 * @param warn receives that it did so
 * @throws CommandFailure if the file has another content, or belongs to another user
 */
export async function readSettings(path: string, warn: (text: string) => Promise<void>): Promise<Settings> {
  let text: string;
  try {
    await protect(path, warn);
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NONE;
    throw error;
  }
  const settings = parse(text);
  if (settings === undefined)
    throw new CommandFailure(`${path} is not a configuration of stewardctl: correct or remove it`);
  return settings;
}

/** Changes the settings as one step, also when several programs do so at once. */
export async function changeSettings(
  path: string,
  warn: (text: string) => Promise<void>,
  change: (settings: Settings) => Settings,
): Promise<void> {
  await makeFolder(dirname(path), FOLDER_MODE).catch((error: Error) => {
    throw new CommandFailure(`cannot make ${dirname(path)} for the contexts: ${error.message}`, EXIT.usage, {
      cause: error,
    });
  });
  const unlock = await lock(`${path}.lock`);
  try {
    const next = change(await readSettings(path, warn));
    const draft = `${path}.${randomUUID()}`;
    try {
      const file = await open(draft, 'wx', FILE_MODE);
      await file.writeFile(`${JSON.stringify(next, null, 2)}\n`);
      await file.sync();
      await file.close();
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
  } finally {
    await unlock();
  }
}

async function protect(path: string, warn: (text: string) => Promise<void>): Promise<void> {
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  const { mode, uid } = await stat(path);
  if ((mode & OTHERS) === 0) return;
  if (uid !== process.getuid?.())
    throw new CommandFailure(`${path} belongs to another user, and others may read it`);
  await chmod(path, FILE_MODE);
  await warn(`${path} was readable by other users; it no longer is. Consider its tokens as known to them.`);
}

async function lock(path: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
    try {
      await (await open(path, 'wx', FILE_MODE)).close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await pause(LOCK_PAUSE_MS);
    }
  }
  throw new CommandFailure(
    `${path} is there: another stewardctl changes the contexts. Remove it if none runs.`,
  );
}

function parse(text: string): Settings | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !isRecord(value.contexts)) return undefined;
  if (value.current !== undefined && typeof value.current !== 'string') return undefined;
  const all = Object.values(value.contexts);
  const areContexts = all.every(
    (each) => isRecord(each) && typeof each.server === 'string' && typeof each.token === 'string',
  );
  return areContexts ? (value as unknown as Settings) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
