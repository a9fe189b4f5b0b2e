/**
 * The computer's time in milliseconds since 1970 UTC. The service's own time is this plus its
 * offset.
 */
export interface MachineClock {
  now(): number
}

/** New public ids. `next('ord')` returns `ord_…`. Ids made later sort after ids made earlier. */
export interface Ids {
  next(prefix: string): string
}

/** Unpredictable bytes, for secrets. */
export interface Random {
  bytes(count: number): Uint8Array
}

/** The service's log for its operator. Never receives a key, a token or a body. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/**
 * Time on the service's clock: the computer's time plus the stored offset. Never runs backwards.
 */
export interface Clock {
  now(): number
}
