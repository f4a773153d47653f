import { List, SimpleGrid, Stack, Text } from '@mantine/core';
import { areasOf, useScopeWords } from './scope-words.ts';

/** Scopes by area, with what each permits. */
export function ScopeList({ scopes }: { readonly scopes: readonly string[] }) {
  const words = useScopeWords();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing="md">
      {areasOf(scopes).map(({ area, scopes: each }) => (
        <Stack key={area} gap={2}>
          <Text fw={600} size="sm">
            {words.ofArea(area)}
          </Text>
          <List size="sm" spacing={2}>
            {each.map((scope) => (
              <List.Item key={scope}>
                {words.of(scope)}{' '}
                <Text span size="xs" ff="monospace" c="dimmed">
                  {scope}
                </Text>
              </List.Item>
            ))}
          </List>
        </Stack>
      ))}
    </SimpleGrid>
  );
}
