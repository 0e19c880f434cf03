/** The rules that CommonGround applies to every command it publishes or receives. Written apart from the code under test. */

const HEADERS_OF_TOPOLOGY = [
  'CG-Recursion-Depth',
  'CG-Step-Id',
  'CG-Tool-Call-Id',
  'CG-Parent-Agent-Id',
  'CG-Parent-Turn-Id',
  'CG-Parent-Step-Id',
];

const CONTROL =
  /^(project|channel|agent|agent_turn|step|tool_call|trace|parent_agent|parent_agent_turn|parent_step)_id$/;
const CONTROL_WORDS = [
  'channel',
  'turn_epoch',
  'traceparent',
  'tracestate',
  'parent_traceparent',
  'recursion_depth',
];
const TOOL_KEYS = ['tool_call_card_id', 'tool_name', 'after_execution'];

export interface Message {
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Returns every rule that a message on `cmd.*` breaks. */
export function findViolations({ subject, headers, payload }: Message): readonly string[] {
  const [root, version, project, channel, category, component, , ...suffix] = subject.split('.');
  const keys = Object.keys(payload);
  const isWakeup = component === 'agent' && suffix.join('.') === 'wakeup';
  const broken: Readonly<Record<string, boolean>> = {
    'the subject has fewer than 8 tokens': suffix.length === 0,
    'the subject is not of v1r4': root !== 'cg' || version !== 'v1r4' || category !== 'cmd',
    'CG-Project-Id is not that of the subject': headers['CG-Project-Id'] !== project,
    'CG-Channel-Id is not that of the subject': headers['CG-Channel-Id'] !== channel,
    'CG-Agent-Id is missing': !headers['CG-Agent-Id'],
    'traceparent is missing or malformed': !isTraceparent(headers.traceparent),
    'CG-Timestamp is missing': !headers['CG-Timestamp'],
    'CG-Version is missing': headers['CG-Version'] !== 'v1r4',
    'CG-Msg-Type is missing': !headers['CG-Msg-Type'],
    'CG-Sender is missing': !headers['CG-Sender'],
    'the payload has a control field': keys.some((key) => CONTROL.test(key) || CONTROL_WORDS.includes(key)),
    'a wakeup has a header of topology': isWakeup && HEADERS_OF_TOPOLOGY.some((name) => name in headers),
    'CG-Tool-Call-Id is missing': !isWakeup && !headers['CG-Tool-Call-Id'],
    'CG-Recursion-Depth is missing': !isWakeup && !/^\d+$/.test(headers['CG-Recursion-Depth'] ?? ''),
    'the command has other keys': !isWakeup && keys.some((key) => !TOOL_KEYS.includes(key)),
  };
  return Object.keys(broken).filter((rule) => broken[rule]);
}

export function isTraceparent(text = ''): boolean {
  return /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(text);
}
