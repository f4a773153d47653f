/** The paths that an update changes. */
export const pathsOf = (update: object): string[] =>
  Object.values(update).flatMap((fields) => Object.keys(fields ?? {}));

/** Whether two paths are equal, or one is inside the other. */
export const overlap = (a: string, b: string): boolean =>
  `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`);
