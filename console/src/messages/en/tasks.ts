/** What the part of the console named `tasks` says. */
export const messages = {} as const;
