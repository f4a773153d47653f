import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, usesEmbeddedStore } from '@steward/config';
import { closeAll } from '@steward/kernel';
import { openReference, type ReferenceSettings } from '@steward/migrate';
import { STORE_FILE } from '@steward/runtime';
import { say, sayResult } from '../command/say.ts';
import { KINDS } from '../import/kinds.ts';
import { openServices } from '../import/open-services.ts';
import { copyHomeserver } from './copy-homeserver.ts';
import { findPepper } from './find-pepper.ts';
import { Ledger } from './ledger.ts';
import { problemOfFolder } from './problem-of-folder.ts';
import { REFUSED } from './refused.ts';

/** The file of the data directory that says what was copied. */
const LEDGER_FILE = 'migration.sqlite';

/** The file to which a database in use is copied. */
const COPY_FILE = 'migration-source.sqlite';

/**
 * Copies the old homeserver of the settings into the server of the configuration.
 *
 * @param anew whether what earlier copies have noted is forgotten
 * @returns the exit status
 * @throws Error with a message of one line when it cannot be done
 */
export async function copyCommand(
  config: Config,
  settings: ReferenceSettings,
  anew: boolean,
): Promise<number> {
  const pepper = findPepper(config, settings.pepper);
  const problem = problemOfFolder(settings.mediaFolder);
  if (problem !== undefined) throw new Error(problem);
  const { data } = config.server;
  const isHere = config.services.user_urls.length === 0 && usesEmbeddedStore(config);
  // Without its store the ledger describes nothing.
  const isEmpty = isHere && !existsSync(join(data, STORE_FILE));
  const opened: (() => unknown)[] = [];
  try {
    const services = await openServices(config);
    opened.push(() => services.close());
    mkdirSync(data, { recursive: true });
    if (anew || isEmpty)
      for (const end of ['', '-wal', '-shm']) rmSync(join(data, LEDGER_FILE + end), { force: true });
    const ledger = Ledger.open(join(data, LEDGER_FILE));
    // After the services, which make everything durable: what was not completed is loaded again.
    opened.unshift(() => ledger.close());
    const old = await openReference(settings, {
      pepper,
      storesPasswords: config.passwords.localdb_enabled,
      copy: join(data, COPY_FILE),
      now: Date.now(),
      firstPosition: ledger.firstPosition(),
    });
    opened.push(() => old.close());
    const { copied, highest } = await copyHomeserver(old, {
      ledger,
      open(name) {
        const kind = KINDS.get(name);
        if (!kind) throw new Error(`There are no records of kind ${name}`);
        return kind(services, old.mediaFolder);
      },
      onProblem: (line) => say(`migrate: ${line}`),
      print: say,
    }).catch((cause: Error) => {
      throw new Error(`${cause.message}. The copy is not complete: the same command goes on.`, { cause });
    });
    for (const { kind, table, rows, loaded, unchanged, removed, refused, reduced } of copied)
      sayResult(
        `${kind} of ${table}: ${rows} read, ${loaded} loaded, ${unchanged} unchanged, ${removed} removed, ${reduced} in part, ${refused} refused`,
      );
    await closeAll(opened.splice(1).reverse());
    ledger.complete(highest);
    return copied.some(({ refused }) => refused > 0) ? REFUSED : 0;
  } catch (error) {
    // On a full disk what is open cannot be closed either.
    await closeAll(opened.splice(0).reverse()).catch(() => {});
    throw error;
  } finally {
    await closeAll(opened.splice(0).reverse());
  }
}
