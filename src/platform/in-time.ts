/**
 * Resolves like `work` if it finishes within this many milliseconds. Otherwise rejects with an
 * Error of this message, and the result of `work` is ignored.
 */
export async function inTime<T>(work: Promise<T>, ms: number, words: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(words)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
