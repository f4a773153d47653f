import { declareFact } from '@steward/events';
import { AuditRecordedSchema } from '@steward/proto/steward/event/v1/audit_pb.ts';

/** A request was made with an administrator's rights; told before it is carried out, and when it was answered. */
export const auditRecorded = declareFact('audit.recorded', AuditRecordedSchema);
