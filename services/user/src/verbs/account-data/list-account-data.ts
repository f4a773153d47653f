import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { ListAccountDataRequest } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { requester } from '@steward/rpc';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { requireLocalSuffix } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { type AccountData, GLOBAL, PUSH_RULES } from '../../core/model/account-data.ts';
import { pushRulesText } from '../../core/push-rules/push-rules-text.ts';
import { areChanged, changesIn } from '../../core/push-rules/rule-changes.ts';

/**
 * Returns all account data of a user (behaviour.md 2.9). They fit one response, see `account-data-stream.ts`. The audit log
 * records that unless they are the caller's.
 */
export async function listAccountData(deps: Deps, request: ListAccountDataRequest, context: HandlerContext) {
  requireLocalSuffix(deps, request.userId);
  if (!(await accountAggregate.load(deps, request.userId))) throw refuse.notFound('User not found');
  if (request.userId !== requester(context).userId) await recordCall(context);
  const rooms = new Map<string, string[]>();
  const held = deps.accountData.find({ user_id: request.userId }, { sort: { room_id: 1, type: 1, _id: 1 } });
  for await (const document of held) {
    if (isPushRules(document) && !areChanged(changesIn(document.content))) continue;
    const member = `${JSON.stringify(document.type)}:${contentIn(document)}`;
    const members = rooms.get(document.room_id);
    if (members) members.push(member);
    else rooms.set(document.room_id, [member]);
  }
  const global = rooms.get(GLOBAL) ?? [];
  rooms.delete(GLOBAL);
  return { accountData: { global: objectOf(global), rooms: objectOf([...rooms].map(toMember)) } };
}

function contentIn(document: AccountData): string {
  return isPushRules(document) ? pushRulesText(document.user_id, document.content) : document.content;
}

function isPushRules({ room_id: roomId, type }: AccountData): boolean {
  return roomId === GLOBAL && type === PUSH_RULES;
}

function toMember([roomId, members]: readonly [string, readonly string[]]): string {
  return `${JSON.stringify(roomId)}:${objectOf(members)}`;
}

function objectOf(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}
