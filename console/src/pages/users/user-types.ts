/** The types of accounts that every server has; a server can be configured to have others. */
export const USER_TYPES = ['bot', 'support'];
