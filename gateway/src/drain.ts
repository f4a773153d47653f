import type { IncomingMessage } from 'node:http';

/** How much of a refused body is read and thrown away, in bytes. */
const DRAIN_LIMIT_BYTES = 64 * 1024 * 1024;

/** How long that may take, in milliseconds. */
const DRAIN_TIMEOUT_MS = 5_000;

/**
 * Reads what is left of a body and throws it away, within bounds. Most clients look for an answer only
 * when they have sent everything; closed before, their connection fails and the refusal is never seen.
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
