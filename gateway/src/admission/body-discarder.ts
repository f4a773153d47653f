import type { IncomingMessage } from 'node:http';

/** How much of a refused body is read and discarded, in bytes. */
const DRAIN_LIMIT_BYTES = 16 * 1024 * 1024;

/** How long that may take, in milliseconds. */
const DRAIN_TIMEOUT_MS = 3_000;

/** How many bodies are discarded at once; the connections of further ones close with the answer. */
const MAX_DRAINS = 64;

/** Reads the rest of refused bodies and discards it. */
export class BodyDiscarder {
  #running = 0;

  /**
   * Reads the rest of a body and discards it, within limits. Most clients read the answer only after they have sent
   * the whole body; if the connection closes earlier, they see a connection error instead of the refusal.
   *
   * @returns whether the body has ended; otherwise the connection must close with the answer
   */
  async discard(request: IncomingMessage): Promise<boolean> {
    if (request.complete || request.readableEnded || request.destroyed) return true;
    if (this.#running >= MAX_DRAINS) return false;
    this.#running++;
    try {
      await readRest(request);
    } finally {
      this.#running--;
    }
    return request.complete;
  }
}

function readRest(request: IncomingMessage): Promise<void> {
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
