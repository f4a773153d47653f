import { type Actor, path, type World } from '@steward/testing';
import { expect } from 'vitest';

/** A new user with roles. */
export async function userWithRoles(world: World, ...roles: readonly string[]): Promise<Actor> {
  const user = await world.user(roles[0]);
  const given = await world.admin.put(path`/_service/admin/v1/users/${user.userId}/roles`, {
    body: { roles },
  });
  expect(given.status).toBe(200);
  return user;
}
