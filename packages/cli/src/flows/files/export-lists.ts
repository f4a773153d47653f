import { randomUUID } from 'node:crypto';
import { access, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@steward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../../cli/cli.ts';
import { CommandFailure, EXIT, usageFailure } from '../../io/exit.ts';
import { makeFolder } from '../../io/make-folder.ts';
import { type Outcome, runBulk } from '../run-bulk.ts';
import { EXPORTED } from './exported.ts';

/** Only the owner reads what administrators see. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** How many characters are written at once. */
const BUFFER = 65_536;

/** Writes a file for each kind. */
export async function exportLists(
  cli: Cli,
  command: Command,
  folder: string,
  kinds: readonly string[],
): Promise<void> {
  const unknown = kinds.find((kind) => !Object.hasOwn(EXPORTED, kind));
  if (unknown !== undefined)
    throw usageFailure(`--kind is one of ${Object.keys(EXPORTED).join(', ')}, not ${unknown}`);
  const output = await cli.output(command);
  const client = await cli.client(command);
  await makeFolder(folder, FOLDER_MODE).catch((error: Error) => {
    throw new CommandFailure(`cannot make ${folder}: ${error.message}`, EXIT.usage, { cause: error });
  });
  await runBulk(cli, output, {
    items: [...new Set(kinds)],
    column: 'kind',
    idOf: (kind) => kind,
    noun: 'lists',
    act: (kind) => exportList(cli, client, folder, kind),
  });
}

/** Writes beside the file, which appears when it is complete. */
async function exportList(cli: Cli, client: Client, folder: string, kind: string): Promise<Outcome> {
  const path = join(folder, `${kind}.ndjson`);
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) return { result: 'skipped', note: `${path} is there` };
  const list = EXPORTED[kind]?.(client, { signal: cli.signal });
  if (list === undefined) throw new Error(`there is no list ${kind}`);
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', FILE_MODE);
  let count = 0;
  try {
    let text = '';
    for await (const row of list) {
      text += `${JSON.stringify(row)}\n`;
      count += 1;
      if (text.length < BUFFER) continue;
      await file.writeFile(text);
      text = '';
    }
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(draft, path);
  } finally {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
  }
  return { result: 'exported', note: `${count} rows in ${path}` };
}
