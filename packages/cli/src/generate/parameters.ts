import type { ParameterType } from '../operations/operation-command.ts';

/** The integers that are points in time, in milliseconds since the Unix epoch. */
const TIME =
  /(?:^|_)ts$|^(?:created|accessed|received|last_seen|last_activity)_(?:before|after)$|^(?:expiry_time|valid_until_ms|max_timestamp)$/;

/** The parameters that hold the id of a user. */
const USER_ID =
  /^(?:user_ids?|target_user_id|event_sender_user_id|new_room_user_id|actor|assignee|blocked_by|creator|reporter|requested_by|user)$/;

/** Such a parameter is a part of an id, which is searched for. */
const PART = /contains? this text/;

/** Whether a parameter is a point in time. */
export function isTime(name: string, type: ParameterType): boolean {
  return type === 'integer' && TIME.test(name);
}

/** Whether a parameter is the whole id of a user. */
export function isUserId(name: string, description: string): boolean {
  return USER_ID.test(name) && !PART.test(description);
}
