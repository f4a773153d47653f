/** The orders about media: one by one, and for all that filters select. */
export const MEDIA_ORDERS = [
  { key: 'quarantine', title: 'quarantine.title', one: 'media.quarantine', all: 'media.orderQuarantine' },
  { key: 'release', title: 'release.title', one: 'media.unquarantine', all: 'media.orderRelease' },
  { key: 'protect', title: 'protect.title', one: 'media.protect', all: 'media.orderProtection' },
  { key: 'unprotect', title: 'unprotect.title', one: 'media.unprotect', all: 'media.orderEndOfProtection' },
  { key: 'delete', title: 'delete.title', one: 'media.delete', all: 'media.orderDeletion' },
] as const;

/** An order about media. */
export type MediaOrder = (typeof MEDIA_ORDERS)[number];

/** Whether one medium of another server cannot be given the order. */
export function isLocalOnly({ key }: MediaOrder): boolean {
  return key === 'protect' || key === 'unprotect' || key === 'delete';
}
