/** RPC: transports, the access of methods, and the refusals of invalid requests. */

export {
  type CallerRights,
  checkAccess,
  hasScope,
  hasScopes,
  noAdministrator,
  type Rights,
  readsToken,
  refuseWithheld,
  requireAccessToken,
  requireScopes,
  scopesOf,
} from './access.ts';
export type { Clients } from './admit-clients.ts';
export { authenticateThrough } from './authenticate-through.ts';
export {
  type Authority,
  accountsOf,
  authorityThrough,
  requireAuthority,
  type ScopesOver,
  strongerThan,
} from './authority.ts';
export { isAutomationToken, newAutomationToken } from './automation-token.ts';
export { callPeer } from './call-peer.ts';
export { readCallerName } from './caller-name.ts';
export { type Channel, createChannel } from './channel.ts';
export {
  type DeferredRefusal,
  raiseDeferred,
  raiseDeferredOf,
  waiveDeferred,
  waiveDeferredOf,
} from './deferred.ts';
export { readEntityTag, setEntityTag } from './entity-tag.ts';
export {
  type AnswerForm,
  type ForwardedWriters,
  forwardedAs,
  WrittenAnswer,
} from './forwarded-answer.ts';
export { headers } from './headers.ts';
export {
  callId,
  IDEMPOTENCY_KEY_HEADER,
  isReplayed,
  parseIdempotencyKey,
  REPLAYED_HEADER,
  type RepeatableCall,
  repeatableCall,
  repeatableKey,
  setReplayed,
} from './idempotency-key.ts';
export { defer } from './interceptors/defer.ts';
export { govern } from './interceptors/govern.ts';
export { type Authenticate, identify } from './interceptors/identify.ts';
export { isMeasuredByWork, observeCalls } from './interceptors/observe-calls.ts';
export { type Fault, isUnloggedFault, markLogged, reportFaults } from './interceptors/report-faults.ts';
export { traceCalls } from './interceptors/trace-calls.ts';
export { createLocalTransport } from './local-transport.ts';
export { type MethodRules, methodRules, USUAL_BODY_BYTES } from './method-rules.ts';
export { networkOf } from './network-of.ts';
export { networksOf } from './networks-of.ts';
export { type OrderedCalls, orderedCalls } from './ordered-calls.ts';
export { plainAddress } from './plain-address.ts';
export { plannedKey, plannedMethod } from './planned.ts';
export { POSITION_HEADER, parsePositions, readPosition, setPosition, WAIT_HEADER } from './position.ts';
export { parseReason, REASON_HEADER, reasonOf } from './reason.ts';
export { type ClientCredential, digestOf, type ServiceClient } from './recognize.ts';
export { isFlattened, type RequestField, requestFields, requestValue } from './request-fields.ts';
export {
  type Client,
  type CredentialKind,
  clientAddress,
  clientOf,
  hasAccount,
  type RateLimitOverride,
  type Requester,
  requester,
  requesterKey,
} from './requester.ts';
export { type Route, route } from './routes.ts';
export { ALL_SCOPES, scopeName, scopeOf } from './scope-name.ts';
export { type RpcServer, type ServeOptions, serveRpc } from './serve.ts';
export {
  clearSessionCookie,
  readSessionCookie,
  SESSION_SECRET_PREFIX,
  type SessionCookie,
  setSessionCookie,
} from './session-cookie.ts';
export { StartupError } from './startup-error.ts';
export { isRecent, requireUsedScope, type StepUp } from './step-up.ts';
export { newTimedId } from './timed-id.ts';
export type { Tls, TlsIdentity } from './tls.ts';
export { traceChannel } from './trace-channel.ts';
export { traceIdOf } from './trace-id.ts';
