import type { TFunction } from 'i18next';
import type { DeletionOptions } from './deletion-options.ts';

/** What a deletion with these options does, in sentences. */
export function deletionConsequences(t: TFunction<'rooms'>, options: DeletionOptions): readonly string[] {
  const { block, purge, forcePurge, move } = options;
  return [
    t('delete_effect_members'),
    purge ? t('delete_effect_purge') : t('delete_effect_kept'),
    ...(purge && forcePurge ? [t('delete_effect_force')] : []),
    block ? t('delete_effect_block') : t('delete_effect_no_block'),
    ...(move ? [t('delete_effect_move')] : []),
  ];
}
