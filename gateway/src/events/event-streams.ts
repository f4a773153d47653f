import type { Config } from '@steward/config';
import { limitExceeded, refuse } from '@steward/errors';
import { markLogged } from '@steward/rpc';
import type { Metrics } from '@steward/telemetry';

/** When a client that has too many streams may try again, in milliseconds. */
const RETRY_MS = 5_000;

/** How long a client has to read the end of its stream when the gateway stops, in milliseconds. */
const END_LIMIT_MS = 1_000;

/** The refusal while a process stops, which is not a fault. */
export function stopping(): Error {
  return markLogged(refuse.unavailable('The server is stopping'));
}

/** An event stream that is served, or about to be. */
interface Stream {
  readonly credential: string;
  readonly end: () => void;
  readonly cut: () => void;
}

/** The event streams of a gateway: limits their number, and ends them when the gateway stops. */
export class EventStreams {
  readonly #limits: Config['admission'];
  readonly #streams = new Set<Stream>();
  /** How many streams each credential has. */
  readonly #counts = new Map<string, number>();
  #isClosed = false;

  constructor(limits: Config['admission'], metrics: Pick<Metrics, 'gauge'>) {
    this.#limits = limits;
    metrics.gauge('steward_http_event_streams').from(() => [{ labels: {}, value: this.#streams.size }]);
  }

  /**
   * Counts a stream until the returned function is called.
   *
   * @param end ends the stream because the gateway stops
   * @param cut closes its connection, when the client has not read the end of the stream within a second
   * @throws limitExceeded when the credential or the gateway has too many streams
   * @throws refuse.unavailable when the gateway stops
   */
  open(credential: string, end: () => void, cut: () => void): () => void {
    if (this.#isClosed) throw stopping();
    const { max_event_streams: most, max_event_streams_per_credential: mostOfOne } = this.#limits;
    const count = this.#counts.get(credential) ?? 0;
    if (this.#streams.size >= most || count >= mostOfOne) throw limitExceeded(RETRY_MS);
    const stream: Stream = { credential, end, cut };
    this.#streams.add(stream);
    this.#counts.set(credential, count + 1);
    return () => this.#remove(stream);
  }

  /** Ends all streams, and refuses further ones. */
  close(): void {
    this.#isClosed = true;
    for (const { end } of this.#streams) end();
    const cutAll = () => {
      for (const { cut } of this.#streams) cut();
    };
    setTimeout(cutAll, END_LIMIT_MS).unref();
  }

  #remove(stream: Stream): void {
    if (!this.#streams.delete(stream)) return;
    const { credential } = stream;
    const left = (this.#counts.get(credential) ?? 0) - 1;
    if (left > 0) this.#counts.set(credential, left);
    else this.#counts.delete(credential);
  }
}
