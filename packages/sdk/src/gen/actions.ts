// Generated from services/moderation/src/core/actions/kinds; change these, then run npm run generate.

import type { ActionKind } from '../core/action-kind.ts';
import type { NewReportOrder } from './schemas.ts';

/** What the resolution of a report can order, by kind, in the sequence in which programs offer it. */
export const ACTION_KINDS: Readonly<Record<NewReportOrder['kind'], ActionKind>> = {
  redact_event: {
    scopes: ['rooms:write'],
    needs: ['room_id', 'event_id'],
    may: ['reason'],
  },
  redact_user: {
    scopes: ['rooms:write'],
    needs: ['user_id'],
    may: ['reason'],
  },
  quarantine_media: {
    scopes: ['media:write'],
    needs: ['room_id', 'event_id'],
  },
  quarantine_user_media: {
    scopes: ['media:write'],
    needs: ['user_id'],
  },
  kick: {
    scopes: ['rooms:write'],
    needs: ['room_id', 'user_id'],
    may: ['reason'],
  },
  ban: {
    scopes: ['rooms:write'],
    needs: ['room_id', 'user_id'],
    may: ['reason', 'rooms'],
  },
  suspend: {
    scopes: ['users:write'],
    needs: ['user_id'],
    notForOneself: true,
  },
  lock: {
    scopes: ['users:write'],
    needs: ['user_id'],
    notForOneself: true,
  },
  deactivate: {
    scopes: ['users:write'],
    needs: ['user_id'],
    may: ['erase'],
    keyScopes: { erase: ['users:erase'] },
    notForOneself: true,
  },
  block_room: {
    scopes: ['rooms:write'],
    needs: ['room_id'],
  },
  delete_room: {
    scopes: ['rooms:delete'],
    needs: ['room_id'],
    may: ['block', 'purge', 'force_purge', 'new_room_user_id', 'room_name', 'message'],
    keyScopes: { block: ['rooms:write'], new_room_user_id: ['rooms:write'] },
  },
  send_notice: {
    scopes: ['notices:send'],
    needs: ['user_id', 'text'],
  },
};
