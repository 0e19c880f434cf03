/** Does what `ReadableStream.from` does, which the DOM types of TypeScript do not know. A reader that leaves ends the generator. */
export function toStream<Value>(values: AsyncGenerator<Value>): ReadableStream<Value> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await values.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await values.return(undefined);
    },
  });
}
