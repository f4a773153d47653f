import type { Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import type { Metrics } from '@steward/telemetry';
import type { FastifyInstance, FastifyRequest, preHandlerHookHandler, preParsingHookHandler } from 'fastify';
import { credentialIfAny } from '../access-token.ts';
import { clientOf } from '../client-of.ts';
import { isEventStream } from '../events/is-event-stream.ts';
import { queryOf } from '../transcode.ts';
import { BodyReceipt } from './body-receipt.ts';
import { callerByAddress } from './caller.ts';
import { BODILESS, CallerUsages, TrackedRequest } from './caller-usage.ts';
import { Connections } from './connections.ts';
import { FairScheduler } from './fair-scheduler.ts';
import type { KnownTokens } from './known-tokens.ts';
import { OwnerLookUps } from './owner-look-ups.ts';
import { Refusals } from './refusals.ts';
import { reportAdmission } from './report-admission.ts';
import { UnsentAnswers } from './unsent-answers.ts';

/** How often slow bodies and long waits are looked for, in milliseconds. */
const TICK_MS = 1_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request is a long poll, which causes no work while it waits. */
    readonly longPoll?: boolean;
    /** The body is forwarded while it is received. */
    readonly streamsBody?: boolean;
    /** The request is answered also when the server is busy. */
    readonly alwaysAdmitted?: boolean;
  }
  interface FastifyRequest {
    /** What the request uses; `undefined` for one that is always admitted. */
    tracked: TrackedRequest | undefined;
  }
}

/** The dependencies of the admission. */
export interface AdmissionOptions {
  readonly limits: Config['admission'];
  readonly tokens: KnownTokens;
  /** The transport to the service that owns tokens. */
  readonly sessions: Transport;
  readonly metrics: Metrics;
}

/** Ends what a refused request uses while the rest of its body is discarded. */
export type Release = (request: FastifyRequest) => void;

/**
 * Bounds what requests use: their memory, their connections, and the order of their start. Each request is charged to
 * its caller. It passes three phases, and counts in each only for what it holds there: its body is received; it is in
 * progress; its answer is sent.
 */
export function limitAdmission(app: FastifyInstance, options: AdmissionOptions): Release {
  const { limits, tokens } = options;
  const refusals = new Refusals(options.metrics);
  const usages = new CallerUsages();
  const lookUps = new OwnerLookUps(options.sessions, tokens);
  const bodies = new BodyReceipt(refusals);
  const answers = new UnsentAnswers(usages, refusals);
  const connections = new Connections(
    app.server,
    { all: limits.max_connections, idleOfAddress: limits.max_idle_connections_per_address },
    refusals,
  );
  const start = new FairScheduler(
    {
      requests: limits.max_requests,
      reserved: limits.reserved_for_administrators,
      ofCaller: ({ caller }) =>
        caller.kind === 'address' ? limits.max_requests_per_address : limits.max_requests_per_user,
      hasSpace: (request) => answers.hasSpace(request),
      now: () => performance.now(),
    },
    refusals,
  );
  let longPolls = 0;
  reportAdmission(options.metrics, {
    connections: () => connections.count,
    working: () => start.working,
    queued: () => start.queued,
    longPolls: () => longPolls,
    bodies: () => bodies.bodies,
    bodyBytes: () => bodies.bytes,
    unsentBytes: () => answers.bytes,
  });

  /** Whether the caller has so much in progress that the request would wait or be refused. */
  const isCongested = (request: TrackedRequest) =>
    !start.isOpen(request) ||
    answers.isFull(request.usage) ||
    bodies.isFull(request.usage) ||
    (request.longPoll && request.usage.longPolls >= limits.max_long_polls_per_user);

  const admit = (request: TrackedRequest, done: (refusal?: Error) => void) => {
    const { usage, longPoll } = request;
    if (request.ended) return;
    if (answers.isFull(usage)) return done(refusals.ofCaller('unread_answers'));
    if (longPoll) {
      if (usage.longPolls >= limits.max_long_polls_per_user) return done(refusals.ofCaller('long_polls'));
      if (longPolls >= limits.max_long_polls) return done(refusals.ofServer('long_polls'));
      request.countsAsPoll = true;
      usage.longPolls++;
      longPolls++;
    }
    if (request.hasBody) bodies.begin(request, done);
    else start.enter(request, done);
  };

  const end = (request: TrackedRequest) => {
    request.ended = true;
    bodies.end(request);
    answers.end(request);
    start.leave(request);
    if (request.countsAsPoll) {
      request.usage.longPolls--;
      longPolls--;
    }
    usages.leave(request.usage);
  };

  app.decorateRequest('tracked', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const { socket } = raw;
    connections.begin(socket);
    if (socket.destroyed) return;
    const { config } = request.routeOptions;
    if (config.alwaysAdmitted) {
      reply.raw.once('close', () => connections.end(socket, ''));
      return done();
    }
    const token = credentialIfAny(request, queryOf(raw.url ?? ''));
    const known = token === undefined ? undefined : tokens.find(token);
    const usage = usages.enter(known?.caller ?? callerByAddress(request));
    const isCallerDue = token !== undefined && known?.isDue !== false;
    const tracked = new TrackedRequest(raw, usage, request.routeOptions, isCallerDue);
    request.tracked = tracked;
    reply.raw.once('close', () => {
      connections.end(socket, tracked.usage.caller.key);
      end(tracked);
    });
    if (known || token === undefined || !isCongested(tracked)) return admit(tracked, done);
    void lookUps.find(token, clientOf(request)).then((owner) => {
      if (owner && !tracked.ended) {
        usages.leave(tracked.usage);
        tracked.usage = usages.enter(owner);
      }
      admit(tracked, done);
    });
  });
  const count: preParsingHookHandler = ({ tracked }, _, payload, done) => {
    if (tracked?.hasBody) bodies.count(tracked);
    done(null, payload);
  };
  const startWithBody: preHandlerHookHandler = ({ tracked }, _, done) => {
    if (tracked?.hasBody) start.enter(tracked, done);
    else done();
  };
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().every((verb) => BODILESS.has(verb))) return;
    route.preParsing = count;
    route.preHandler = startWithBody;
  });
  app.addHook('onSend', ({ tracked }, reply, payload, done) => {
    if (tracked) {
      bodies.end(tracked);
      // An event stream is not an answer that is sent as fast as possible. It has its own limits.
      if (isEventStream(reply)) start.leave(tracked);
      else {
        start.release(tracked);
        if (!tracked.ended) answers.begin(tracked, payload);
      }
    }
    done(null, payload);
  });
  const timer = setInterval(() => {
    tokens.tick();
    bodies.tick();
    start.tick();
    answers.tick(connections);
    connections.tick();
    usages.tick();
  }, TICK_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));

  return ({ tracked }) => {
    if (!tracked) return;
    bodies.end(tracked);
    start.release(tracked);
  };
}
