import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { toRoomEvent } from '../model/event-form.ts';
import type { MemberDocument } from '../model/member.ts';
import type { Room } from '../model/room.ts';
import {
  evaluatePushRules,
  type PowerLevels,
  type PushEffect,
  powerLevelsOf,
  type RoomEvent,
  readingVersion,
} from '../protocol/mod.ts';
import { stateEventAt } from '../reading/state-at.ts';

/** Judges events of a room by the push rules of its members. */
export class Judge {
  readonly #deps: Deps;
  readonly #room: Room;
  readonly #events = new WeakMap<EventDocument, RoomEvent>();
  #levels: PowerLevels | undefined;

  constructor(deps: Deps, room: Room) {
    this.#deps = deps;
    this.#room = room;
  }

  /** What an event does for a member; undefined if it does not notify them. */
  async effectOn(member: MemberDocument, document: EventDocument): Promise<PushEffect | undefined> {
    return (await this.effectsOn(member, [document])).get(document);
  }

  /** Those of some events that notify a member, with what they do, in their order. Members are not notified of what they send. */
  async effectsOn(
    member: MemberDocument,
    documents: readonly EventDocument[],
  ): Promise<ReadonlyMap<EventDocument, PushEffect>> {
    const { user_id: userId } = member;
    const [rules, ignored] = await Promise.all([
      this.#deps.pushRules.of(userId),
      this.#deps.ignoredUsers.of(userId),
    ]);
    // Few events need the power levels, so they are read when the first rule asks for them.
    let isAsked = false;
    const context = {
      displayName: member.displayname,
      members: this.#room.joined_members,
      mayNotifyRoom: (user: string) => {
        isAsked = true;
        return this.#levels !== undefined && this.#levels.ofUser(user) >= this.#levels.toNotifyRoom();
      },
    };
    const effects = new Map<EventDocument, PushEffect>();
    for (const document of documents) {
      const { sender, redacted_by, soft_failed, rejected } = document;
      if (sender === userId || redacted_by !== undefined || soft_failed || rejected) continue;
      if (ignored.has(sender)) continue;
      const event = this.#eventOf(document);
      let effect = evaluatePushRules(rules, event, context);
      if (isAsked && !this.#levels) {
        this.#levels = await levelsOf(this.#deps, this.#room);
        effect = evaluatePushRules(rules, event, context);
      }
      if (effect.notifies) effects.set(document, effect);
    }
    return effects;
  }

  #eventOf(document: EventDocument): RoomEvent {
    const event = this.#events.get(document) ?? toRoomEvent(document);
    this.#events.set(document, event);
    return event;
  }
}

async function levelsOf(deps: Deps, room: Room): Promise<PowerLevels> {
  const point = { roomId: room._id, arrival: room.arrival };
  const [create, levels] = await Promise.all([
    stateEventAt(deps, point, 'm.room.create', ''),
    stateEventAt(deps, point, 'm.room.power_levels', ''),
  ]);
  const state = new Map(
    [create, levels].flatMap((found) => (found ? [[found.type, toRoomEvent(found)]] : [])),
  );
  return powerLevelsOf((type) => state.get(type), readingVersion(room.room_version));
}
