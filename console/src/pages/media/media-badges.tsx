import { Badge, Group } from '@mantine/core';
import type { InventoryMedia } from '@steward/sdk';
import { useTranslation } from 'react-i18next';

type States = Pick<InventoryMedia, 'quarantined_by' | 'protected' | 'orphaned'>;

interface MediaBadgesProps {
  readonly media: States;
  /** Whether there is room for more than one line; no when unset. */
  readonly wrap?: boolean | undefined;
}

/** The states of a medium that are not the usual ones. */
export function MediaBadges({ media, wrap = false }: MediaBadgesProps) {
  const { t } = useTranslation('media');
  const { quarantined_by: by, protected: isProtected, orphaned } = media;
  return (
    <Group gap={4} wrap={wrap ? 'wrap' : 'nowrap'}>
      {by !== null && (
        <Badge variant="outline" tt="none" color="red">
          {t('quarantined')}
        </Badge>
      )}
      {isProtected && (
        <Badge variant="outline" tt="none" color="green">
          {t('protected')}
        </Badge>
      )}
      {orphaned === true && (
        <Badge variant="outline" tt="none" color="gray">
          {t('orphaned')}
        </Badge>
      )}
    </Group>
  );
}
