import type { IncomingMessage } from 'node:http';

/** How much of a refused body is read and discarded, in bytes. */
const DRAIN_LIMIT_BYTES = 64 * 1024 * 1024;

/** How long that may take, in milliseconds. */
const DRAIN_TIMEOUT_MS = 5_000;

/**
 * Reads the rest of a body and discards it, within limits. Most clients read the answer only after they have sent
 * the whole body; if the connection closes earlier, they see a connection error instead of the refusal.
 */
export function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const done = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('close', done);
      request.pause();
      resolve();
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > DRAIN_LIMIT_BYTES) done();
    };
    const timer = setTimeout(done, DRAIN_TIMEOUT_MS);
    request.on('data', count).on('end', done).on('close', done);
  });
}
