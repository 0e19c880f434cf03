/** Reads the values as fast as the reader does. A reader that leaves ends the generator. Node 20 has no type for `ReadableStream.from`. */
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
