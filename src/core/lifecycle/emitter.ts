/** Something that happens in one part and that others react to. */
export interface Emitter<Args extends readonly unknown[]> {
  /** Calls every listener, in the order of their registration. An error of one stops the others. */
  emit(...args: Args): void
  /** Registers a listener until `signal` aborts. */
  listen(listener: (...args: Args) => void, signal?: AbortSignal): void
}

/** Creates an emitter without listeners. */
export function createEmitter<Args extends readonly unknown[]>(): Emitter<Args> {
  const listeners = new Set<(...args: Args) => void>()
  return {
    emit(...args) {
      for (const listener of listeners) listener(...args)
    },
    listen(listener, signal) {
      if (signal?.aborted === true) return
      listeners.add(listener)
      signal?.addEventListener('abort', () => listeners.delete(listener), { once: true })
    },
  }
}
