import { Box, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { withoutInvisible } from './input/clean-text.ts';

interface PageProps {
  readonly title: string;
  /** The title; the text when unset. */
  readonly heading?: ReactNode;
  /** What stands beside the title: buttons for the page as a whole. */
  readonly actions?: ReactNode;
  /** Whether the page is as high as the window, so that a table on it scrolls by itself. */
  readonly fill?: boolean;
  readonly children: ReactNode;
}

const APP = 'steward';

/** A page: its title, which the window and the history have too, and its content. */
export function Page({ title, heading = <bdi>{title}</bdi>, actions, fill = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${withoutInvisible(title)} · ${APP}`;
  }, [title]);
  return (
    <Box className={fill ? 'page page-fill' : 'page'}>
      <Group justify="space-between" align="center" gap="sm" mb="md">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {heading}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
