import { standardAgentsBackend } from '../integration/standard-agents-backend.ts';
import { describeAnswers } from '../integration/suites/answer-suite.ts';
import { describeBrokenConnections } from '../integration/suites/broken-connection-suite.ts';
import { describeCuts } from '../integration/suites/cut-suite.ts';
import { describeInterruptions } from '../integration/suites/interruption-suite.ts';

describeAnswers(standardAgentsBackend());
describeBrokenConnections(standardAgentsBackend());
describeInterruptions(standardAgentsBackend());
describeCuts(standardAgentsBackend());
