/** A starved machine may need all of its time for one try, so that the time alone proves nothing. */
const LEAST_TRIES = 4

/**
 * Returns a function to call after each try that failed. It returns true if it is time to give up:
 * when `withinMs` has passed and enough tries were completed.
 */
export function createDeadline(withinMs: number): () => boolean {
  const end = performance.now() + withinMs
  let tries = 0
  return () => ++tries >= LEAST_TRIES && performance.now() > end
}
