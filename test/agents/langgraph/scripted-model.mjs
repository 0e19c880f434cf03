/** A chat model of LangChain that streams what a script says to the messages before it. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';

/**
 * @typedef {object} Reply
 * @property {string} [text]
 * @property {readonly { readonly id: string, readonly name: string, readonly args: object }[]} [calls]
 */

export class ScriptedModel extends BaseChatModel {
  /** @param {(messages: readonly import('@langchain/core/messages').BaseMessage[]) => Reply} say */
  constructor(say) {
    super({});
    this.say = say;
  }

  _llmType() {
    return 'scripted';
  }

  /** The script knows its tools. */
  bindTools() {
    return this;
  }

  /** @param {import('@langchain/core/messages').BaseMessage[]} messages */
  async _generate(messages) {
    const { text = '', calls = [] } = this.say(messages);
    const message = new AIMessage({ content: text, tool_calls: calls.map((call) => ({ ...call })) });
    return { generations: [{ text, message }] };
  }

  /**
   * @param {import('@langchain/core/messages').BaseMessage[]} messages
   * @param {this['ParsedCallOptions']} _options
   * @param {import('@langchain/core/callbacks/manager').CallbackManagerForLLMRun} [run]
   */
  async *_streamResponseChunks(messages, _options, run) {
    const { text = '', calls = [] } = this.say(messages);
    for (const piece of text.match(/.{1,8}/gs) ?? []) {
      const chunk = new ChatGenerationChunk({ text: piece, message: new AIMessageChunk({ content: piece }) });
      yield chunk;
      await run?.handleLLMNewToken(piece, undefined, undefined, undefined, undefined, { chunk });
    }
    for (const [index, { id, name, args }] of calls.entries()) {
      const json = JSON.stringify(args);
      const pieces = [
        { index, id, name, args: '' },
        { index, args: json.slice(0, 4) },
        { index, args: json.slice(4) },
      ];
      for (const piece of pieces) {
        const message = new AIMessageChunk({
          content: '',
          tool_call_chunks: [{ ...piece, type: 'tool_call_chunk' }],
        });
        const chunk = new ChatGenerationChunk({ text: '', message });
        yield chunk;
        await run?.handleLLMNewToken('', undefined, undefined, undefined, undefined, { chunk });
      }
    }
  }
}
