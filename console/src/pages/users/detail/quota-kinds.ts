/** The kinds of quotas, by their names in the API. */
export const QUOTA_KINDS = [
  'media_bytes',
  'media_count',
  'key_backup_versions',
  'key_backup_bytes',
  'aliases',
  'devices',
  'account_data_count',
  'account_data_bytes',
  'filters',
  'pushers',
] as const;

/** The name of a kind of quotas. */
export type QuotaKind = (typeof QUOTA_KINDS)[number];

/** Whether the console knows a kind of quotas. */
export function isQuotaKind(name: string): name is QuotaKind {
  return QUOTA_KINDS.some((kind) => kind === name);
}
