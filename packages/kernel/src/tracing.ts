/** The role of a span in a call or a message. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** What a span says besides its name: names of OpenTelemetry's conventions, never a token, a body or an id of a user or a room. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** What a span is of. Callers on a hot path make one for each kind of work, not for each piece. */
export interface SpanDescription {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: SpanAttributes;
}

/** W3C trace context, as it is sent. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** A recorded piece of the work for a request. */
export interface Span {
  /** The context by which work elsewhere continues the trace below this span. */
  readonly context: TraceContext;
  /** Runs work that belongs to this span: what `Tracing.child` begins during it is below it. */
  run<T>(work: () => T): T;
  /** Adds attributes. */
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed, with the kind of failure from a small set, never a message. */
  fail(type: string): void;
  /** Ends the span. To be called once. */
  end(): void;
}

/**
 * Records the work for requests as spans. Traces begin where requests enter the server; what belongs to no recorded trace
 * has no span. Processes that record nothing have no `Tracing`.
 */
export interface Tracing {
  /**
   * Begins the span of a request from outside, if it is chosen to be recorded.
   *
   * @param sent what the client sent, not validated
   * @param describe makes the description of a request that is recorded
   */
  begin(sent: Partial<TraceContext>, describe: () => SpanDescription): Span | undefined;
  /**
   * Begins a span below one of another process or of an earlier time, if that one is recorded.
   *
   * @param link whether the span also links to it, as work does that a message or a stored document causes
   */
  follow(
    description: SpanDescription,
    context: TraceContext,
    options?: { readonly link: boolean },
  ): Span | undefined;
  /** Begins a span below the one whose work runs, if that one is recorded and has not ended. */
  child(description: SpanDescription): Span | undefined;
  /** The context of the span whose work runs, to be stored with what the work causes. */
  current(): TraceContext | undefined;
  /** Runs work that belongs to no span. */
  detach<T>(work: () => T): T;
}

/** Does work, and ends its span. */
export async function endWith<T>(span: Span, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}
