import type { Refusal } from '../../contract/app/updates.ts'

/** An update that the owner didn't publish. It is never used. */
export class UpdateRefused extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal) {
    super(`Update rejected: ${reason}`)
    this.reason = reason
  }
}
