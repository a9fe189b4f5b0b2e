import type { DemoKeys } from './domain/access/demo-keys.ts'

/** The information that the service prints for the program that started it, in one line. */
export type Ready = {
  readonly ready: true
  readonly baseUrl: string
  readonly sellerUrl: string
  readonly dashboardUrl: string
  readonly dashboardToken: string
  readonly demo: DemoKeys | null
}

export type Sandbox = {
  readonly ready: Ready
  /** Responds to waiting and running requests, then closes everything; within 2 s. */
  stop(): Promise<void>
}
