import type { CallerUsage, TrackedRequest } from './caller-usage.ts';
import type { Refusals } from './refusals.ts';

/** How many bodies of one caller, and of all, are received at once. */
const MAX_BODIES_OF_CALLER = 64;
const MAX_BODIES = 4_000;

/** How many bytes of bodies of one caller, and of all, are in memory. */
const MAX_BYTES_OF_CALLER = 32 * 1024 * 1024;
const MAX_BYTES = 128 * 1024 * 1024;

/** The bytes of a streamed body that are in memory at once. */
const STREAMED_BYTES = 256 * 1024;

/** The least average rate of a body in bytes per second, after a grace for lost packets. */
const MIN_BYTES_PER_S = 1024;
const GRACE_S = 10;

/** For how many seconds no byte of a body may arrive, so that one that began fast is not held in memory for long. */
const MAX_SILENCE_S = 30;

/** From this age in seconds, the slowest body gives its place to a new one. */
const REPLACEABLE_AFTER_S = 1;

/**
 * Counts the bodies that are being received, by the bytes that have arrived: what a client announces and does not send
 * takes no memory. A body that arrives too slowly ends with 408.
 */
export class BodyReceipt {
  readonly #refusals: Refusals;
  readonly #receiving = new Set<TrackedRequest>();
  #bytes = 0;

  constructor(refusals: Refusals) {
    this.#refusals = refusals;
  }

  /** The bodies that are being received. */
  get bodies(): number {
    return this.#receiving.size;
  }

  /** The bytes of bodies in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a caller has as many bodies as it may. */
  isFull({ receiving }: CallerUsage): boolean {
    return receiving.size >= MAX_BODIES_OF_CALLER;
  }

  /**
   * Counts a body and continues its request, or refuses it. If there are too many, a body that arrives together with its
   * request needs no place; for others the slowest body is cut off.
   */
  begin(request: TrackedRequest, proceed: (refusal?: Error) => void): void {
    if (!this.isFull(request.usage) && this.#receiving.size < MAX_BODIES) {
      this.#begin(request);
      proceed();
      return;
    }
    // Node reports a request before it has read the body from the same packet.
    setImmediate(() => {
      if (request.ended) return;
      const refusal = request.raw.complete ? undefined : this.#makePlace(request.usage);
      if (!refusal) this.#begin(request);
      proceed(refusal);
    });
  }

  /** Counts the bytes of a body from now on. Its reader must begin in the same turn. */
  count(request: TrackedRequest): void {
    const { raw } = request;
    if (request.streamsBody) this.#add(request, STREAMED_BYTES);
    else raw.on('data', ({ length }: Buffer) => this.#add(request, length));
    raw.once('end', () => this.#received(request));
  }

  /** Ends what a body counts: it was refused, or its request has been carried out. */
  end(request: TrackedRequest): void {
    this.#received(request);
    request.usage.receivedBytes -= request.receivedBytes;
    this.#bytes -= request.receivedBytes;
    request.receivedBytes = 0;
  }

  /** Ends bodies that arrive too slowly, or no longer; called once a second. */
  tick(): void {
    for (const request of this.#receiving) {
      // A client is not at fault while the server has not read what it sent.
      if (request.raw.readableLength > 0) continue;
      request.secondsReceiving++;
      const bytes = arrived(request);
      request.secondsSilent = bytes > request.arrivedBytes ? 0 : request.secondsSilent + 1;
      request.arrivedBytes = bytes;
      const due = (request.secondsReceiving - GRACE_S) * MIN_BYTES_PER_S;
      if (bytes < due || request.secondsSilent > MAX_SILENCE_S)
        this.#abort(request, this.#refusals.ofSlowBody());
    }
  }

  #begin(request: TrackedRequest): void {
    request.usage.receiving.add(request);
    this.#receiving.add(request);
  }

  #makePlace({ receiving }: CallerUsage): Error | undefined {
    if (receiving.size >= MAX_BODIES_OF_CALLER && !this.#endSlowest(receiving)) {
      return this.#refusals.ofCaller('bodies');
    }
    if (this.#receiving.size >= MAX_BODIES && !this.#endSlowest(this.#receiving)) {
      return this.#refusals.ofServer('bodies');
    }
    return undefined;
  }

  #add(request: TrackedRequest, bytes: number): void {
    const { usage } = request;
    // A body that was refused or has been used is discarded.
    if (!usage.receiving.has(request)) return;
    request.receivedBytes += bytes;
    usage.receivedBytes += bytes;
    this.#bytes += bytes;
    if (usage.receivedBytes > MAX_BYTES_OF_CALLER)
      this.#abort(request, this.#refusals.ofCaller('body_bytes'));
    else if (this.#bytes > MAX_BYTES)
      this.#abort(this.#largestOfGreediest(request), this.#refusals.ofServer('body_bytes'));
  }

  /** Of the callers whose bodies are being received, the largest body of the one with the most bytes. */
  #largestOfGreediest(last: TrackedRequest): TrackedRequest {
    let largest = last;
    for (const request of this.#receiving) {
      const more = request.usage.receivedBytes - largest.usage.receivedBytes;
      if (more > 0 || (more === 0 && request.receivedBytes > largest.receivedBytes)) largest = request;
    }
    return largest;
  }

  /** Refuses a request in the middle of its body; one whose body nothing reads as a whole is cut off. */
  #abort(request: TrackedRequest, refusal: Error): void {
    const { raw, streamsBody } = request;
    this.end(request);
    if (streamsBody || raw.listenerCount('error') === 0) raw.destroy();
    else raw.emit('error', refusal);
  }

  #received(request: TrackedRequest): void {
    request.usage.receiving.delete(request);
    this.#receiving.delete(request);
  }

  /** Ends the slowest of the bodies that have had some time. Returns whether there was one. */
  #endSlowest(requests: Iterable<TrackedRequest>): boolean {
    let slowest: TrackedRequest | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const request of requests) {
      if (request.secondsReceiving < REPLACEABLE_AFTER_S) continue;
      const rate = arrived(request) / request.secondsReceiving;
      if (rate < least) [slowest, least] = [request, rate];
    }
    if (slowest) this.#abort(slowest, this.#refusals.ofSlowBody());
    return slowest !== undefined;
  }
}

/** The bytes of a body that have arrived. */
function arrived({ raw, bytesBefore }: TrackedRequest): number {
  return raw.socket.bytesRead - bytesBefore;
}
