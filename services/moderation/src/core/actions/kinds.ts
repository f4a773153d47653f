import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { accountsOf, methodRules, scopesOf } from '@steward/rpc';
import type { Notices } from '../../peers/notice.ts';
import type { ActionDetails } from './action.ts';
import type { ActionKind, DocumentedCall } from './define-action.ts';
import { ban } from './kinds/ban.ts';
import { blockRoom } from './kinds/block-room.ts';
import { deactivate } from './kinds/deactivate.ts';
import { deleteRoom } from './kinds/delete-room.ts';
import { kick } from './kinds/kick.ts';
import { lock } from './kinds/lock.ts';
import { quarantineMedia } from './kinds/quarantine-media.ts';
import { quarantineUserMedia } from './kinds/quarantine-user-media.ts';
import { redactEvent } from './kinds/redact-event.ts';
import { redactUser } from './kinds/redact-user.ts';
import { sendNotice } from './kinds/send-notice.ts';
import { suspend } from './kinds/suspend.ts';

/** What a resolution can order, by the kinds of the API, in the sequence in which programs offer them. */
export const ACTION_KINDS = {
  redact_event: redactEvent,
  redact_user: redactUser,
  quarantine_media: quarantineMedia,
  quarantine_user_media: quarantineUserMedia,
  kick,
  ban,
  suspend,
  lock,
  deactivate,
  block_room: blockRoom,
  delete_room: deleteRoom,
  send_notice: sendNotice,
} as const satisfies Readonly<Record<string, ActionKind>>;

/** The name of a kind. */
export type ActionName = keyof typeof ACTION_KINDS;

/** An action, as it is checked and carried out. */
export interface Action {
  readonly kind: ActionName;
  readonly details: ActionDetails;
}

/** The kind with a name; `undefined` for none. */
export function actionNamed(name: string): ActionName | undefined {
  return Object.hasOwn(ACTION_KINDS, name) ? (name as ActionName) : undefined;
}

/** All that is known of the kind of an action. */
export function kindOf({ kind }: Pick<Action, 'kind'>): ActionKind {
  return ACTION_KINDS[kind];
}

/** The action in a case. */
export function storedAction({ kind, details }: { readonly kind: string; readonly details: string }): Action {
  return { kind: kind as ActionName, details: JSON.parse(details) as ActionDetails };
}

/** The calls of endpoints that together do what an action does. */
export function documentedCalls(action: Action): readonly DocumentedCall[] {
  return kindOf(action).calls(action.details);
}

/** The scopes that an action requires. */
export function scopesOfAction(
  { notices }: { readonly notices: Pick<Notices, 'sender'> },
  action: Action,
): ReadonlySet<Scope> {
  return new Set([
    ...(kindOf(action).scopes?.(action.details, notices.sender) ?? []),
    ...documentedCalls(action).flatMap(({ method, request }) => scopesOf(methodRules(method), request)),
  ]);
}

/** The accounts that an action is against, or in whose name, as far as it names them. */
export function accountsOfAction(action: Action): readonly string[] {
  return documentedCalls(action).flatMap(({ method, request }) => accountsOf(methodRules(method), request));
}
