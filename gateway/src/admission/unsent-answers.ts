import type { Refusals } from './refusals.ts';
import type { Share, Shares, TrackedRequest } from './share.ts';

/** From how many unread bytes a caller's further requests are refused; an administrator's are not. */
const MAX_BYTES_OF_CALLER = 16 * 1024 * 1024;

/** The limit of unread bytes of all callers. */
const MAX_BYTES = 128 * 1024 * 1024;

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
   * Whether an answer of a further request fits, if all are as large as the largest so far: answers take memory before
   * they are complete. An administrator's always fits, and a caller's first.
   */
  hasSpace({ unsentBytes, inProgress, answering, largestAnswerBytes, admin }: Share): boolean {
    if (admin || inProgress === 0) return true;
    // Answers to long polls are not of requests in progress.
    const unanswered = Math.max(0, inProgress - answering.size) + 1;
    return unsentBytes + unanswered * largestAnswerBytes <= MAX_BYTES_OF_CALLER;
  }

  /** Counts an answer. If there are too many bytes, the callers with the most lose their oldest answers. */
  begin(request: TrackedRequest, answer: unknown): void {
    const { share } = request;
    const bytes = bytesOf(answer);
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
