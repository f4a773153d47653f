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

/** What one caller uses at present. */
export class Share {
  readonly caller: Caller;
  /** All tracked requests. */
  requests = 0;
  /** Requests from their start until their answer was handed to the operating system, or their long poll waits. */
  inProgress = 0;
  /** Those of them that work on their answer. */
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

/** The shares of all callers that have requests, or had some recently. */
export class Shares {
  readonly #shares = new Map<string, Share>();

  /** The share of a caller, for one more request. */
  enter(caller: Caller): Share {
    let share = this.#shares.get(caller.key);
    if (!share) {
      share = new Share(caller);
      this.#shares.set(caller.key, share);
    }
    share.requests++;
    return share;
  }

  /** Ends one request of a share. */
  leave(share: Share): void {
    share.requests--;
  }

  /** Forgets callers without requests; called once a second, because most callers send another one soon. */
  tick(): void {
    for (const [key, { requests }] of this.#shares) if (requests === 0) this.#shares.delete(key);
  }

  get all(): Iterable<Share> {
    return this.#shares.values();
  }

  /** The share with the most bytes that clients have not read. */
  get greediest(): Share | undefined {
    let greediest: Share | undefined;
    for (const share of this.#shares.values()) {
      if (share.unsentBytes > (greediest?.unsentBytes ?? 0)) greediest = share;
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
  /** Whose share the request uses. */
  share: Share;
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
    share: Share,
    { url, config }: FastifyRequest['routeOptions'],
    isCallerDue: boolean,
  ) {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    this.raw = raw;
    this.share = share;
    this.route = url ?? '';
    this.isCallerDue = isCallerDue;
    this.longPoll = config.longPoll ?? false;
    this.streamsBody = config.streamsBody ?? false;
    this.hasBody =
      (encoding !== undefined || (length !== undefined && length !== '0')) && !BODILESS.has(raw.method ?? '');
    this.bytesBefore = raw.socket.bytesRead;
  }
}
