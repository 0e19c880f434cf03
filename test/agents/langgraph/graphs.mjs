/** Graphs that ask a person, as LangGraph's and LangChain's documentation writes them. Each says at its end what it was answered. */
import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, interrupt, MessagesZodState, START, StateGraph } from '@langchain/langgraph';
import { createAgent, humanInTheLoopMiddleware } from 'langchain';
import { z } from 'zod';
import { ScriptedModel } from './scripted-model.mjs';

/** @param {unknown} answer */
const heard = (answer) => ({ messages: [new AIMessage(`Heard ${JSON.stringify(answer)}.`)] });

/**
 * A state with a schema of zod, because the server compiles the types of any other kind, which takes seconds.
 *
 * @param {() => unknown} ask
 */
const asking = (ask) =>
  new StateGraph(MessagesZodState)
    .addNode('ask', () => heard(ask()))
    .addEdge(START, 'ask')
    .addEdge('ask', END)
    .compile();

/** A question in words. */
export const name = asking(() => interrupt('What is your name?'));

/** A choice. */
export const size = asking(() => interrupt({ question: 'Which size?', options: ['S', 'L'] }));

/** A yes or a no to what is shown, as the tutorial "Approve or reject" has it. */
export const erase = asking(() => {
  const isApproved = interrupt({ text: 'Delete all files?', files: ['a.txt', 'b.txt'] });
  return isApproved ? 'deleted' : 'kept';
});

/** One question after the other. */
export const booking = asking(() => ({
  city: interrupt('Which city?'),
  day: interrupt({ question: 'Which day?', options: ['Monday', 'Friday'] }),
}));

/** Two questions at once, of two nodes that run beside each other. */
export const couple = new StateGraph(MessagesZodState)
  .addNode('first', () => heard({ first: interrupt('Who comes first?') }))
  .addNode('second', () => heard({ second: interrupt('Who comes second?') }))
  .addEdge(START, 'first')
  .addEdge(START, 'second')
  .addEdge('first', END)
  .addEdge('second', END)
  .compile();

const refund = tool(({ amount }) => `Paid ${amount}.`, {
  name: 'refund',
  description: 'Pays money back.',
  schema: z.object({ amount: z.number() }),
});
const mail = tool(({ to }) => `Sent to ${to}.`, {
  name: 'mail',
  description: 'Sends a mail.',
  schema: z.object({ to: z.string() }),
});

/** Says the results of its calls, behind two calls that a person reviews. */
const reviewedModel = new ScriptedModel((messages) => {
  const since = messages.slice(messages.findLastIndex((message) => message.type === 'human') + 1);
  const results = since.filter((message) => message.type === 'tool').map(({ content }) => content);
  if (results.length > 0) return { text: `Results: ${results.join(' ')}` };
  return {
    text: 'Let me see. ',
    calls: [
      { id: `refund-${messages.length}`, name: 'refund', args: { amount: 3 } },
      { id: `mail-${messages.length}`, name: 'mail', args: { to: 'ann@example.com' } },
    ],
  };
});

/** Every decision is allowed for `refund`, and a yes or a no for `mail`. */
export const review = createAgent({
  model: reviewedModel,
  tools: [refund, mail],
  middleware: [
    humanInTheLoopMiddleware({
      interruptOn: {
        refund: true,
        mail: { allowedDecisions: ['approve', 'reject'], description: 'May I send this mail?' },
      },
    }),
  ],
});
