import type { CallerUsage, TrackedRequest } from './caller-usage.ts';
import type { Refusals } from './refusals.ts';

/** How many requests of one caller start in one turn of the event loop, and how many of an administrator. */
const STARTS_PER_CALLER = 4;
const STARTS_PER_ADMINISTRATOR = 32;

/** How many requests of other callers start in one turn: some ten milliseconds of work. */
const STARTS_PER_TURN = 32;

/** How long a turn lasts in milliseconds while no request waits, where none is counted by the event loop. */
const TURN_MS = 2;

/** From this duration in milliseconds, a turn is long. */
const LONG_TURN_MS = 25;

/** How many requests of one caller start in a long turn, and how many are unanswered; administrators excepted. */
const STARTS_IN_LONG_TURN = 1;
const REQUESTS_IN_LONG_TURN = 3;

/** After how many seconds without an answer a long poll waits for news. */
const POLL_WORKS_S = 2;

/** How many requests may wait for each that one caller may have in progress. */
const QUEUED_PER_SLOT = 4;

/** How many requests of all callers may wait. */
const MAX_QUEUED = 4_000;

/** How long a request waits for its start, in seconds. */
const MAX_WAIT_S = 20;

/** The limits of requests in progress. Long polls that wait have their own. */
export interface StartLimits {
  readonly requests: number;
  /** How many of `requests` only administrators use. */
  readonly reserved: number;
  readonly ofCaller: (usage: CallerUsage) => number;
  /** Whether there is memory for the answer. */
  readonly hasSpace: (request: TrackedRequest) => boolean;
  /** The time in milliseconds, for the duration of turns. */
  readonly now: () => number;
}

/**
 * Starts requests round robin over their callers, a few for each caller in a turn of the event loop, so that a burst of
 * one caller delays others by the work of a few requests. A request starts at once while its caller has not used its
 * starts of the turn up and none waits; else it waits in the queue of its caller, and is refused when that is full.
 * Expensive requests make turns long; then few of each caller are carried out, because every one may work in each turn.
 * An answered request works no longer, however long its client reads.
 */
export class FairScheduler {
  readonly #limits: StartLimits;
  readonly #refusals: Refusals;
  /** The usages with queued requests, in the order of their next start. */
  readonly #waiting = new Set<CallerUsage>();
  #queued = 0;
  /** Long polls that may not wait for news yet. */
  readonly #polls = new Set<TrackedRequest>();
  #working = 0;
  #turn = 0;
  #starts = 0;
  #turnAt = 0;
  #scheduled = false;
  #turnIsLong = false;

  constructor(limits: StartLimits, refusals: Refusals) {
    this.#limits = limits;
    this.#refusals = refusals;
  }

  get queued(): number {
    return this.#queued;
  }

  /** The requests that work on their answer. */
  get working(): number {
    return this.#working;
  }

  /** Whether a request would start at once. */
  isOpen(request: TrackedRequest): boolean {
    const { usage } = request;
    const now = this.#limits.now();
    if (!this.#scheduled && now - this.#turnAt >= TURN_MS) this.#beginTurn(now);
    return usage.queue.size === 0 && !this.#isAwaited(usage) && this.#mayStart(request);
  }

  /** Calls `proceed` when the request starts, or with the refusal when it does not. */
  enter(request: TrackedRequest, proceed: (refusal?: Error) => void): void {
    const { usage } = request;
    if (this.isOpen(request)) {
      this.#start(request);
      proceed();
    } else if (usage.queue.size >= QUEUED_PER_SLOT * this.#limits.ofCaller(usage)) {
      proceed(this.#refusals.ofCaller('requests'));
    } else if (this.#queued >= MAX_QUEUED && !usage.admin) {
      proceed(this.#refusals.ofServer('requests'));
    } else {
      request.proceed = proceed;
      request.secondsQueued = 0;
      usage.queue.add(request);
      this.#waiting.add(usage);
      this.#queued++;
      this.#schedule();
    }
  }

  /** Notes that a request works no longer: its answer is ready, it is refused, or it waits for news. */
  release(request: TrackedRequest): void {
    if (!request.works) return;
    request.works = false;
    request.usage.working--;
    request.usage.on(request.route).working--;
    this.#working--;
    if (this.#queued > 0) this.#schedule();
  }

  /** Ends what a request counts, also in the queue: its answer was sent, or its client is gone. */
  leave(request: TrackedRequest): void {
    this.release(request);
    if (request.proceed) this.#dequeue(request);
    this.#endProgress(request);
    // Another request of the caller may have waited for the memory of the answer.
    if (this.#queued > 0) this.#schedule();
  }

  /** Refuses requests that have waited too long, and stops counting long polls that wait; called once a second. */
  tick(): void {
    for (const request of this.#polls) {
      if (++request.secondsStarted < POLL_WORKS_S) continue;
      this.release(request);
      this.#endProgress(request);
    }
    for (const usage of this.#waiting) {
      for (const request of usage.queue) {
        if (++request.secondsQueued <= MAX_WAIT_S) continue;
        this.#dequeue(request)?.(this.#refusals.ofCaller('queue_time'));
      }
    }
  }

  /** Whether the free places may be those for which others wait, who take them in the next turn. */
  #isAwaited({ admin }: CallerUsage): boolean {
    if (this.#queued === 0 || admin) return false;
    return this.#working + this.#queued >= this.#limits.requests - this.#limits.reserved;
  }

  #mayStart(request: TrackedRequest): boolean {
    const { requests, reserved, ofCaller, hasSpace } = this.#limits;
    const { usage } = request;
    const { admin, working, inProgress } = usage;
    const slowed = this.#turnIsLong && !admin;
    const starts = usage.turn === this.#turn ? usage.starts : 0;
    if (admin) {
      if (starts >= STARTS_PER_ADMINISTRATOR) return false;
    } else if (
      starts >= (slowed ? STARTS_IN_LONG_TURN : STARTS_PER_CALLER) ||
      this.#starts >= STARTS_PER_TURN
    ) {
      return false;
    }
    if (slowed && working >= REQUESTS_IN_LONG_TURN) return false;
    if (!hasSpace(request)) return false;
    return inProgress < ofCaller(usage) && this.#working < (admin ? requests : requests - reserved);
  }

  #start(request: TrackedRequest): void {
    const { usage } = request;
    if (usage.turn !== this.#turn) {
      usage.turn = this.#turn;
      usage.starts = 0;
    }
    usage.starts++;
    if (!usage.admin) this.#starts++;
    request.inProgress = true;
    usage.inProgress++;
    // A streamed body takes as long as its client does.
    if (!request.streamsBody) {
      request.works = true;
      usage.working++;
      usage.on(request.route).working++;
      this.#working++;
    }
    if (request.longPoll) this.#polls.add(request);
    // Otherwise nothing depends on the duration of the turn; an immediate costs a pass of the event loop.
    if (this.#queued > 0 || (usage.working >= REQUESTS_IN_LONG_TURN && !usage.admin)) this.#schedule();
  }

  #endProgress(request: TrackedRequest): void {
    this.#polls.delete(request);
    if (!request.inProgress) return;
    request.inProgress = false;
    request.usage.inProgress--;
    if (this.#queued > 0) this.#schedule();
  }

  #dequeue(request: TrackedRequest): ((refusal?: Error) => void) | undefined {
    const { usage, proceed } = request;
    request.proceed = undefined;
    if (!usage.queue.delete(request)) return undefined;
    this.#queued--;
    if (usage.queue.size === 0) this.#waiting.delete(usage);
    return proceed;
  }

  /** Makes the turn end with that of the event loop, and measures it. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#turnAt = this.#limits.now();
    setImmediate(() => this.#nextTurn());
  }

  #beginTurn(now: number): void {
    this.#turnAt = now;
    this.#turn++;
    this.#starts = 0;
  }

  #nextTurn(): void {
    const now = this.#limits.now();
    this.#scheduled = false;
    this.#turnIsLong = now - this.#turnAt > LONG_TURN_MS;
    this.#beginTurn(now);
    if (this.#queued === 0) return;
    // The next turn may be short, also when no request ends in this one.
    if (this.#turnIsLong) this.#schedule();
    const usages = [...this.#waiting];
    for (const usage of usages) if (usage.admin) this.#startQueued(usage);
    for (const usage of usages) {
      if (this.#starts >= STARTS_PER_TURN) break;
      if (!usage.admin) this.#startQueued(usage);
    }
  }

  /** Starts requests of one usage, and puts it behind the others if there were any. */
  #startQueued(usage: CallerUsage): void {
    let started = false;
    for (const request of usage.queue) {
      if (!this.#mayStart(request)) break;
      const proceed = this.#dequeue(request);
      this.#start(request);
      started = true;
      proceed?.();
    }
    if (started && this.#waiting.delete(usage)) this.#waiting.add(usage);
  }
}
