/** The kinds of tasks, by which the list filters. A test compares them with those that a server runs, and with docs/tasks.md. */
export const TASK_KINDS = [
  'room.delete',
  'room.order',
  'room.purge_history',
  'room.redact_user',
  'room.retention',
  'media.order',
  'media.quarantine_user',
  'media.quarantine_room',
  'media.quarantine_hash',
  'media.unquarantine_hash',
  'media.quarantine_listed',
  'media.move',
  'media.retention',
  'report.notify',
  'report.resolve',
  'webhook.replay',
];
