/**
 * What `work` gives, if it does within so many milliseconds; else rejects with an Error of these
 * words, and `work` goes on unheard.
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
