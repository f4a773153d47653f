import type { KeepAliveClient } from '@steward/topology/testing';
import type { Site, StoredDocument } from './site.ts';

type Stored = StoredDocument['document'];

/** The stored accounts and their tokens. */
interface Accounts {
  readonly byId: ReadonlyMap<string, Stored>;
  readonly tokens: readonly Stored[];
}

/**
 * Checks the stored accounts for consistency: no token of an ended session is left, and lists count the existing
 * accounts.
 *
 * @param uncertain users whose sessions may or may not have been ended
 * @returns a line for each inconsistency
 */
export async function checkStoredAccounts(
  site: Site,
  http: KeepAliveClient,
  adminToken: string,
  uncertain: ReadonlySet<string>,
): Promise<readonly string[]> {
  const accounts = await read(site);
  return [...leftTokens(accounts, uncertain), ...(await wrongTotals(http, adminToken, accounts))];
}

async function read(site: Site): Promise<Accounts> {
  const byId = new Map<string, Stored>();
  const tokens: Stored[] = [];
  for await (const { collection, document } of site.documents()) {
    if (collection === 'user.accounts') byId.set(String(document._id), document);
    if (collection === 'user.tokens') tokens.push(document);
  }
  return { byId, tokens };
}

function leftTokens({ byId, tokens }: Accounts, uncertain: ReadonlySet<string>): readonly string[] {
  return tokens.flatMap(({ _id, user_id: userId, owner: ownerId, epoch, device_id: device }) => {
    const [user, owner] = [byId.get(String(userId)), byId.get(String(ownerId))];
    const token = `a token of ${userId} on ${device}`;
    if (!user || !owner) return [`${token} has no account`];
    const { epoch: current, except } = owner.sessions as { epoch: number; except: string | null };
    const ended = user.deactivated || (Number(epoch) < current && except !== _id);
    return ended && !uncertain.has(String(userId)) ? [`${token} is left of sessions that were ended`] : [];
  });
}

/** Totals come from counts that are stored beside the accounts. */
async function wrongTotals(
  http: KeepAliveClient,
  adminToken: string,
  { byId }: Accounts,
): Promise<readonly string[]> {
  const all = [...byId.values()];
  const lists: Readonly<Record<string, number>> = {
    'deactivated=true&locked=true': all.length,
    'deactivated=false&locked=false': all.filter(({ deactivated, locked }) => !deactivated && !locked).length,
    'deactivated=true&locked=true&not_user_type=&not_user_type=support': all.filter(
      ({ user_type: type }) => type !== null && type !== 'support',
    ).length,
  };
  const faults: string[] = [];
  for (const [query, count] of Object.entries(lists)) {
    const at = `/_service/admin/v2/users?limit=1&${query}`;
    const { body } = await http.send('GET', at, { token: adminToken });
    if (body.total !== count) faults.push(`${at} counts ${body.total} accounts, of ${count}`);
  }
  return faults;
}
