/**
 * Milliseconds since 1970 UTC as the machine tells them; the service's own time is this plus its
 * offset.
 */
export interface MachineClock {
  now(): number
}

/** New public ids. `next('ord')` gives `ord_…`; ids made later sort after ids made earlier. */
export interface Ids {
  next(prefix: string): string
}

/** Unpredictable bytes, for secrets. */
export interface Random {
  bytes(count: number): Uint8Array
}

/**
 * Where the service tells what a person running it should know. Never given a key, a token or a
 * body.
 */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Time on the service's clock: the machine's plus the persisted offset; never runs backwards. */
export interface Clock {
  now(): number
}
