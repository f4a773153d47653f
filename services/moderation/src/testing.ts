/** For tests and benches that write what no request can bring about in time. */

export { auditLog } from './core/collections.ts';
export type { AuditEntry } from './core/model/audit-entry.ts';
