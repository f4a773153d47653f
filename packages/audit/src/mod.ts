/** The audit log of administrative requests, from the call to the fact: a request is recorded before it is carried out. */
export { type AuditedMethod, auditedMethod } from './audited-method.ts';
export { type End, type Entry, entryId, type Outcome, type TokenKind, timePrefix } from './entry.ts';
export { type AuditInterceptors, audit } from './interceptors.ts';
export { recordChange } from './record-change.ts';
export { targetText } from './target-text.ts';
export { tokenKindOf } from './token-kind.ts';
export { type AuditTrail, startAuditTrail } from './trail.ts';
