import type { Refusal } from '../../contract/app/updates.ts'

/** An update that isn't what the owner published. It is never used. */
export class UpdateRefused extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal) {
    super(`Update rejected: ${reason}`)
    this.reason = reason
  }
}
