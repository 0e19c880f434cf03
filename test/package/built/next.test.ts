import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createNextApp, run } from '../../support/create-app.ts';
import { readPage } from '../../support/read-docs.ts';

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

test('Next.js with cache components builds the app of docs/next.md, and prerenders a chat that is not under Suspense', async () => {
  const samples = readPage('docs/next.md').snippets.map(({ file = '', code }) => [file, code]);
  const app = await createNextApp({
    ...Object.fromEntries(samples),
    'app/layout.tsx': LAYOUT,
    'app/bare/page.tsx': PAGE,
    'app/bare/chat.tsx': CHAT,
    // A random number, or the time, in a component that is prerendered fails the build.
    'next.config.mjs': 'export default { cacheComponents: true };',
  });
  try {
    const routes = await run(app, 'next', 'build');
    expect(routes).toMatch(/○ \/\n/);
    expect(routes).toMatch(/○ \/bare\n/);
    expect(routes).toMatch(/◐ \/chat\/\[id\]\n/);
    expect(routes).toMatch(/ƒ \/new\n/);
  } finally {
    rmSync(app, { recursive: true, force: true });
  }
});
