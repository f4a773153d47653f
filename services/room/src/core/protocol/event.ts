import { type JsonObject, ownString } from '@steward/kernel';
import type { RoomVersion } from './room-versions.ts';

/** A reference to another event; with its hash in the versions that require one. */
export type EventReference = string | readonly [eventId: string, hashes: { readonly sha256?: string }];

/** The part of an event that its sender provides. Every stored event is a draft too. */
export interface EventDraft {
  readonly type: string;
  readonly content: JsonObject;
  readonly sender: string;
  /** Its presence, even empty, makes it a state event. */
  readonly state_key?: string;
  /** The target of a redaction, in versions that do not have it in the content. */
  readonly redacts?: string;
}

/** An event as it is stored, hashed and signed: the federation form (client-plane.md 4.1). */
export interface StoredEvent extends EventDraft {
  /** Absent from the create event of rooms whose id is its hash. */
  readonly room_id?: string;
  /** Only in versions with random event ids. */
  readonly event_id?: string;
  /** Milliseconds since the Unix epoch. */
  readonly origin_server_ts: number;
  readonly prev_events: readonly EventReference[];
  readonly auth_events: readonly EventReference[];
  /** One more than the deepest of `prev_events`; 1 for the create event. */
  readonly depth: number;
  /** Imported events may lack hashes and signatures. */
  readonly hashes?: { readonly sha256: string };
  /** By server name and key id. */
  readonly signatures?: { readonly [serverName: string]: { readonly [keyId: string]: string } };
  readonly unsigned?: JsonObject;
  /** Fields that steward does not write, but keeps in imported events. */
  readonly origin?: string;
  readonly prev_state?: readonly unknown[];
  readonly membership?: string;
}

/** An event with its id, its room and its arrival. */
export interface RoomEvent {
  readonly eventId: string;
  readonly roomId: string;
  readonly roomVersion: string;
  readonly event: StoredEvent;
  /** Its position in the room's order of arrival, once it has arrived. */
  readonly arrival?: number;
}

/** Returns the state event of a type and key, redacted if it has been. */
export type StateLookup = (type: string, stateKey: string) => RoomEvent | undefined;

/** The membership of a user in a room. */
export type Membership = 'ban' | 'invite' | 'join' | 'knock' | 'leave';

const MEMBERSHIPS: ReadonlySet<unknown> = new Set<Membership>(['ban', 'invite', 'join', 'knock', 'leave']);

/** Whether a value is a membership. */
export function isMembership(value: unknown): value is Membership {
  return MEMBERSHIPS.has(value);
}

/** The membership of a user in a state; `undefined` without a member event. */
export function membershipOf(state: StateLookup, userId: string): Membership | undefined {
  const membership = ownString(state('m.room.member', userId)?.event.content, 'membership');
  return isMembership(membership) ? membership : undefined;
}

/** The join rule of a state; `invite` if it has none (client-plane.md 5.3). */
export function joinRuleOf(state: StateLookup): string {
  return ownString(state('m.room.join_rules', '')?.event.content, 'join_rule') ?? 'invite';
}

/** The id of the target of a redaction, from the field in which its version has it. */
export function redactedIdOf(event: EventDraft, version: RoomVersion): string | undefined {
  return version.redactsInContent ? ownString(event.content, 'redacts') : event.redacts;
}
