import type { CallerUsage, CallerUsages, TrackedRequest } from './caller-usage.ts';
import type { Connections } from './connections.ts';
import type { Refusals } from './refusals.ts';

/** From how many unread bytes a caller's further requests are refused; an administrator's are not. */
const MAX_BYTES_OF_CALLER = 16 * 1024 * 1024;

/**
 * How many answers of a route to one caller are made at once at first, and how many more after each. Those to an address come
 * before those to the callers whose tokens turn out to be sent from it.
 */
const FIRST_ANSWERS = 2;
const FIRST_ANSWERS_OF_ADDRESS = 1;
const ANSWERS_PER_ANSWER = 2;

/** The limit of unread bytes of all callers. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The bytes of a streamed answer that are in memory at once. */
const STREAMED_BYTES = 64 * 1024;

/** Counts the bytes of answers that clients have not read. */
export class UnsentAnswers {
  readonly #usages: CallerUsages;
  readonly #refusals: Refusals;
  #bytes = 0;

  constructor(usages: CallerUsages, refusals: Refusals) {
    this.#usages = usages;
    this.#refusals = refusals;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a caller must read answers before it makes further requests. */
  isFull({ unsentBytes, admin }: CallerUsage): boolean {
    return unsentBytes > MAX_BYTES_OF_CALLER && !admin;
  }

  /**
   * Whether an answer to a further request fits: answers take memory before they are complete. They may be as large as the
   * largest so far. While few are known, few are made at once. There is always space for an administrator, and for a
   * single answer.
   */
  hasSpace({ usage, route }: Pick<TrackedRequest, 'usage' | 'route'>): boolean {
    const { caller, working, unsentBytes, largestAnswerBytes, admin } = usage;
    if (admin || (working === 0 && unsentBytes === 0)) return true;
    const first = caller.kind === 'address' ? FIRST_ANSWERS_OF_ADDRESS : FIRST_ANSWERS;
    const use = usage.on(route);
    if (use.working >= first + ANSWERS_PER_ANSWER * use.answered) return false;
    return unsentBytes + (working + 1) * largestAnswerBytes <= MAX_BYTES_OF_CALLER;
  }

  /** Counts an answer. If there are too many bytes, the callers with the most lose their oldest answers. */
  begin(request: TrackedRequest, answer: unknown): void {
    const { usage } = request;
    const bytes = bytesOf(answer);
    usage.on(request.route).answered++;
    request.unsentBytes += bytes;
    usage.unsentBytes += bytes;
    if (bytes > usage.largestAnswerBytes) usage.largestAnswerBytes = bytes;
    this.#bytes += bytes;
    usage.answering.add(request);
    while (this.#bytes > MAX_BYTES) {
      const [oldest] = this.#usages.greediest?.answering ?? [];
      if (!oldest) return;
      this.end(oldest);
      this.#refusals.count('unread_answers');
      oldest.raw.destroy();
    }
  }

  /**
   * Gives answers less time for progress while their caller has too many unread bytes or its requests wait; called once a
   * second.
   */
  tick(connections: Pick<Connections, 'hurry'>): void {
    for (const { answering, queue, unsentBytes } of this.#usages.all) {
      if (queue.size === 0 && unsentBytes <= MAX_BYTES_OF_CALLER) continue;
      for (const request of answering) {
        if (request.isHurried) continue;
        request.isHurried = true;
        connections.hurry(request.raw.socket);
      }
    }
  }

  /** Ends what an answer counts. */
  end(request: TrackedRequest): void {
    const { usage } = request;
    usage.answering.delete(request);
    usage.unsentBytes -= request.unsentBytes;
    this.#bytes -= request.unsentBytes;
    request.unsentBytes = 0;
  }
}

function bytesOf(answer: unknown): number {
  if (answer === undefined || answer === null) return 0;
  return Buffer.isBuffer(answer) || typeof answer === 'string' ? answer.length : STREAMED_BYTES;
}
