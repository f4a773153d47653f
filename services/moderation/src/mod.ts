/** The moderation service: reports, notices, the audit log, and what administrators see of the work of all services. */
export {
  type ModerationService,
  type ModerationServiceOptions,
  startModerationService,
} from './service.ts';
