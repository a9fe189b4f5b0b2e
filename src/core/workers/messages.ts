/*
 * The protocol of all worker threads. The core asks numbered requests; the worker answers each with
 * one result or error, and may report progress before. The core can cancel a request, which the
 * worker still answers.
 */

/** Message from the core to a worker. */
export type ToWorker<Request> =
  | { id: number; request: Request }
  | { cancel: number }
  /** The core has handled a progress message that asked for confirmation. */
  | { confirm: number }

/** The answer to a request. */
export type Settled<Result> =
  | { id: number; result: Result }
  /** Structured cloning keeps the message and the name of an error, not its class. */
  | { id: number; error: Error }

/** Message from a worker to the core. */
export type FromWorker<Result, Progress> =
  /** The worker has loaded its modules, native ones included: now it can be terminated. */
  { loaded: true } | { id: number; progress: Progress; confirm: boolean } | Settled<Result>

/** The types of one worker's messages. */
export type WorkerCalls = { request: unknown; result: unknown; progress: unknown }
