/** Yields to the event loop between two pieces of work, so that requests are processed. */
export function yieldToRequests(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
