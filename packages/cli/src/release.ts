import manifest from '../package.json' with { type: 'json' };

/** The release of the command line. */
export const RELEASE: string = manifest.version;
