import { parseFilter } from './filter.ts';
import { GROUP_SCHEMA } from './group-schema.ts';
import { byAttribute, isObject, type JsonObject, readString } from './read-json.ts';
import { operationsOf, type SentOperation } from './read-operations.ts';
import { badRequest } from './scim-error.ts';

/** The most members that a request names. */
const MAX_MEMBERS = 1_000;

/** What a request says of a group; absent is what it does not mention. */
export interface SentGroup {
  readonly displayName?: string;
  /** Empty for none. */
  readonly externalId?: string;
  /** All members that the directory has put there from now on; the changes come afterwards. */
  readonly members?: readonly string[];
  /** Members that are added, by id, and taken out. */
  readonly changes: ReadonlyMap<string, boolean>;
}

/** @throws ScimError */
export function readGroup(object: JsonObject): SentGroup {
  const { schemas } = object;
  if (schemas !== undefined && !(Array.isArray(schemas) && schemas.includes(GROUP_SCHEMA)))
    throw badRequest('invalidSyntax', `'schemas' must contain ${GROUP_SCHEMA}`);
  const sent = byAttribute(object);
  const displayName = readString(sent.get('displayname') ?? '', 'displayName');
  if (displayName === '') throw badRequest('invalidValue', "'displayName' is required");
  return {
    displayName,
    ...(sent.has('externalid') ? { externalId: readString(sent.get('externalid') ?? '', 'externalId') } : {}),
    ...(sent.has('members') ? { members: readMembers(sent.get('members')) } : {}),
    changes: new Map(),
  };
}

/** What the operations of a PATCH (RFC 7644, 3.5.2) change, in the order in which they are. @throws ScimError */
export function patchGroup(body: JsonObject): SentGroup {
  const result: { displayName?: string; externalId?: string; members?: readonly string[] } = {};
  const changes = new Map<string, boolean>();
  const put = ({ op, path, value }: SentOperation) => {
    const [, attribute = '', filter] = PATH.exec(path) ?? [];
    switch (attribute.toLowerCase()) {
      case 'displayname':
        if (op === 'remove') throw badRequest('mutability', "'displayName' always has a value");
        result.displayName = readString(value, 'displayName');
        if (result.displayName === '') throw badRequest('invalidValue', "'displayName' is required");
        return;
      case 'externalid':
        result.externalId = op === 'remove' ? '' : readString(value ?? '', 'externalId');
        return;
      case 'members':
        changeMembers(op, filter, value);
        return;
      case 'id':
        // Okta sends it with what it replaces.
        if (op === 'replace') return;
        throw badRequest('mutability', "'id' cannot be changed");
      case '':
        if (!/^urn:[\w.:-]+$/i.test(path)) throw badRequest('invalidPath', 'The path cannot be read');
        return;
      default:
      // The schema of groups does not have it.
    }
  };
  const changeMembers = (op: SentOperation['op'], filter: string | undefined, value: unknown) => {
    const named = filter === undefined ? readMembers(value) : [memberOf(filter)];
    const all = op === 'remove' && filter === undefined && (value === undefined || value === null);
    if (op === 'replace' || all) {
      result.members = all ? [] : named;
      changes.clear();
      return;
    }
    for (const id of named) changes.set(id, op === 'add');
    if (changes.size > MAX_MEMBERS) throw tooMany();
  };
  for (const operation of operationsOf(body)) put(operation);
  return { ...result, changes };
}

/** An attribute, perhaps a filter of its values, perhaps a part of it. */
const PATH = /^([a-z][\w$-]*)(?:\[(.*)\])?(?:\.[a-z$][\w$-]*)?$/i;

/** The member that a path such as `members[value eq "..."]` names. */
function memberOf(text: string): string {
  const filter = parseFilter(text);
  // Ids are the same in any case, which the filter has made lower case.
  if (filter.op === 'eq' && filter.attrPath === 'value' && typeof filter.compValue === 'string')
    return filter.compValue;
  throw badRequest('invalidPath', "Members are selected by 'value' with eq");
}

function readMembers(value: unknown): readonly string[] {
  const list = value === null || value === undefined ? [] : [value].flat();
  if (list.length > MAX_MEMBERS) throw tooMany();
  return [
    ...new Set(
      list.map((one: unknown) =>
        readString(isObject(one) ? byAttribute(one).get('value') : one, 'members.value'),
      ),
    ),
  ];
}

function tooMany() {
  return badRequest('tooMany', `A request names at most ${MAX_MEMBERS} members`);
}
