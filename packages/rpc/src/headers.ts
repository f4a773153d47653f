/**
 * The headers between the gateway and a service. The gateway sets those of a call itself and never forwards what a
 * client sent under these names. Values that may contain any character are percent-encoded.
 */
export const headers = {
  /** The access token as the client sent it, which the called service looks up. */
  accessToken: 'steward-access-token',

  deferredRefusal: 'steward-deferred-refusal',
  /** `compat` when the request came under the compatibility prefix. */
  profile: 'steward-profile',
  /** The credential by which the processes of one server authenticate each other. */
  credential: 'steward-credential',
  clientAddress: 'steward-client-address',
  /** The user agent that the client states. */
  clientUserAgent: 'steward-client-user-agent',
  /** The id of the HTTP request. */
  requestId: 'steward-request-id',
  /** Why the client makes the request, see `parseReason`. */
  reason: 'steward-reason',
  /** By which the client repeats a request, see `parseIdempotencyKey`. */
  idempotencyKey: 'steward-idempotency-key',
  /** In answers: whether it was given before, see `setReplayed`. */
  replayed: 'steward-replayed',
  /** Asks for the name of the caller, see `nameCaller`. */
  nameCaller: 'steward-name-caller',
  /** In answers: the name of the caller. */
  callerName: 'steward-caller-name',
  /** In answers: the cookie that the gateway sets, see `sessionCookie`. */
  sessionCookie: 'steward-session-cookie',
  /** In answers: the entity tag that the gateway sends, see `setEntityTag`. */
  entityTag: 'steward-entity-tag',
  /** In answers: the position of the change that the call made, see `setPosition`. */
  position: 'steward-position',
  /** W3C trace context. */
  traceparent: 'traceparent',
  /** What tracing systems of callers add to it. */
  tracestate: 'tracestate',
} as const;
