/** How long nothing answers after a cut with `away`, as on the playground's server. Milliseconds. */
const AWAY_MS = 4000;

/** Breaks responses off, as a lost network does. */
export interface PageCuts {
  /** Returns the response with a body that a cut breaks off. */
  watch(response: Response): Response;
  cut(isAway: boolean): void;
  /** @throws TypeError while the server is away */
  refuseWhileAway(): void;
}

export function createPageCuts(): PageCuts {
  const open = new Set<TransformStreamDefaultController<Uint8Array>>();
  let awayUntil = 0;
  return {
    watch(response) {
      if (response.body === null) return response;
      let own: TransformStreamDefaultController<Uint8Array> | undefined;
      const body = new TransformStream<Uint8Array, Uint8Array>({
        start(controller) {
          own = controller;
          open.add(controller);
        },
        flush: () => void (own && open.delete(own)),
      });
      return new Response(response.body.pipeThrough(body), response);
    },
    cut(isAway) {
      if (isAway) awayUntil = Date.now() + AWAY_MS;
      for (const controller of open) controller.error(new TypeError('The connection was cut.'));
      open.clear();
    },
    refuseWhileAway() {
      if (Date.now() < awayUntil) throw new TypeError('The agent server is away.');
    },
  };
}
