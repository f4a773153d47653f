import { Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** An id, with a button that copies it. Ids may contain letters of any direction. */
export function IdText({ id }: { readonly id: string }) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex" maw="100%">
      <Text span ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{id}</bdi>
      </Text>
      <CopyButton text={id} />
    </Group>
  );
}
