/** The type of a login with a password, and of the stage of authentication that requires it. */
export const PASSWORD_STAGE = 'm.login.password';
