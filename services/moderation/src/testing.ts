/** For tests and benches that write what no request can bring about in time. */
export type { AuditEntry } from './audit/audit-entry.ts';
export { auditLog } from './collections.ts';
