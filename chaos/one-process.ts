import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SECRET, startOneProcess } from '@steward/topology/testing';
import { type Site, type StoredDocument, victimOf } from './site.ts';

/** The file of the embedded store, in the data directory. */
const STORE_FILE = 'steward.db';

/** Starts the server in one process, on the embedded engine. */
export async function openOneProcess(): Promise<Site> {
  const parent = await mkdtemp(join(tmpdir(), 'steward-chaos-'));
  const data = join(parent, 'data');
  const child = await startOneProcess({
    STEWARD_DATA: data,
    STEWARD_LOG_LEVEL: 'silent',
    STEWARD_CONFIG_OVERRIDES: JSON.stringify({
      registration: { enabled: true, shared_secret: SECRET },
      rate_limits: { enabled: false },
      push: { allowed_addresses: ['127.0.0.1'] },
    }),
  });
  return {
    urls: [child.url],
    victims: [victimOf('server', child)],
    documents: () => documentsIn(join(data, STORE_FILE)),
    undelivered: async () => [],
    facts: async () => undefined,
    damage: async () => damageOf(join(data, STORE_FILE)),
    async close() {
      await child.stop();
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** The documents in a file that the server may have open. */
async function* documentsIn(file: string): AsyncGenerator<StoredDocument> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const collections = database
      .prepare(
        `SELECT tables.name FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND columns.name = 'doc'`,
      )
      .all();
    for (const { name } of collections) {
      const collection = String(name);
      for (const { text } of database.prepare(`SELECT json(doc) AS text FROM "${collection}"`).iterate()) {
        yield { collection, document: JSON.parse(String(text)) };
      }
    }
  } finally {
    database.close();
  }
}

/** The result of the engine's integrity check of the file and its indexes. */
function damageOf(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const lines = database
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => String(row.integrity_check));
    return lines.filter((line) => line !== 'ok').map((line) => `The file is damaged: ${line}`);
  } finally {
    database.close();
  }
}
