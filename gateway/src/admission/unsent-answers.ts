import type { Refusals } from './refusals.ts';
import type { Share, Shares, TrackedRequest } from './share.ts';

/** From how many unread bytes a caller's further requests are refused; an administrator's are not. */
const MAX_BYTES_OF_CALLER = 16 * 1024 * 1024;

/** How many answers to one caller are made at once at first, and how many more after each. */
const FIRST_ANSWERS = 6;
const ANSWERS_PER_ANSWER = 2;

/** The limit of unread bytes of all callers. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The bytes of a streamed answer that are in memory at once. */
const STREAMED_BYTES = 64 * 1024;

/** Counts the bytes of answers that clients have not read. */
export class UnsentAnswers {
  readonly #shares: Shares;
  readonly #refusals: Refusals;
  #bytes = 0;

  constructor(shares: Shares, refusals: Refusals) {
    this.#shares = shares;
    this.#refusals = refusals;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a caller must read answers before it makes further requests. */
  isFull({ unsentBytes, admin }: Share): boolean {
    return unsentBytes > MAX_BYTES_OF_CALLER && !admin;
  }

  /**
   * Whether an answer to a further request fits: answers take memory before they are complete. They may be as large as the
   * largest so far. While few are known, few are made at once. There is always space for an administrator, and for a
   * single answer.
   */
  hasSpace({ working, answered, unsentBytes, largestAnswerBytes, admin }: Share): boolean {
    if (admin || (working === 0 && unsentBytes === 0)) return true;
    if (working >= FIRST_ANSWERS + ANSWERS_PER_ANSWER * answered) return false;
    return unsentBytes + (working + 1) * largestAnswerBytes <= MAX_BYTES_OF_CALLER;
  }

  /** Counts an answer. If there are too many bytes, the callers with the most lose their oldest answers. */
  begin(request: TrackedRequest, answer: unknown): void {
    const { share } = request;
    const bytes = bytesOf(answer);
    share.answered++;
    request.unsentBytes += bytes;
    share.unsentBytes += bytes;
    if (bytes > share.largestAnswerBytes) share.largestAnswerBytes = bytes;
    this.#bytes += bytes;
    share.answering.add(request);
    while (this.#bytes > MAX_BYTES) {
      const [oldest] = this.#shares.greediest?.answering ?? [];
      if (!oldest) return;
      this.end(oldest);
      this.#refusals.count('unread_answers');
      oldest.raw.destroy();
    }
  }

  /** Ends what an answer counts. */
  end(request: TrackedRequest): void {
    const { share } = request;
    share.answering.delete(request);
    share.unsentBytes -= request.unsentBytes;
    this.#bytes -= request.unsentBytes;
    request.unsentBytes = 0;
  }
}

function bytesOf(answer: unknown): number {
  if (answer === undefined || answer === null) return 0;
  return Buffer.isBuffer(answer) || typeof answer === 'string' ? answer.length : STREAMED_BYTES;
}
