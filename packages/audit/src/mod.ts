/**
 * The audit log of administrative requests, and of requests by administrators who act as others, from the call to the fact: a
 * request is recorded before it is carried out, or before private content is returned.
 */
export { type AuditedMethod, auditedMethod, type RecordedCalls } from './audited-method.ts';
export { type Description, describeRequest } from './describe-request.ts';
export {
  type End,
  type Entry,
  entryId,
  entryTime,
  type Outcome,
  type TokenKind,
  timePrefix,
} from './entry.ts';
export { fieldValue } from './field-declarations.ts';
export { type Fingerprint, openFingerprints, unkeyedFingerprint } from './fingerprints.ts';
export { type AuditInterceptors, type AuditOptions, audit, entryKey, isAborted } from './interceptors.ts';
export { type ReportedCall, recordCall } from './record-call.ts';
export { reportEvent } from './report-event.ts';
export { targetText } from './target-text.ts';
export { tokenKindOf } from './token-kind.ts';
export { type AuditTrail, startAuditTrail } from './trail.ts';
