import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { userId } from '../data.ts';

/** The floor of the bench: one indexed read of a document behind a bare HTTP handler. */
const DOCUMENTS = 10_000;

const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE documents (id TEXT PRIMARY KEY, doc TEXT) WITHOUT ROWID');
const insertion = database.prepare('INSERT INTO documents VALUES (?, ?)');
for (let n = 0; n < DOCUMENTS; n++) {
  const account = {
    name: userId(n),
    displayname: `User ${n}`,
    admin: false,
    deactivated: false,
    threepids: [],
  };
  insertion.run(userId(n), JSON.stringify(account));
}
const read = database.prepare('SELECT doc FROM documents WHERE id = ?');

createServer(({ url = '/' }, response) => {
  const id = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
  const body = String(read.get(id)?.doc ?? '{}');
  response.setHeader('content-type', 'application/json').end(body);
}).listen(Number(process.env.STEWARD_PORT), '127.0.0.1');

process.on('SIGTERM', () => process.exit(0));
