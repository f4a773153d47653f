/** For tests and benches that write what no request can bring about in time. */
export { type AuditEntry, auditLog } from './core/model/audit-entry.ts';
