/** Lets requests through between two pieces of work. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
