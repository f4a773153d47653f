/** What the part of the console named `access` says. */
export const messages = {} as const;
