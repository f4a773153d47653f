import type { ClientHttp2Stream, Http2Session } from 'node:http2';
import { Http2SessionManager } from '@connectrpc/connect-node';

/**
 * Connect's session manager, which also counts its open streams, with a listener for the errors of its connections that
 * stays. Without it an error has no listener, and ends the process, when a call begins while the manager destroys an idle
 * connection (docs/upstream.md).
 */
export class SessionManager extends Http2SessionManager {
  readonly #listening = new WeakSet<Http2Session>();
  #streams = 0;

  /** How many streams are open, on all of its connections. */
  get streams(): number {
    return this.#streams;
  }

  override async request(...args: Parameters<Http2SessionManager['request']>): Promise<ClientHttp2Stream> {
    const stream = await super.request(...args);
    this.#streams++;
    stream.once('close', () => {
      this.#streams--;
    });
    const { session } = stream;
    if (session && !this.#listening.has(session)) {
      this.#listening.add(session);
      session.on('error', () => {});
    }
    return stream;
  }
}
