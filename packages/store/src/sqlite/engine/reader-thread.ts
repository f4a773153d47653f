/** The thread of `ThreadReader`: runs the statements that it receives, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from './connection.ts';
import type { Answer, ReaderData, Request, Snapshot } from './reader.ts';
import { type Sql, sql } from './sql.ts';
import { isCommitting, readClock, waitWhile } from './transaction-clock.ts';

/** How long to wait for the end of a commit before looking again, in milliseconds. */
const WAIT_MS = 10;

const { path, clock } = workerData as ReaderData;
const connection = new Connection(path, { readOnly: true });
let checkpointer: Connection | undefined;

parentPort?.on('message', (request: Request) => {
  if (request === 'checkpoint') {
    checkpointer ??= new Connection(path, { readOnly: false });
    checkpointer.checkpoint();
    return;
  }
  const { id, statements } = request;
  const answer = (content: Answer) => parentPort?.postMessage(content);
  try {
    answer({ id, snapshot: read(statements) });
  } catch (error) {
    answer({ id, error: String(error) });
  }
});

/** Reads in one snapshot, and tells which transactions it contains. */
function read(statements: readonly Sql[]): Snapshot {
  for (;;) {
    const at = readClock(clock);
    if (isCommitting(at)) {
      waitWhile(clock, at, WAIT_MS);
      continue;
    }
    connection.exec('BEGIN');
    try {
      // The first statement takes the snapshot.
      connection.get(sql('SELECT 1 FROM sqlite_schema'));
      if (readClock(clock) === at) return { rows: statements.map((one) => connection.all(one)), at };
    } finally {
      connection.exec('COMMIT');
    }
  }
}
