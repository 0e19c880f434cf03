/** Cuts the connection of a conversation at the server, so that a person can see how the page goes on. */
export function CutButtons({ session }: { readonly session: string }) {
  const cut = (query: string) => {
    // A server that is away cannot be cut off.
    fetch(`/api/cut?session=${session}${query}`, { method: 'POST' }).catch(() => {});
  };
  return (
    <div className="cut-buttons">
      <button type="button" className="button" data-look="small" onClick={() => cut('')}>
        Cut the connection
      </button>
      <button type="button" className="button" data-look="small" onClick={() => cut('&away')}>
        Cut for 4 seconds
      </button>
    </div>
  );
}
