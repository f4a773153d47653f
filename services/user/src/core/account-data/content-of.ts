import type { Deps } from '../deps.ts';
import { accountDataId } from '../model/account-data.ts';

/** The content of an object as it is stored; `undefined` when it was never set. */
export async function contentOf(
  deps: Pick<Deps, 'accountData'>,
  userId: string,
  roomId: string,
  type: string,
): Promise<string | undefined> {
  const held = await deps.accountData.findOne({ _id: accountDataId(userId, { roomId, type }) });
  return held?.content;
}
