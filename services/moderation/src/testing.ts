/** For tests and benches that write documents which requests could not create in time. */
export { type AuditEntry, auditLog } from './core/model/audit-entry.ts';
