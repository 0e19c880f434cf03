import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { Composer } from '../../src/components/composer/composer.tsx';
import { Transcript } from '../../src/components/transcript/transcript.tsx';
import { createAgentChat } from '../../src/core/chat/create-agent-chat.ts';
import { createFaults } from '../../src/devtools/create-faults.ts';
import { HandrailDevtools } from '../../src/devtools/ui/handrail-devtools.tsx';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { awaitingAnswers, call, request, start } from '../../test/support/scripted-events.ts';

/** A page whose agent asks for a yes, with the devtools at its foot. */
function Page({ initiallyOpen }: { initiallyOpen?: boolean | undefined }) {
  const [{ transport, faults, chat }] = useState(() => {
    const scripted = createScriptedTransport();
    const switches = createFaults();
    return {
      transport: scripted,
      faults: switches,
      chat: createAgentChat({
        id: 'story',
        transport: switches.wrap(scripted),
        clientTools: { 'place-order': 'interactive' },
      }),
    };
  });
  useEffect(() => {
    if (chat.getState().messages.length > 0) return;
    void chat.sendMessage('Two flat whites, please').catch(() => {});
    void transport.request(0).then((run) => {
      const args = { title: 'Place order', description: 'Two flat whites.', apiKey: 'k-4711' };
      run.send(start, request(call('call-1', 'place-order', args)), awaitingAnswers);
      run.end();
    });
  }, [chat, transport]);
  return (
    <AgentChatProvider chat={chat}>
      <div className="story-chat">
        <Transcript>
          <ClientToolDialogs mode="inline" />
        </Transcript>
        <Composer />
      </div>
      <HandrailDevtools chat={chat} faults={faults} initiallyOpen={initiallyOpen} />
    </AgentChatProvider>
  );
}

const meta = {
  title: 'Components/HandrailDevtools',
  component: HandrailDevtools,
  tags: ['autodocs'],
  argTypes: { chat: { control: false }, faults: { control: false } },
  args: { chat: undefined as never, initiallyOpen: true },
  render: ({ initiallyOpen }) => <Page initiallyOpen={initiallyOpen} />,
} satisfies Meta<typeof HandrailDevtools>;
export default meta;

/** The panel is in a shadow root, which queries of the page do not enter. */
async function findPanel() {
  return waitFor(() => {
    const root = document.querySelector('[data-handrail-devtools]')?.shadowRoot;
    const content = root?.querySelector('div');
    if (!content) throw new Error('The devtools are not there yet.');
    return within(content);
  });
}

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    const panel = await findPanel();
    const steps = await panel.findByRole('region', { name: 'Steps' });
    await within(steps).findByText('turn-waiting');
    await userEvent.selectOptions(panel.getByRole('combobox', { name: 'Show' }), 'calls');
    await waitFor(() => expect(within(steps).queryByText('turn-waiting')).toBeNull());

    panel.getByRole('button', { name: 'Calls' }).focus();
    await userEvent.keyboard('{Enter}');
    const calls = panel.getByRole('region', { name: 'Calls' });
    await expect(within(calls).getByText(/announced → waiting/)).toBeVisible();
    await expect(calls).not.toHaveTextContent('k-4711');
  },
};

export const Closed: StoryObj<typeof meta> = {
  args: { initiallyOpen: false },
  play: async () => {
    const panel = await findPanel();
    const toggle = panel.getByRole('button', { name: 'handrail devtools' });
    toggle.focus();
    await userEvent.keyboard('{Enter}');
    const close = await panel.findByRole('button', { name: 'Close' });
    close.focus();
    await userEvent.keyboard('{Enter}');
    const root = document.querySelector('[data-handrail-devtools]')?.shadowRoot;
    await waitFor(() => expect(root?.activeElement).toHaveTextContent('handrail devtools'));
  },
};

export const Faults: StoryObj<typeof meta> = {
  play: async () => {
    const panel = await findPanel();
    panel.getByRole('button', { name: 'Faults' }).focus();
    await userEvent.keyboard('{Enter}');
    panel.getByRole('checkbox', { name: 'Drop requests' }).focus();
    await userEvent.keyboard(' ');
    await expect(panel.getByRole('checkbox', { name: 'Drop requests' })).toBeChecked();
    await expect(panel.getByRole('spinbutton', { name: 'Delay events (ms)' })).toHaveValue(0);
  },
};
