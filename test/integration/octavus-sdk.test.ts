/** Our client with the real `@octavus/server-sdk`; calls and answers are counted at the platform. */
import { octavusBackend } from './octavus-backend.ts';
import { describeAnswers } from './suites/answer-suite.ts';
import { describeBrokenConnections } from './suites/broken-connection-suite.ts';
import { describeConversations } from './suites/conversation-suite.ts';
import { describeCuts } from './suites/cut-suite.ts';
import { describeInterruptions } from './suites/interruption-suite.ts';
import { describeRandomConversations } from './suites/random-suite.ts';

for (const carrier of ['http', 'ws'] as const) {
  describeConversations(octavusBackend(carrier));
  describeAnswers(octavusBackend(carrier));
  describeBrokenConnections(octavusBackend(carrier));
  describeInterruptions(octavusBackend(carrier));
  describeRandomConversations(octavusBackend(carrier));
  describeCuts(octavusBackend(carrier));
}
