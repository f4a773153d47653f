import { Badge, Group } from '@mantine/core';
import type { InventoryMedia } from '@steward/sdk';
import { useTranslation } from 'react-i18next';

type States = Pick<InventoryMedia, 'quarantined_by' | 'protected' | 'orphaned'>;

interface MediaBadgesProps {
  readonly media: States;
  /** Whether all of it stands on one line, as in a table; no when unset. */
  readonly inline?: boolean | undefined;
}

/** The states of a medium that are not the usual ones. */
export function MediaBadges({ media, inline = false }: MediaBadgesProps) {
  const { t } = useTranslation('media');
  const size = inline ? 'sm' : 'md';
  const { quarantined_by: by, protected: isProtected, orphaned } = media;
  return (
    <Group gap={4} wrap={inline ? 'nowrap' : 'wrap'}>
      {by !== null && (
        <Badge size={size} variant="outline" tt="none" color="red">
          {t('quarantined')}
        </Badge>
      )}
      {isProtected && (
        <Badge size={size} variant="outline" tt="none" color="green">
          {t('protected')}
        </Badge>
      )}
      {orphaned === true && (
        <Badge size={size} variant="outline" tt="none" color="gray">
          {t('orphaned')}
        </Badge>
      )}
    </Group>
  );
}
