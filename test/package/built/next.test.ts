import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createNextApp, run } from '../../support/create-app.ts';

const LAYOUT = `
  import type { ReactNode } from 'react';
  import 'handrail/styles.css';

  export default function Layout({ children }: { children: ReactNode }) {
    return <html lang="en"><body>{children}</body></html>;
  }
`;
const PAGE = `
  import { Chat } from './chat';

  export default function Page() {
    return <Chat />;
  }
`;
const CHAT = `
  'use client';
  import { AgentChatProvider, createHttpTransport, useAgentChat } from 'handrail';
  import { ClientToolDialogs, Composer, Transcript } from 'handrail/components';

  const transport = createHttpTransport({ url: '/api/agent' });

  export function Chat() {
    const chat = useAgentChat({ transport, clientTools: { order: 'interactive' } });
    return (
      <AgentChatProvider chat={chat}>
        <Transcript />
        <Composer />
        <ClientToolDialogs />
      </AgentChatProvider>
    );
  }
`;

test('an app of Next.js with cache components prerenders a chat that is not under Suspense', async () => {
  const app = await createNextApp({
    'app/layout.tsx': LAYOUT,
    'app/page.tsx': PAGE,
    'app/chat.tsx': CHAT,
    // A random number, or the time, in a component that is prerendered fails the build.
    'next.config.mjs': 'export default { cacheComponents: true };',
  });
  try {
    expect(await run(app, 'next', 'build')).toMatch(/○ \/\n/);
  } finally {
    rmSync(app, { recursive: true, force: true });
  }
});
