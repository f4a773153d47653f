/**
 * An object whose other members are those of `base`; its getters are read at each access. `base` must not be of a class with
 * private members.
 */
export function withOverrides<T extends object>(base: T, members: Partial<T>): T {
  return Object.assign(Object.create(base) as T, members);
}
