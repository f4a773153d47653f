import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Span as ApiSpan,
  createTraceState,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Random, Span, SpanAttributes, SpanDescription, TraceContext, Tracing } from '@steward/kernel';
import { parseTraceparent } from './traceparent.ts';

/** The most spans directly below one: a task may do millions of operations. */
const MAX_CHILDREN = 100;

/** The resolution of the ratio of recorded requests. */
const RATIO_STEPS = 1_000_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Which requests from outside are recorded. */
export interface Sampling {
  /** The part of the requests, from 0 to 1. */
  readonly ratio: number;
  /** Whether the flag of a request that has a trace context decides in place of the ratio. */
  readonly followCallers: boolean;
}

/** What spans are begun with. */
interface SpanTracingDeps {
  readonly tracer: Tracer;
  readonly sampling: Sampling;
  readonly random: Random;
}

/** Tracing by a tracer of OpenTelemetry that records all that it is asked for. */
export class SpanTracing implements Tracing {
  readonly #tracer: Tracer;
  readonly #sampling: Sampling;
  readonly #random: Random;
  /** The span whose work runs. */
  readonly #running = new AsyncLocalStorage<TracedSpan | undefined>();

  constructor({ tracer, sampling, random }: SpanTracingDeps) {
    this.#tracer = tracer;
    this.#sampling = sampling;
    this.#random = random;
  }

  begin(
    { traceparent, tracestate }: Partial<TraceContext>,
    describe: () => SpanDescription,
  ): Span | undefined {
    const sent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
    const isChosen = sent && this.#sampling.followCallers ? sent.sampled : this.#isChosen();
    if (!isChosen) return undefined;
    return this.#start(describe(), sent && contextOf(sent, tracestate));
  }

  follow(
    description: SpanDescription,
    { traceparent, tracestate }: TraceContext,
    { link } = { link: false },
  ): Span | undefined {
    const parsed = parseTraceparent(traceparent);
    if (!parsed?.sampled) return undefined;
    return this.#start(description, contextOf(parsed, tracestate), link);
  }

  child(description: SpanDescription): Span | undefined {
    const parent = this.#running.getStore();
    if (!parent?.admitsChild()) return undefined;
    return this.#start(description, parent.spanContext);
  }

  current(): TraceContext | undefined {
    return this.#running.getStore()?.context;
  }

  detach<T>(work: () => T): T {
    return this.#running.run(undefined, work);
  }

  /** By chance and not by the trace's id, which the client may have chosen. */
  #isChosen(): boolean {
    const { ratio } = this.#sampling;
    return ratio >= 1 || this.#random.below(RATIO_STEPS) < ratio * RATIO_STEPS;
  }

  #start({ name, kind, attributes }: SpanDescription, parent?: SpanContext, link = false): TracedSpan {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const links = parent && link ? [{ context: parent }] : [];
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes, links }, context);
    return new TracedSpan(span, this.#running);
  }
}

/** A span of OpenTelemetry. */
class TracedSpan implements Span {
  readonly context: TraceContext;
  readonly spanContext: SpanContext;
  readonly #span: ApiSpan;
  readonly #running: AsyncLocalStorage<TracedSpan | undefined>;
  #children = 0;

  constructor(span: ApiSpan, running: AsyncLocalStorage<TracedSpan | undefined>) {
    this.#span = span;
    this.#running = running;
    this.spanContext = span.spanContext();
    const { traceId, spanId, traceState } = this.spanContext;
    this.context = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: traceState?.serialize() };
  }

  run<T>(work: () => T): T {
    return this.#running.run(this, work);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    const omitted = this.#children - MAX_CHILDREN;
    if (omitted > 0) this.#span.setAttribute('steward.omitted_spans', omitted);
    this.#span.end();
  }

  /** Whether a further span may be below this one: its work may go on after its end, in the background. */
  admitsChild(): boolean {
    if (!this.#span.isRecording()) return false;
    return this.#children++ < MAX_CHILDREN;
  }
}

function contextOf(
  { traceId, spanId }: { readonly traceId: string; readonly spanId: string },
  tracestate: string | undefined,
): SpanContext {
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return tracestate ? { ...context, traceState: createTraceState(tracestate) } : context;
}
