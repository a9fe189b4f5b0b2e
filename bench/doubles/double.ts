/** What a probe sees of a test double: its partner API, and the tester's controls if it has any. */

export type Product = { readonly id: string; readonly price: number }

/** The same four products in every double. */
export type Shelf = {
  /** Enough for all probes. */ readonly plenty: Product
  /** One unit of stock. */ readonly scarce: Product
  /** Costs more than the balance. */ readonly dear: Product
  /** Its deliveries fail. */ readonly broken: Product
}

/** The tester's side, which the partner API doesn't have. */
export type Controls = {
  /** Files a claim for a delivered key, and returns the status of the answer. */
  claim(orderId: string, keyId: string): Promise<number>
  advance(ms: number): Promise<void>
  /** Sends the first event again. */
  resend(): Promise<void>
}

export type RunningDouble = {
  /** Ends where the paths of the partner API begin. */
  readonly baseUrl: string
  readonly key: string
  readonly testKey: string
  readonly shelf: Shelf
  readonly controls: Controls | null
  /** Orders that its events are about, if those are fixed. */
  readonly announced: readonly string[]
  stop(): Promise<void>
}

/** The receiver of events. */
export type Receiver = {
  readonly url: string
  /** The secret of the events; a double that creates its own calls `useSecret`. */
  readonly secret: string
  useSecret(secret: string): void
}

export type Double = {
  readonly name: string
  /** How it was configured, in a sentence. */
  readonly how: string
  /**
   * Starts it in the state that the probes expect.
   *
   * @param folder for its files
   * @param document the OpenAPI document of the partner API
   */
  start(folder: string, document: string, receiver: Receiver | null): Promise<RunningDouble>
}
/** Makes a double ready to start; null if its packages can't be installed. */
export type Installer = (log: (text: string) => void) => Double | null

const priced = (id: string, price: number): Product => ({ id, price })

/** The products of doubles whose ids can be chosen. */
export const fixedShelf: Shelf = {
  plenty: priced('prd_plenty', 2.2),
  scarce: priced('prd_scarce', 2.2),
  dear: priced('prd_dear', 165),
  broken: priced('prd_broken', 2.2),
}
/** The balance to begin with. */
export const BALANCE = 100
export const fixedKeys = { key: 'svc_live_bench', testKey: 'svc_test_bench' } as const
