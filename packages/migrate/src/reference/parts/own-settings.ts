import { isObject, type JsonObject } from '@steward/kernel';
import type { Part, Refused } from '../../part.ts';
import { countOf, type Row } from '../source/database.ts';
import { grouped } from '../source/grouped.ts';
import { flag, json, jsonObject, text, whole } from '../source/row.ts';
import { type Context, fullUserId, rowsPart } from './context.ts';

const EPOCH = 0;

/** The kinds of push rules, by the class that the old server gives those of a user. */
const RULE_KINDS: ReadonlyMap<number, string> = new Map([
  [5, 'override'],
  [4, 'content'],
  [3, 'room'],
  [2, 'sender'],
  [1, 'underride'],
]);

/** The type under which push rules are account data. */
const PUSH_RULES = 'm.push_rules';

/** What every object of account data counts in addition to its texts. */
const OVERHEAD_BYTES = 1_024;

/** An object of account data. */
interface Datum {
  readonly roomId: string;
  readonly type: string;
  readonly content: string;
  readonly position: number;
}

/** All account data of a user. */
interface OwnData {
  readonly userId: string;
  readonly data: readonly Datum[];
  readonly refused: readonly Refused[];
  /** The highest position, also of what is refused, of which an earlier copy may stay; 0 when there is nothing. */
  readonly last: number;
}

/** Names an object of account data. */
function keyOf(userId: string, roomId: string, type: string): string {
  return [userId, roomId, type].filter((part) => part !== '').join(' ');
}

/** Account data, of which push rules and tags are a part, and filters. */
export function ownSettingsParts(context: Context): readonly Part[] {
  const { database } = context;
  const filterUser = fullUserId(context, 'full_user_id', 'user_id');
  const { table, count } = { table: 'account_data', count: () => countOf(database, 'users') };
  return [
    {
      ...{ kind: 'account_data', table, count },
      async *read() {
        for await (const { userId, data, refused } of ownData(context)) {
          yield* refused;
          for (const { roomId, type, content, position } of data)
            yield {
              key: keyOf(userId, roomId, type),
              record: {
                user_id: userId,
                room_id: roomId,
                type,
                content,
                version: 1,
                position,
                epoch: EPOCH,
              },
            };
        }
      },
    },
    {
      ...{ kind: 'account_data_positions', table, count },
      async *read() {
        for await (const { userId, data, last } of ownData(context)) {
          if (last === 0) continue;
          yield {
            key: userId,
            record: {
              user_id: userId,
              version: last,
              bytes: data.reduce((sum, datum) => sum + sizeOf(datum), 0),
              entries: data.length,
            },
          };
        }
      },
    },
    rowsPart(context, {
      kind: 'filters',
      table: 'user_filters',
      query: `${filterUser} AS full_id, filter_id, filter_json FROM user_filters ORDER BY ${database.inOrder(filterUser)}, filter_id`,
      keyOf: (row) => `${row.full_id} ${row.filter_id}`,
      read: (row) => ({
        record: {
          key: `${text(row, 'full_id')} ${whole(row, 'filter_id')}`,
          user_id: text(row, 'full_id'),
          filter: JSON.stringify(jsonObject(row, 'filter_json')),
          epoch: EPOCH,
        },
      }),
    }),
  ];
}

/** The account data of each user. */
async function* ownData({ database }: Context): AsyncGenerator<OwnData> {
  const by = (...columns: string[]) =>
    `ORDER BY ${columns.map((column) => database.inOrder(column)).join(', ')}`;
  const groups = grouped(database.rows(`SELECT name AS key FROM users ${by('name')}`), {
    account_data: database.rows(
      `SELECT user_id AS key, account_data_type, stream_id, content FROM account_data ${by('user_id', 'account_data_type')}`,
    ),
    room_account_data: database.rows(
      `SELECT user_id AS key, room_id, account_data_type, stream_id, content FROM room_account_data ${by('user_id', 'room_id', 'account_data_type')}`,
    ),
    room_tags: database.rows(
      `SELECT user_id AS key, room_id, tag, content FROM room_tags ${by('user_id', 'room_id', 'tag')}`,
    ),
    push_rules: database.rows(
      `SELECT user_name AS key, push_rules.* FROM push_rules ${by('user_name')}, priority_class DESC, priority DESC, id`,
    ),
    push_rules_enable: database.rows(
      `SELECT user_name AS key, rule_id, enabled FROM push_rules_enable ${by('user_name', 'rule_id')}`,
    ),
  });
  for await (const group of groups) {
    if ('orphan' in group) {
      yield {
        userId: group.key,
        data: [],
        last: 0,
        refused: [{ key: `${group.orphan} ${group.key}`, problem: 'there is no such account' }],
      };
      continue;
    }
    const refused: Refused[] = [];
    const attempt = <T>(key: string, read: () => T): T | undefined => {
      try {
        return read();
      } catch (error) {
        refused.push({ key, problem: (error as Error).message });
        return undefined;
      }
    };
    const { account_data, room_account_data, room_tags, push_rules, push_rules_enable } = group.of;
    const stored = [...account_data, ...room_account_data].flatMap((row) => {
      const datum = attempt(keyOf(group.key, String(row.room_id ?? ''), String(row.account_data_type)), () =>
        datumOf(row),
      );
      // What was deleted is stored as an empty object.
      return datum && datum.content !== '{}' ? [datum] : [];
    });
    const tags = tagsOf(group.key, room_tags, attempt);
    const rules = attempt(keyOf(group.key, '', PUSH_RULES), () => rulesOf(push_rules, push_rules_enable));
    const data = [...stored, ...tags, ...(rules ? [rules] : [])];
    const last = Math.max(
      ...data.map(({ position }) => position),
      ...[...account_data, ...room_account_data].map(({ stream_id }) => Number(stream_id) || 0),
      refused.length > 0 ? 1 : 0,
      0,
    );
    yield { userId: group.key, data, refused, last };
  }
}

function datumOf(row: Row): Datum {
  return {
    roomId: 'room_id' in row ? text(row, 'room_id') : '',
    type: text(row, 'account_data_type'),
    content: JSON.stringify(jsonObject(row, 'content')),
    position: Math.max(whole(row, 'stream_id'), 1),
  };
}

/** The tags of each room, which are one object of account data. */
function tagsOf(
  userId: string,
  rows: readonly Row[],
  attempt: <T>(key: string, read: () => T) => T | undefined,
): readonly Datum[] {
  const byRoom = new Map<string, Record<string, JsonObject>>();
  for (const row of rows) {
    attempt(`room_tags ${userId} ${row.room_id} ${row.tag}`, () => {
      const tags = byRoom.get(text(row, 'room_id')) ?? {};
      tags[text(row, 'tag')] = jsonObject(row, 'content');
      byRoom.set(text(row, 'room_id'), tags);
    });
  }
  return [...byRoom].map(([roomId, tags]) => ({
    roomId,
    type: 'm.tag',
    content: JSON.stringify({ tags }),
    position: 1,
  }));
}

/** What of the push rules of a user differs from the default ones; undefined for nothing. */
function rulesOf(rows: readonly Row[], enabledRows: readonly Row[]): Datum | undefined {
  const enabled = new Map(enabledRows.map((row) => [text(row, 'rule_id'), flag(row, 'enabled', true)]));
  const added: Record<string, JsonObject[]> = {
    override: [],
    content: [],
    room: [],
    sender: [],
    underride: [],
  };
  const changed: Record<string, JsonObject> = {};
  for (const row of rows) {
    const path = text(row, 'rule_id');
    const ruleId = ruleIdOf(path);
    const actions = json(row, 'actions');
    if (!Array.isArray(actions)) throw new Error(`actions of ${path} is not a list`);
    const kind = RULE_KINDS.get(whole(row, 'priority_class'));
    if (kind === undefined || ruleId.startsWith('.')) {
      changed[ruleId] = { ...changed[ruleId], actions };
      continue;
    }
    const conditions = json(row, 'conditions');
    if (!Array.isArray(conditions)) throw new Error(`conditions of ${path} is not a list`);
    const pattern = kind === 'content' && isObject(conditions[0]) ? conditions[0].pattern : undefined;
    added[kind]?.push({
      rule_id: ruleId,
      default: false,
      enabled: enabled.get(path) ?? true,
      actions,
      ...(kind === 'override' || kind === 'underride' ? { conditions } : {}),
      ...(typeof pattern === 'string' ? { pattern } : {}),
    });
  }
  for (const [path, isEnabled] of enabled) {
    const ruleId = ruleIdOf(path);
    if (ruleId.startsWith('.')) changed[ruleId] = { ...changed[ruleId], enabled: isEnabled };
  }
  const isNone = Object.keys(changed).length === 0 && Object.values(added).every((each) => each.length === 0);
  if (isNone) return undefined;
  return { roomId: '', type: PUSH_RULES, content: JSON.stringify({ added, changed }), position: 1 };
}

/** The id of a rule of `global/<kind>/<id>`. */
function ruleIdOf(path: string): string {
  return path.split('/').slice(2).join('/');
}

function sizeOf({ roomId, type, content }: Datum): number {
  return OVERHEAD_BYTES + Buffer.byteLength(roomId) + Buffer.byteLength(type) + Buffer.byteLength(content);
}
