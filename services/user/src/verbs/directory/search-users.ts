import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { formatUserId, parseUserId } from '@steward/kernel';
import type {
  SearchUsersRequest,
  SearchUsersResponseSchema,
} from '@steward/proto/steward/user/v1/directory_pb.ts';
import { requester } from '@steward/rpc';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { type Account, isInDirectory } from '../../core/model/account.ts';
import { directoryWord, wordsOf } from '../../core/model/directory-words.ts';

const DEFAULT_LIMIT = 10n;
const MAX_LIMIT = 50n;

/** Words of a term that are looked for; people have hardly as many. */
const MAX_TERM_WORDS = 16;

/** Users who are found and then left out: the searcher, the sender of notices, whoever the term names. */
const LEFT_OUT = 3;

/** How many users who match are asked about where only some are visible to the searcher, and in what portions. */
const MAX_CANDIDATES = 1_000;
const CANDIDATES_AT_ONCE = 100;

/** After every word that begins with the same characters. */
const LAST_CHARACTER = '\u{10FFFF}';

const fields = {
  displayname: 1,
  avatar_url: 1,
  user_type: 1,
  deactivated: 1,
  locked: 1,
} as const;

/**
 * Finds users by the beginnings of words of their ids and display names (client-plane.md 7.5). Each
 * account holds its words, and an index over them leads to those that match.
 */
export async function searchUsers(
  deps: Deps,
  request: SearchUsersRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof SearchUsersResponseSchema>> {
  const { enabled, searchAllUsers } = deps.settings.userDirectory;
  if (!enabled) return { limited: false, results: [] };
  const caller = requester(context);
  deps.limits.userDirectory.take(caller);
  const limit = Number(clamp(request.limit ?? DEFAULT_LIMIT, MAX_LIMIT));
  const most = searchAllUsers ? limit + 1 + LEFT_OUT : MAX_CANDIDATES;

  const leftOut = new Set([caller.userId, formatUserId(deps.settings.noticesLocalpart, deps.serverName)]);
  const matching = await matchingAccounts(deps, request.searchTerm.trim(), most);
  const candidates = matching.filter(({ _id }) => !leftOut.has(_id));
  const visible = searchAllUsers
    ? candidates
    : await visibleAmong(deps, caller.userId, candidates, limit + 1);
  return {
    limited: visible.length > limit || matching.length >= most,
    results: visible.slice(0, limit).map((account) => ({
      userId: account._id,
      displayName: account.displayname ?? undefined,
      avatarUrl: account.avatar_url ?? undefined,
    })),
  };
}

/** Whoever the term names, then those whose words begin with its words; at most `most`. */
async function matchingAccounts(deps: Deps, term: string, most: number): Promise<readonly Account[]> {
  const { showLockedUsers } = deps.settings.userDirectory;
  const words = wordsOfTerm(deps, term)
    // The longest one leads to the fewest accounts.
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_TERM_WORDS);
  const named = parseUserId(term) && (await deps.accounts.findOne({ _id: term }, { projection: fields }));
  const isListed = named && isInDirectory(named) && (showLockedUsers || !named.locked);
  const found = new Map(isListed ? [[named._id, named]] : []);
  for (const locked of showLockedUsers ? [false, true] : [false]) {
    const missing = most - found.size;
    if (words.length === 0 || missing === 0) break;
    const beginnings = words.map((word) => directoryWord(word, { locked }));
    const filter: Filter<Account> = { $and: beginnings.map(beginningWith) };
    const page = await deps.accounts.find(filter, { limit: missing, projection: fields }).toArray();
    for (const account of page) found.set(account._id, account);
  }
  return [...found.values()];
}

function beginningWith(beginning: string): Filter<Account> {
  return { directory_words: { $elemMatch: { $gte: beginning, $lt: beginning + LAST_CHARACTER } } };
}

/** The words to look for. Of a user id, also of one that is not complete yet, those of the localpart. */
function wordsOfTerm(deps: Deps, term: string): readonly string[] {
  const id = parseUserId(term.includes(':') ? term : `${term}:`);
  const isOurs = id && deps.serverName.toLowerCase().startsWith(id.domain.toLowerCase());
  return wordsOf(isOurs ? id.localpart : term);
}

/** The first candidates who are visible to the searcher, at most `most`. */
async function visibleAmong(
  deps: Deps,
  searcher: string,
  candidates: readonly Account[],
  most: number,
): Promise<readonly Account[]> {
  const found: Account[] = [];
  for (let start = 0; start < candidates.length && found.length < most; start += CANDIDATES_AT_ONCE) {
    const some = candidates.slice(start, start + CANDIDATES_AT_ONCE);
    const ids = some.map(({ _id }) => _id);
    const visible = await deps.rooms.visibleTo(searcher, ids);
    found.push(...some.filter(({ _id }) => visible.has(_id)));
  }
  return found;
}

function clamp(value: bigint, max: bigint): bigint {
  if (value < 0n) return 0n;
  return value > max ? max : value;
}
