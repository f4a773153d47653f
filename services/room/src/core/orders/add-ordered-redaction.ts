import type { Rights } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { EventDraft, RoomVersion } from '../protocol/mod.ts';
import type { RoomView } from '../view/room-view.ts';
import { chooseRedactor } from './choose-redactor.ts';
import { describe, type Ordered, type OrderSendOptions, versionOf } from './order.ts';

/** An event that is to be redacted on the order of an administrator. */
export interface OrderedRedaction {
  /** The rights of who orders it. */
  readonly rights: Rights;
  readonly stored: EventDocument;
  readonly reason?: string | undefined;
  /** Who sends the redaction if they may, see `chooseRedactor`. */
  readonly preferred?: string | undefined;
}

/**
 * Adds the redaction of an event, in the name of whom `chooseRedactor` chooses. An event that is redacted already stays so, and nothing is
 * added.
 *
 * @throws refuse.unknown for a room of an unknown version; what `chooseRedactor` throws
 */
export async function addOrderedRedaction(
  deps: Deps,
  view: RoomView,
  { stored, reason, preferred, rights }: OrderedRedaction,
  send: OrderSendOptions,
): Promise<Ordered> {
  const { _id: eventId } = stored;
  const earlier = stored.redacted_by ?? redactionIn(view, eventId);
  if (earlier !== undefined) return describe(deps, view, earlier, false);
  const version = versionOf(view);
  const draftOf = (sender: string) => redactionOf(version, { sender, eventId, reason });
  const order = { version, stored, draftOf, preferred, actor: send.orderedBy, rights };
  const { sender, ...admitted } = await chooseRedactor(deps, view, order);
  const sent = await view.add(draftOf(sender), { ...send, ...admitted });
  return { eventId: sent.eventId, sender, changed: true };
}

/** The redaction of an event that was added to the same commit. */
function redactionIn(view: RoomView, eventId: string): string | undefined {
  return view.admitted.find(({ document }) => document.redacts === eventId)?.event.eventId;
}

/** A redaction has its target where the version of the room has it. */
function redactionOf(
  { redactsInContent }: RoomVersion,
  { sender, eventId, reason }: { sender: string; eventId: string; reason: string | undefined },
): EventDraft {
  const content = reason === undefined ? {} : { reason };
  const type = 'm.room.redaction';
  return redactsInContent
    ? { type, sender, content: { ...content, redacts: eventId } }
    : { type, sender, content, redacts: eventId };
}
