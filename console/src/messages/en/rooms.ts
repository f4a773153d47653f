/** What the part of the console named `rooms` says. */
export const messages = {} as const;
