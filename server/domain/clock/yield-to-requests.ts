/** Yields to the event loop between two pieces of work, so that requests are answered. */
export function yieldToRequests(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
