/** What an order of a resolution does, in the order of the documentation. */
export const ORDER_KINDS = [
  'redact_event',
  'redact_user',
  'suspend',
  'lock',
  'deactivate',
  'quarantine_media',
  'quarantine_user_media',
  'kick',
  'ban',
  'block_room',
  'delete_room',
  'send_notice',
] as const;

/** What an order does. */
export type OrderKind = (typeof ORDER_KINDS)[number];

/**
 * What an order is done to and how: complete, so that carrying it out does not depend on what has become of the case, or of the
 * event, in between. Stored as JSON.
 */
export interface OrderDetails {
  /** The user that it concerns. */
  readonly user_id?: string;
  readonly room_id?: string;
  readonly event_id?: string;
  /** The content URIs of the media to quarantine. */
  readonly media?: readonly string[];
  /** For bans: from all rooms in which a user of this server may do so. */
  readonly rooms?: 'all';
  /** The reason in the events that are sent. */
  readonly reason?: string;
  /** For deactivations: whether the user is erased, too. */
  readonly erase?: boolean;
  /** For deletions of rooms, with the meaning of the documented endpoint. */
  readonly block?: boolean;
  readonly purge?: boolean;
  readonly force_purge?: boolean;
  readonly new_room_user_id?: string;
  readonly room_name?: string;
  readonly message?: string;
  /** The text of a notice. */
  readonly text?: string;
}

/** An order, as it is checked and carried out. */
export interface Order {
  readonly kind: OrderKind;
  readonly details: OrderDetails;
}

/** The order in a case. */
export function storedOrder({ kind, details }: { readonly kind: string; readonly details: string }): Order {
  return { kind: kind as OrderKind, details: JSON.parse(details) as OrderDetails };
}
