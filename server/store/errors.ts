/**
 * Why a data folder could not be used. `locked`: another process uses it. `newer`: a newer version
 * of the program wrote it. `unreadable`: the folder or its files can't be read, written or parsed.
 */
export type StoreFailure = 'locked' | 'newer' | 'unreadable'

/**
 * A data folder that can't be opened. The message is one line for the person who started the
 * program.
 */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
  readonly failure: StoreFailure

  constructor(failure: StoreFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}
