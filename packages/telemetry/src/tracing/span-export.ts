import { type SpanContext, TraceFlags } from '@opentelemetry/api';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../create-logger.ts';
import type { Counter, Labels, Meters } from '../meters/meters.ts';

/** The most spans that wait or are being sent: at most some megabytes. */
const MAX_WAITING = 4_096;

/** The spans of one request to the collector. */
const BATCH_SIZE = 512;

/** How long spans wait for others, in milliseconds. */
const BATCH_DELAY_MS = 1_000;

/** How long the sending of a batch may take, with its repetitions, in milliseconds. */
export const EXPORT_TIMEOUT_MS = 10_000;

/** The least time between two lines of the log about spans that were dropped, in milliseconds. */
const WARNING_INTERVAL_MS = 60_000;

/** How long `close` waits for the collector, in milliseconds. */
const CLOSE_WAIT_MS = 1_000;

/** The code of `ExportResult` for success, in a package that is not a dependency. */
const SUCCESS = 0;

/** What an export reports to. */
export interface SpanExportDeps {
  readonly logger: Pick<Logger, 'warn'>;
  readonly meters: Meters;
}

/**
 * Sends ended spans to the collector in batches. While it is away, spans wait up to a number, and further ones are dropped: the
 * server never waits for it. What is dropped is counted, and the log has a line about it once a minute at most.
 */
export class SpanExport implements SpanProcessor {
  readonly #batches: BatchSpanProcessor;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #dropped: Counter<Labels<'steward_traces_dropped_total'>>;
  #waiting = 0;
  /** The number of spans that were dropped since the last line about them. */
  #untold = 0;
  #warnAgainAt = 0;

  constructor(exporter: SpanExporter, { logger, meters }: SpanExportDeps) {
    this.#logger = logger;
    this.#dropped = meters.counter('steward_traces_dropped_total');
    const exported = meters.counter('steward_traces_exported_total');
    this.#batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) =>
          exporter.export(spans, ({ code, error }) => {
            this.#waiting -= spans.length;
            if (code === SUCCESS) exported.add({}, spans.length);
            else this.#drop('not_accepted', spans.length, error);
            // A failure is dealt with; the library would report it once more.
            done({ code: SUCCESS });
          }),
        shutdown: () => exporter.shutdown(),
      },
      maxQueueSize: MAX_WAITING,
      maxExportBatchSize: BATCH_SIZE,
      scheduledDelayMillis: BATCH_DELAY_MS,
      exportTimeoutMillis: 2 * EXPORT_TIMEOUT_MS,
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (!isSampled(span.spanContext())) return;
    if (this.#waiting >= MAX_WAITING) {
      this.#drop('queue_full', 1);
      return;
    }
    this.#waiting++;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  /** Sends what waits; what the collector has not accepted within a second is lost. Never throws. */
  async shutdown(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, CLOSE_WAIT_MS);
    await Promise.race([this.#batches.shutdown().catch(() => {}), late.promise]);
    clearTimeout(timer);
  }

  #drop(
    reason: 'queue_full' | 'not_accepted',
    spans: number,
    error?: Error & { readonly code?: unknown },
  ): void {
    this.#dropped.add({ reason }, spans);
    this.#untold += spans;
    const now = performance.now();
    if (now < this.#warnAgainAt) return;
    this.#warnAgainAt = now + WARNING_INTERVAL_MS;
    // The error itself may contain what the collector answered.
    const cause = error && String(error.code ?? error.message);
    this.#logger.warn({ reason, cause, spans: this.#untold }, 'spans were dropped');
    this.#untold = 0;
  }
}

function isSampled({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}
