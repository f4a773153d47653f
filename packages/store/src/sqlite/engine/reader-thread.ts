/** The thread of `ThreadReader`: runs the statements that it receives, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from './connection.ts';
import type { Answer, Request } from './reader.ts';

const connection = new Connection(workerData.path, { readOnly: true });
let checkpointer: Connection | undefined;

parentPort?.on('message', (request: Request) => {
  if (request === 'checkpoint') {
    checkpointer ??= new Connection(workerData.path, { readOnly: false });
    checkpointer.checkpoint();
    return;
  }
  const { id, statement } = request;
  const answer = (content: Answer) => parentPort?.postMessage(content);
  try {
    answer({ id, rows: connection.all(statement) });
  } catch (error) {
    answer({ id, error: String(error) });
  }
});
