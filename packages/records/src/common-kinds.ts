import type { CollectionDeclaration, Doc } from '@steward/store';
import { inner, whole } from './field.ts';
import { type RecordKind, recordKind } from './record-kind.ts';

/** The fields of every aggregate but its own. */
export const ofAggregate = {
  version: whole('How often it was changed, with its creation.'),
} as const;

/** Work that the last changes of an aggregate have still to do. The maker of records leaves it out. */
export const stillToDo = <V>() => ({
  ...inner<V>('Work that its last changes have still to do; only what a server exported has it.'),
  isOptional: true,
  omitsEmpty: true as const,
});

/** What a service has counted in an hour. */
interface HourCounts extends Doc {
  readonly writers: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The kind of records with what a service has counted for the statistics. */
export function hourCountsKind(service: string, collection: CollectionDeclaration<HourCounts>): RecordKind {
  return recordKind<HourCounts>({
    name: `${service}_counts`,
    about: `What the ${service} service has counted in an hour, for the statistics.`,
    collection,
    key: ['hour', 'The hour: its number since the Unix epoch.'],
    fields: { writers: inner('What each writer has counted, by name.') },
    merge({ writers }, other) {
      const missing = Object.entries(other.writers).filter(([name]) => !Object.hasOwn(writers, name));
      if (missing.length === 0) return undefined;
      return Object.fromEntries(missing.map(([name, counted]) => [`writers.${name}`, counted]));
    },
  });
}
