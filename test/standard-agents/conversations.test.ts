/** Conversations with the embedded runtime and the kit, over HTTP and real sockets. The fault run plays more of them. */
import { standardAgentsBackend } from '../integration/standard-agents-backend.ts';
import { describeBrokenConnections } from '../integration/suites/broken-connection-suite.ts';
import { describeCuts } from '../integration/suites/cut-suite.ts';

describeBrokenConnections(standardAgentsBackend());
describeCuts(standardAgentsBackend());
