import type { DocumentedErrcode } from '../gen/errcodes.ts';

/**
 * What the client itself reports: `NETWORK_ERROR` when no answer came, `TIMEOUT` when none came in time,
 * `INVALID_ANSWER` when the answer is none of the administrative API, for example a proxy's.
 */
export type ClientErrcode = 'INVALID_ANSWER' | 'NETWORK_ERROR' | 'TIMEOUT';

/** The errcodes that are known; later servers may have others. */
export type Errcode = DocumentedErrcode | ClientErrcode | (string & {});

/** One alternative of a step-up: the stages that the user must prove. */
export interface StepUpFlow {
  readonly stages: readonly string[];
}

export interface StewardErrorDetails {
  readonly status: number;
  readonly errcode: Errcode;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** A request that was not carried out, or whose answer did not arrive. */
export class StewardError extends Error {
  override readonly name = 'StewardError';
  /** The status of the answer; 0 when there was none. */
  readonly status: number;
  /** Which refusal it is, for programs. */
  readonly errcode: Errcode;
  /** The `X-Request-Id` of the answer, which the log and the audit log of the server have, too. */
  readonly requestId: string | undefined;
  /** When the server asks to repeat the request, in milliseconds from the answer on. */
  readonly retryAfterMs: number | undefined;
  /** The headers of the answer; undefined when there was none. */
  readonly headers: Headers | undefined;
  /** The answer: parsed JSON, or the text where it is none. */
  readonly body: unknown;

  constructor(message: string, details: StewardErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.errcode = details.errcode;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
    this.headers = details.headers;
    this.body = details.body;
  }

  /**
   * The alternatives that a step-up (`STEWARD_STEP_UP_REQUIRED`) offers: prove the stages of one with `sessions.stepUp`,
   * then repeat the request. Empty for all other refusals.
   */
  get flows(): readonly StepUpFlow[] {
    const flows = fieldOf(this.body, 'flows');
    return Array.isArray(flows) ? flows : [];
  }
}

/** Reads the refusal of an answer. */
export async function refusalOf(response: Response): Promise<StewardError> {
  // An answer that breaks off is a refusal all the same.
  const text = await response.text().catch(() => '');
  const body = parse(text);
  const errcode = fieldOf(body, 'errcode');
  const error = fieldOf(body, 'error');
  const known = typeof errcode === 'string';
  const status = `${response.status} ${response.statusText}`.trim();
  return new StewardError(known && typeof error === 'string' ? error : status, {
    status: response.status,
    errcode: known ? errcode : 'INVALID_ANSWER',
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterOf(response.headers, body),
    headers: response.headers,
    body,
  });
}

/** The time of the body is exact; that of the header is in whole seconds, or a date. */
function retryAfterOf(headers: Headers, body: unknown): number | undefined {
  const exact = fieldOf(body, 'retry_after_ms');
  if (typeof exact === 'number' && exact >= 0) return exact;
  const header = headers.get('retry-after');
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
