import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';

/** The verbs whose body is never read. */
export const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** What one caller requests on one route. */
interface RouteUse {
  /** Requests that work on their answer. */
  working: number;
  /** How many have been answered. */
  answered: number;
}

/** What one caller uses now. */
export class CallerUsage {
  readonly caller: Caller;
  /** All tracked requests. */
  requests = 0;
  /** Requests from their start until their answer was handed to the operating system, or their long poll waits. */
  inProgress = 0;
  /** The requests in progress that work on their answer. */
  working = 0;
  longPolls = 0;
  receivedBytes = 0;
  unsentBytes = 0;
  /** The size of the largest answer so far. */
  largestAnswerBytes = 0;
  /** Requests whose body is being received. */
  readonly receiving = new Set<TrackedRequest>();
  /** Requests that wait for their start, the oldest first. */
  readonly queue = new Set<TrackedRequest>();
  /** Requests whose answer was not handed to the operating system yet, the oldest first. */
  readonly answering = new Set<TrackedRequest>();
  /** The turn of the event loop that `starts` counts. */
  turn = 0;
  starts = 0;
  readonly #routes = new Map<string, RouteUse>();

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** What is counted for each route, because small answers of one do not tell how large those of another are. */
  on(route: string): RouteUse {
    let use = this.#routes.get(route);
    if (!use) {
      use = { working: 0, answered: 0 };
      this.#routes.set(route, use);
    }
    return use;
  }

  get admin(): boolean {
    return this.caller.kind === 'administrator';
  }
}

/** The usages of all callers that have requests, or had some recently. */
export class CallerUsages {
  readonly #usages = new Map<string, CallerUsage>();

  /** The usage of a caller, for one more request. */
  enter(caller: Caller): CallerUsage {
    let usage = this.#usages.get(caller.key);
    if (!usage) {
      usage = new CallerUsage(caller);
      this.#usages.set(caller.key, usage);
    }
    usage.requests++;
    return usage;
  }

  /** Ends one request of a usage. */
  leave(usage: CallerUsage): void {
    usage.requests--;
  }

  /** Forgets callers without requests; called once a second, because most callers send another one soon. */
  tick(): void {
    for (const [key, { requests }] of this.#usages) if (requests === 0) this.#usages.delete(key);
  }

  get all(): Iterable<CallerUsage> {
    return this.#usages.values();
  }

  /** The usage with the most bytes that clients have not read. */
  get greediest(): CallerUsage | undefined {
    let greediest: CallerUsage | undefined;
    for (const usage of this.#usages.values()) {
      if (usage.unsentBytes > (greediest?.unsentBytes ?? 0)) greediest = usage;
    }
    return greediest;
  }
}

/** A request with what it uses. Each part of the admission changes the fields that it counts. */
export class TrackedRequest {
  readonly raw: IncomingMessage;
  readonly route: string;
  readonly longPoll: boolean;
  readonly hasBody: boolean;
  readonly streamsBody: boolean;
  /** Whether its call asks for the name of the caller. */
  readonly isCallerDue: boolean;
  /** Whose usage the request uses. */
  usage: CallerUsage;
  /** Continues the request, or refuses it; set while it waits for its start. */
  proceed: ((refusal?: Error) => void) | undefined;
  /** Whether it counts as working. */
  works = false;
  /** Whether it counts as in progress. */
  inProgress = false;
  /** Whether it counts as a long poll. */
  countsAsPoll = false;
  /** Whether its answer was handed to the operating system, or its connection closed. */
  ended = false;
  /** How many seconds it has waited for its start. */
  secondsQueued = 0;
  /** How many seconds ago it started, as a long poll. */
  secondsStarted = 0;
  /** How many seconds the receipt of its body has taken, without those in which the server did not read. */
  secondsReceiving = 0;
  /** How many bytes of its body had arrived a second ago, and for how many seconds none has. */
  arrivedBytes = 0;
  secondsSilent = 0;
  /** How many bytes the socket had received when the request began. */
  readonly bytesBefore: number;
  /** The bytes of its body in memory. */
  receivedBytes = 0;
  /** The bytes of its answer in memory. */
  unsentBytes = 0;
  /** Whether its answer has less time for progress. */
  isHurried = false;

  constructor(
    raw: IncomingMessage,
    usage: CallerUsage,
    { url, config }: FastifyRequest['routeOptions'],
    isCallerDue: boolean,
  ) {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    this.raw = raw;
    this.usage = usage;
    this.route = url ?? '';
    this.isCallerDue = isCallerDue;
    this.longPoll = config.longPoll ?? false;
    this.streamsBody = config.streamsBody ?? false;
    this.hasBody =
      (encoding !== undefined || (length !== undefined && length !== '0')) && !BODILESS.has(raw.method ?? '');
    this.bytesBefore = raw.socket.bytesRead;
  }
}
