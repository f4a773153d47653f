import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorInfoSchema } from '@steward/proto/google/rpc/error_details_pb.ts';

/** The `domain` of every `google.rpc.ErrorInfo` that steward raises. */
const ERROR_DOMAIN = 'steward';

/** A JSON value of an error body, in addition to `errcode` and `error`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The answer to a refused HTTP request. */
export interface Refusal {
  /** The HTTP status. */
  readonly status: number;
  /** The errcode; `undefined` where the documented body has none (user-interactive authentication). */
  readonly errcode: string | undefined;
  /** The text for humans. */
  readonly message: string;
  /** Further keys of the error body. */
  readonly extra?: Readonly<Record<string, Json>>;
}

const codeOfStatus: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.NotFound,
  405: Code.Unimplemented,
  408: Code.DeadlineExceeded,
  409: Code.AlreadyExists,
  412: Code.FailedPrecondition,
  413: Code.ResourceExhausted,
  422: Code.InvalidArgument,
  429: Code.ResourceExhausted,
  500: Code.Internal,
  502: Code.Unavailable,
  503: Code.Unavailable,
  504: Code.DeadlineExceeded,
  507: Code.ResourceExhausted,
};

const statusOfCode: Partial<Record<Code, number>> = {
  [Code.DeadlineExceeded]: 504,
  [Code.Unavailable]: 503,
  [Code.Canceled]: 503,
  [Code.ResourceExhausted]: 503,
};

/** The reason for gRPC callers where the HTTP body has no errcode. */
const NO_ERRCODE = 'NO_ERRCODE';

/**
 * Creates the error that carries a refusal through Connect: the gRPC code of the status, and an `ErrorInfo`
 * whose `reason` is the errcode.
 */
export function toConnectError(refusal: Refusal, cause?: unknown): ConnectError {
  const info = create(ErrorInfoSchema, {
    reason: refusal.errcode ?? NO_ERRCODE,
    domain: ERROR_DOMAIN,
    metadata: {
      http_status: String(refusal.status),
      ...(refusal.extra ? { extra: JSON.stringify(refusal.extra) } : {}),
    },
  });
  const code = codeOfStatus[refusal.status] ?? Code.Unknown;
  return new ConnectError(refusal.message, code, undefined, [{ desc: ErrorInfoSchema, value: info }], cause);
}

/**
 * Converts anything thrown to a refusal. An error that is not a refusal of steward becomes a 5xx whose text does
 * not reveal the cause.
 */
export function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ConnectError)) return internal(500);
  const info = error.findDetails(ErrorInfoSchema).find((detail) => detail.domain === ERROR_DOMAIN);
  if (!info) return internal(statusOfCode[error.code] ?? 500);
  const { http_status, extra } = info.metadata;
  return {
    status: Number(http_status),
    errcode: info.reason === NO_ERRCODE ? undefined : info.reason,
    message: error.rawMessage,
    ...(extra === undefined ? {} : { extra: JSON.parse(extra) }),
  };
}

/** The JSON body of a refusal. */
export function toBody(refusal: Refusal): Record<string, Json> {
  if (refusal.errcode === undefined) return { ...refusal.extra };
  return { errcode: refusal.errcode, error: refusal.message, ...refusal.extra };
}

function internal(status: number): Refusal {
  const message = status === 500 ? 'Internal server error' : 'The service is not available; try again later';
  return { status, errcode: 'M_UNKNOWN', message };
}
