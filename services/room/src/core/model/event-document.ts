import { type Doc, declareCollection } from '@steward/store';

/** A part of a profile, by its key in member events. */
export type ProfileKey = 'avatar_url' | 'displayname';

/** Arrivals from one up to before another, or without an end. */
export interface StateRange {
  readonly from: number;
  readonly until?: number;
}

/**
 * An event. It is inserted before the commit of its room that admits it, and is not visible until the effect of that
 * commit sets its arrival number.
 */
export interface EventDocument extends Doc {
  /** The event id. */
  readonly _id: string;
  readonly room_id: string;
  readonly room_version: string;
  /** Its position in the order of arrival, from 1; absent while the event is not visible. */
  readonly arrival?: number;
  /** When it was inserted, in milliseconds since the Unix epoch; absent once it is visible. */
  readonly unseen_since?: number;
  readonly depth: number;
  readonly type: string;
  readonly sender: string;
  /** Present for state events. */
  readonly state_key?: string;
  /** Milliseconds since the Unix epoch, by the clock of the sender's server. */
  readonly origin_server_ts: number;
  /** When this server received it, in milliseconds since the Unix epoch. */
  readonly received_ts: number;
  /** The federation form (client-plane.md 4.1) as JSON text. */
  readonly json: string;
  /** The approximate size of the event, in bytes. */
  readonly bytes: number;
  /** The state event that it replaced. */
  readonly replaces?: string;
  /** Of a member event: the membership before it. */
  readonly previous_membership?: string;
  /**
   * Of a member event that admits a user of this server, by a join, an invitation or a knock: the user is rechecked
   * once the event is visible, see `recheckMembers`.
   */
  readonly newcomer?: true;
  /** Of a member event that begins a membership epoch: its number. */
  readonly stay?: number;
  /** Of a member event by which a user leaves a room that is being deleted: the user also forgets the room. */
  readonly forgets?: true;
  /** Of a join: what of the profile its user has chosen for this room alone, so that changes of the profile leave it. */
  readonly own_profile?: readonly ProfileKey[];
  /** Of an invitation: its sender. */
  readonly inviter?: string;
  /** Of a redaction: its target. */
  readonly redacts?: string;
  /** The first redaction of the event; of an imported one also a ban that redacts what its user has sent. */
  readonly redacted_by?: string;
  /** The content URIs in it; none once it is redacted. */
  readonly media: readonly string[];
  /** The content URI of the avatar that it sets for a member or the room; absent once it is redacted. */
  readonly avatar?: string;
  /** Further content URIs in it, see `otherUrisOf`; absent for none, and once it is redacted. */
  readonly other_media?: readonly string[];
  /** The event that it relates to, and the type of the relation. */
  readonly relates_to?: string;
  readonly rel_type?: string;
  /**
   * Whether no event relates to it. Absent where one may, also in events of an earlier release: what relates to those is
   * searched.
   */
  readonly unrelated?: true;
  /** The arrival of the last event of the thread that begins with it. */
  readonly thread_latest?: number;
  /** The key of the transaction that sent it, see `Transaction`; no other visible event has the same. */
  readonly txn?: string;
  /** The transaction's id, and the session that is shown it (client-plane.md 2.5). */
  readonly txn_id?: string;
  readonly session?: string;
  /**
   * The administrator on whose order a member sent it, by their name in the audit log. It is not part of the event, so that
   * other servers, and the hash, do not depend on it.
   */
  readonly ordered_by?: string;
  /** Members see that, whatever the settings say, because it was sent in the name of an account with administrative rights. */
  readonly shows_order?: true;
  /**
   * Of an imported state event: the ranges of arrivals at which it is part of the state, where these do not follow from the order
   * of the events, because the history has forked elsewhere. In ascending order; only the last one may be without an end, which
   * the event has that replaces it.
   */
  readonly in_state?: readonly StateRange[];
  /**
   * Of an imported state event of such a history: the state event that it replaced in its branch, where that is not `replaces`;
   * empty for none. See `replacedIdOf`.
   */
  readonly replaces_in_branch?: string;
  /** Mark imported events that are hidden from users (client-plane.md 4.3). */
  readonly soft_failed?: boolean;
  readonly rejected?: boolean;
}

/** The id of the state event that an event replaced; in a history that has forked, in the branch of the event. */
export function replacedIdOf({
  replaces,
  replaces_in_branch = replaces,
}: Pick<EventDocument, 'replaces' | 'replaces_in_branch'>): string | undefined {
  return replaces_in_branch === '' ? undefined : replaces_in_branch;
}

/** Events, by event id. `sweepUnseen` deletes events that have no arrival number after an hour. */
export const events = declareCollection<EventDocument>({
  name: 'room.events',
  whileLoading: [],
  shardKey: '_id',
  arrays: ['media', 'other_media'],
  indexes: [
    {
      name: 'arrival',
      keys: [
        ['room_id', 1],
        ['arrival', 1],
      ],
    },
    {
      name: 'depth',
      keys: [
        ['room_id', 1],
        ['depth', 1],
        ['arrival', 1],
      ],
      sparse: 'arrival',
    },
    {
      name: 'time',
      keys: [
        ['room_id', 1],
        ['origin_server_ts', 1],
        ['depth', 1],
        ['arrival', 1],
      ],
      sparse: 'arrival',
    },
    {
      name: 'sender',
      keys: [
        ['sender', 1],
        ['room_id', 1],
        ['arrival', 1],
      ],
      sparse: 'arrival',
    },
    {
      name: 'media',
      keys: [
        ['room_id', 1],
        ['media', 1],
      ],
    },
    // Of a medium alone, for whether any room shows it.
    { name: 'shown', keys: [['media', 1]] },
    {
      name: 'relations',
      keys: [
        ['relates_to', 1],
        ['rel_type', 1],
        ['sender', 1],
      ],
      sparse: true,
    },
    {
      name: 'children',
      keys: [
        ['relates_to', 1],
        ['arrival', 1],
      ],
      sparse: true,
    },
    {
      name: 'threads',
      keys: [
        ['room_id', 1],
        ['thread_latest', 1],
      ],
      sparse: 'thread_latest',
    },
    {
      name: 'invites',
      keys: [
        ['inviter', 1],
        ['received_ts', 1],
      ],
      sparse: true,
    },
    {
      // Only member events have a membership before them.
      name: 'memberships',
      keys: [
        ['state_key', 1],
        ['received_ts', -1],
      ],
      sparse: 'previous_membership',
    },
    { name: 'received', keys: [['received_ts', 1]] },
    { name: 'avatar', keys: [['avatar', 1]], sparse: true },
    { name: 'other_media', keys: [['other_media', 1]], sparse: true },
    { name: 'txn', keys: [['txn', 1]], sparse: true },
    { name: 'unseen', keys: [['unseen_since', 1]], sparse: true },
  ],
});
