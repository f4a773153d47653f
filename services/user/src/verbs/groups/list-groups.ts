import type { ListGroupsRequest } from '@steward/proto/steward/user/v1/groups_pb.ts';
import type { Filter } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { type Group, groupNameKey } from '../../core/model/group.ts';
import { pageSize } from './page-size.ts';
import { toGroup } from './render-group.ts';

/** Returns a page of the groups. Their ids ascend with the time of creation. */
export async function listGroups(deps: Deps, request: ListGroupsRequest) {
  const { from, search, name, externalId, orderBy = 'name', dir } = request;
  const limit = pageSize(request.limit);
  const direction = dir === 'b' ? -1 : 1;
  const filters: Filter<Group>[] = [{ deleted: false }];
  if (search) filters.push({ $contains: { paths: ['name_key'], term: groupNameKey(search) } });
  if (name !== undefined) filters.push({ name_key: groupNameKey(name) });
  if (externalId !== undefined) filters.push({ external_id: externalId });
  const total = BigInt(await deps.groups.countDocuments({ $and: filters }));
  if (limit === 0) return { total };
  const key = orderBy === 'created_ts' ? '_id' : 'name_key';
  if (from !== undefined) filters.push({ [key]: direction > 0 ? { $gte: from } : { $lte: from } });
  // One more than the page, which shows whether another page follows, and where it starts.
  const found = await deps.groups
    .find({ $and: filters }, { sort: { [key]: direction }, limit: limit + 1 })
    .toArray();
  const next = found[limit]?.[key];
  return {
    groups: found.slice(0, limit).map((group) => toGroup(group)),
    ...(next === undefined ? {} : { nextToken: next }),
    total,
  };
}
