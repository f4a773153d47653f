/** The name of the format of exports, and its version: readers refuse others. */
export const EXPORT_FORMAT = 'steward-audit-log';
export const EXPORT_VERSION = 1;
