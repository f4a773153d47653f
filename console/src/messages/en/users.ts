/** What the part of the console named `users` says. */
export const messages = {} as const;
