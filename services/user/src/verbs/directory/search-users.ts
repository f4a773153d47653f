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

/** The maximum of words of a term that are searched for; names hardly have as many. */
const MAX_TERM_WORDS = 16;

/** How many users found may drop out: the searcher, the sender of notices, the named user when found twice. */
const LEFT_OUT = 3;

/** The maximum of matching users whose visibility to the searcher is checked, and the number checked per call. */
const MAX_CANDIDATES = 1_000;
const CANDIDATES_BATCH = 100;

/** Appended to a prefix, it sorts after every word with that prefix. */
const LAST_CHARACTER = '\u{10FFFF}';

const fields = {
  displayname: 1,
  avatar_url: 1,
  user_type: 1,
  deactivated: 1,
  locked: 1,
} as const;

/**
 * Finds users by prefixes of the words in their ids and display names (client-plane.md 7.5), through an index
 * over the words that each account stores.
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
  const maxMatching = searchAllUsers ? limit + 1 + LEFT_OUT : MAX_CANDIDATES;

  const leftOut = new Set([caller.userId, formatUserId(deps.settings.noticesLocalpart, deps.serverName)]);
  const matching = await matchingAccounts(deps, request.searchTerm.trim(), maxMatching);
  const candidates = matching.filter(({ _id }) => !leftOut.has(_id));
  const visible = searchAllUsers
    ? candidates
    : await visibleAmong(deps, caller.userId, candidates, limit + 1);
  return {
    limited: visible.length > limit || matching.length >= maxMatching,
    results: visible.slice(0, limit).map((account) => ({
      userId: account._id,
      displayName: account.displayname ?? undefined,
      avatarUrl: account.avatar_url ?? undefined,
    })),
  };
}

/** The user whom the term names, then the users whose words begin with its words; at most `max`. */
async function matchingAccounts(deps: Deps, term: string, max: number): Promise<readonly Account[]> {
  const { showLockedUsers } = deps.settings.userDirectory;
  const words = wordsOfTerm(deps, term)
    // The longest word comes first: it matches the fewest accounts.
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_TERM_WORDS);
  const named = parseUserId(term) && (await deps.accounts.findOne({ _id: term }, { projection: fields }));
  const isListed = named && isInDirectory(named) && (showLockedUsers || !named.locked);
  const found = new Map(isListed ? [[named._id, named]] : []);
  for (const locked of showLockedUsers ? [false, true] : [false]) {
    const missing = max - found.size;
    if (words.length === 0 || missing === 0) break;
    const prefixes = words.map((word) => directoryWord(word, { locked }));
    const filter: Filter<Account> = { $and: prefixes.map(withPrefix) };
    const page = await deps.accounts.find(filter, { limit: missing, projection: fields }).toArray();
    for (const account of page) found.set(account._id, account);
  }
  return [...found.values()];
}

function withPrefix(prefix: string): Filter<Account> {
  return { directory_words: { $elemMatch: { $gte: prefix, $lt: prefix + LAST_CHARACTER } } };
}

/** The words to search for; of a user id, even an incomplete one, those of the localpart. */
function wordsOfTerm(deps: Deps, term: string): readonly string[] {
  const id = parseUserId(term.includes(':') ? term : `${term}:`);
  const isOurs = id && deps.serverName.toLowerCase().startsWith(id.domain.toLowerCase());
  return wordsOf(isOurs ? id.localpart : term);
}

/** The first candidates who are visible to the searcher, at most `max`. */
async function visibleAmong(
  deps: Deps,
  searcher: string,
  candidates: readonly Account[],
  max: number,
): Promise<readonly Account[]> {
  const found: Account[] = [];
  for (let start = 0; start < candidates.length && found.length < max; start += CANDIDATES_BATCH) {
    const batch = candidates.slice(start, start + CANDIDATES_BATCH);
    const ids = batch.map(({ _id }) => _id);
    const visible = await deps.rooms.visibleTo(searcher, ids);
    found.push(...batch.filter(({ _id }) => visible.has(_id)));
  }
  return found;
}

function clamp(value: bigint, max: bigint): bigint {
  if (value < 0n) return 0n;
  return value > max ? max : value;
}
