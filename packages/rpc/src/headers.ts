/**
 * The headers that travel from the gateway to a service. The gateway makes them itself and never
 * passes on what a client sent under these names. Values that may hold any character are
 * percent-encoded.
 */
export const headers = {
  /** The access token as the client sent it, where the service itself looks it up. */
  accessToken: 'steward-access-token',
  /** The requester as JSON, where the gateway has looked the token up. */
  requester: 'steward-requester',
  /** The refusal of a request whose flaws the method answers in its own order, as JSON. */
  deferredRefusal: 'steward-deferred-refusal',
  /** `compat` when the request came under the compatibility prefix. */
  profile: 'steward-profile',
  /** The credential by which the server's own processes know each other. */
  credential: 'steward-credential',
  /** The address that the client called from. */
  clientAddress: 'steward-client-address',
  /** The program that the client says it is. */
  clientUserAgent: 'steward-client-user-agent',
  /** The id of the HTTP request. */
  requestId: 'steward-request-id',
  /** W3C trace context. */
  traceparent: 'traceparent',
} as const;
