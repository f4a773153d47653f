import { own } from '@steward/kernel';
import type { PushTarget } from '../../peers/push-targets.ts';
import type { EventDocument } from '../model/event-document.ts';
import { toRoomEvent } from '../model/event-form.ts';
import type { Room } from '../model/room.ts';
import type { PushEffect } from '../protocol/mod.ts';

const SECOND_MS = 1_000;

/** What a push tells of an event. */
export interface Pushed {
  readonly room: Room;
  readonly document: EventDocument;
  readonly effect: PushEffect;
  /** The display name of the sender in the room. */
  readonly senderName: string | null;
  /** The number of unread messages of the user in all rooms. */
  readonly unread: number;
}

/** The notification of an event, in the form of the push gateway API of Matrix. */
export function notificationOf(
  target: PushTarget,
  { room, document, effect, senderName, unread }: Pushed,
): object {
  const { event, roomId, eventId } = toRoomEvent(document);
  const tweaks = tweaksOf(effect);
  const isUrgent = document.type === 'm.room.encrypted' || 'sound' in tweaks || 'highlight' in tweaks;
  const about = {
    event_id: eventId,
    room_id: roomId,
    counts: { unread },
    prio: isUrgent ? 'high' : 'low',
  };
  if (target.idsOnly) return { ...about, devices: [deviceOf(target, {})] };
  return {
    ...about,
    type: document.type,
    sender: document.sender,
    ...(senderName === null ? {} : { sender_display_name: senderName }),
    ...(room.name === null ? {} : { room_name: room.name }),
    ...(room.canonical_alias === null ? {} : { room_alias: room.canonical_alias }),
    ...(document.type === 'm.room.member'
      ? { user_is_target: document.state_key === target.userId, membership: own(event.content, 'membership') }
      : {}),
    content: event.content,
    devices: [deviceOf(target, tweaks)],
  };
}

/** The notification that tells the number of unread messages alone. */
export function badgeOf(target: PushTarget, unread: number): object {
  return { counts: { unread }, devices: [deviceOf(target, {})] };
}

/** Whether the answer of a gateway says that it does not know a push key any more. */
export function rejects(body: string, pushkey: string): boolean {
  try {
    const rejected = own(JSON.parse(body), 'rejected');
    return Array.isArray(rejected) && rejected.includes(pushkey);
  } catch {
    return false;
  }
}

function deviceOf({ appId, pushkey, setTs, data }: PushTarget, tweaks: object): object {
  return {
    app_id: appId,
    pushkey,
    ...(setTs > 0 ? { pushkey_ts: Math.floor(setTs / SECOND_MS) } : {}),
    data,
    ...(Object.keys(tweaks).length > 0 ? { tweaks } : {}),
  };
}

/** The tweaks that the actions of a rule set; a highlight that is switched off is none. */
function tweaksOf({ actions, highlights }: PushEffect): Readonly<Record<string, unknown>> {
  const tweaks: Record<string, unknown> = {};
  for (const action of actions) {
    const [name, value] = [own(action, 'set_tweak'), own(action, 'value')];
    if (typeof name === 'string' && name !== 'highlight' && value !== undefined) tweaks[name] = value;
  }
  return highlights ? { ...tweaks, highlight: true } : tweaks;
}
