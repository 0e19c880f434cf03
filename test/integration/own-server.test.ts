/** Our client with our own server; calls and answers are counted at the agent. */
import { ownBackend } from './own-backend.ts';
import { describeAnswers } from './suites/answer-suite.ts';
import { describeBrokenConnections } from './suites/broken-connection-suite.ts';
import { describeConversations } from './suites/conversation-suite.ts';
import { describeCuts } from './suites/cut-suite.ts';
import { describeInterruptions } from './suites/interruption-suite.ts';
import { describeRandomConversations } from './suites/random-suite.ts';

for (const carrier of ['http', 'ws'] as const) {
  describeConversations(ownBackend(carrier));
  describeAnswers(ownBackend(carrier));
  describeBrokenConnections(ownBackend(carrier));
  describeInterruptions(ownBackend(carrier));
  describeRandomConversations(ownBackend(carrier));
  describeCuts(ownBackend(carrier));
}
