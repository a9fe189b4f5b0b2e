/**
 * Why a data folder could not be used. `locked`: another process uses it; `newer`: a newer version
 * of the program wrote it; `unreadable`: the folder or the file cannot be read, written or
 * understood.
 */
export type StoreFailure = 'locked' | 'newer' | 'unreadable'

/**
 * A data folder that cannot be opened; the message is one line meant for the person who started the
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
