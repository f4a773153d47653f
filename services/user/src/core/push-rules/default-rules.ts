import { parseUserId } from '@steward/kernel';
import type { Action, Condition, PushRule, PushRules } from './push-rule.ts';

/** The rule that silences everything; it precedes the rules that users add. */
export const MASTER_RULE = '.m.rule.master';

const NOTIFY = 'notify';
const SOUND: Action = { set_tweak: 'sound', value: 'default' };
const RING: Action = { set_tweak: 'sound', value: 'ring' };
const HIGHLIGHT: Action = { set_tweak: 'highlight' };

/** The rules that every account starts with (client-plane.md 12.1). */
export function defaultRules(userId: string): PushRules {
  const localpart = parseUserId(userId)?.localpart ?? '';
  return {
    override: [
      { ...rule('master', [], []), enabled: false },
      rule('suppress_notices', [matches('content.msgtype', 'm.notice')], []),
      rule(
        'invite_for_me',
        [ofType('m.room.member'), matches('content.membership', 'invite'), matches('state_key', userId)],
        [NOTIFY, SOUND],
      ),
      rule('member_event', [ofType('m.room.member')], []),
      rule(
        'is_user_mention',
        [{ kind: 'event_property_contains', key: 'content.m\\.mentions.user_ids', value: userId }],
        [NOTIFY, SOUND, HIGHLIGHT],
      ),
      rule('contains_display_name', [{ kind: 'contains_display_name' }], [NOTIFY, SOUND, HIGHLIGHT]),
      rule(
        'is_room_mention',
        [{ kind: 'event_property_is', key: 'content.m\\.mentions.room', value: true }, MAY_CALL_ROOM],
        [NOTIFY, HIGHLIGHT],
      ),
      rule('roomnotif', [matches('content.body', '@room'), MAY_CALL_ROOM], [NOTIFY, HIGHLIGHT]),
      rule('tombstone', [ofType('m.room.tombstone'), matches('state_key', '')], [NOTIFY, HIGHLIGHT]),
      rule('reaction', [ofType('m.reaction')], []),
      rule('room.server_acl', [ofType('m.room.server_acl'), matches('state_key', '')], []),
      rule(
        'suppress_edits',
        [{ kind: 'event_property_is', key: 'content.m\\.relates_to.rel_type', value: 'm.replace' }],
        [],
      ),
    ],
    content: [
      {
        rule_id: '.m.rule.contains_user_name',
        default: true,
        enabled: true,
        actions: [NOTIFY, SOUND, HIGHLIGHT],
        pattern: localpart,
      },
    ],
    room: [],
    sender: [],
    underride: [
      rule('call', [ofType('m.call.invite')], [NOTIFY, RING]),
      rule('encrypted_room_one_to_one', [TWO_MEMBERS, ofType('m.room.encrypted')], [NOTIFY, SOUND]),
      rule('room_one_to_one', [TWO_MEMBERS, ofType('m.room.message')], [NOTIFY, SOUND]),
      rule('message', [ofType('m.room.message')], [NOTIFY]),
      rule('encrypted', [ofType('m.room.encrypted')], [NOTIFY]),
    ],
  };
}

const MAY_CALL_ROOM: Condition = { kind: 'sender_notification_permission', key: 'room' };
const TWO_MEMBERS: Condition = { kind: 'room_member_count', is: '2' };

function rule(name: string, conditions: readonly Condition[], actions: readonly Action[]): PushRule {
  return { rule_id: `.m.rule.${name}`, default: true, enabled: true, actions, conditions };
}

function matches(key: string, pattern: string): Condition {
  return { kind: 'event_match', key, pattern };
}

function ofType(type: string): Condition {
  return matches('type', type);
}
