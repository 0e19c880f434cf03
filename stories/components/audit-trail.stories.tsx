import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen } from 'storybook/test';
import { AuditTrail } from '../../src/components/policies/audit-trail.tsx';
import { createAuditTrail } from '../../src/core/policies/create-audit-trail.ts';
import { inColumn } from '../support/in-column.tsx';

async function answerThree() {
  const trail = createAuditTrail({ actor: 'Ada' });
  for (const [index, outcome] of (['submitted', 'declined', 'cancelled'] as const).entries()) {
    await trail.record({
      key: String(index),
      toolCallId: `call-${index}`,
      toolName: 'confirm-order',
      args: { action: 'Order a lamp', total: '€ 89' },
      outcome,
      requestedAt: new Date(`2026-01-05T10:0${index}:00Z`),
      settledAt: new Date(`2026-01-05T10:0${index}:09Z`),
      answeredBy: 'person',
    });
  }
  return trail;
}

const meta = {
  title: 'Components/AuditTrail',
  component: AuditTrail,
  decorators: [inColumn],
  tags: ['autodocs'],
  args: { trail: createAuditTrail(), limit: 2 },
  argTypes: { trail: { control: false }, labels: { control: 'object' } },
  loaders: [async () => ({ trail: await answerThree() })],
  render: (args, { loaded }) => <AuditTrail {...args} trail={loaded.trail ?? args.trail} />,
} satisfies Meta<typeof AuditTrail>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await expect(await screen.findAllByRole('listitem')).toHaveLength(2);
    await expect(screen.getByRole('button', { name: 'Show 1 more' })).toBeEnabled();
  },
};
