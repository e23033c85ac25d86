import { Card, Center, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Logo } from '../../shell/logo.tsx';

/** One card in the middle of an empty page, before the sign-in. */
export function SignInFrame(props: { readonly title: string; readonly hint?: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${props.title} · Laurel`;
  }, [props.title]);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Card w="100%" maw={400} p="xl" shadow="sm">
        <Stack gap="lg">
          <Stack gap={8} align="center">
            <Logo size={44} />
            <Title order={1} fz="1.25rem" ta="center" mt={4}>
              {props.title}
            </Title>
            {props.hint !== undefined && (
              <Text size="sm" c="dimmed" ta="center">
                {props.hint}
              </Text>
            )}
          </Stack>
          {props.children}
        </Stack>
      </Card>
    </Center>
  );
}
