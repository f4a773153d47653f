/** The path of the streams of links; see `proto/steward/rpc/v1/link.proto`. */
export const LINK_PATH = '/steward.rpc.v1/Link';

/**
 * How many bytes of answers may be on their way over a link, in bytes. HTTP/2's default, 64 KiB, is less than a few pages of
 * a list, and each further window costs a round trip.
 */
export const LINK_WINDOW_BYTES = 8 * 1024 * 1024;

/** How the other end refuses a caller without the internal credential. */
export const REFUSED_CREDENTIAL = 'The credential is missing or wrong';
