/**
 * The headers that travel from the gateway to a service. The gateway makes them itself and never
 * passes on what a client sent under these names. Values that may hold any character are
 * percent-encoded.
 */
export const headers = {
  /** The access token as the client sent it, which the called service looks up. */
  accessToken: 'steward-access-token',

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
