/** What the part of the console named `reports` says. */
export const messages = {} as const;
