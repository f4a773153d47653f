import { z } from 'zod';

/** The description of a setting, in addition to its schema. */
export interface Setting {
  /** The effect of the setting, for the reference; a sentence without its full stop. */
  readonly governs: string;
  /** The environment variable that sets it. */
  readonly env?: `STEWARD_${string}`;
  /** The value must not be shown. */
  readonly secret?: true;
}

/** Where the schemas of the sections register what their keys govern. */
export const settings = z.registry<Setting>();
