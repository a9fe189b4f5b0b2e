import type { DisputeReason } from '../../../contract/disputes/dispute-records.ts'

/** The labels of a dispute's reasons. */
export const reasonWords: Readonly<Record<DisputeReason, string>> = {
  used: 'Key already used',
  invalid: 'Invalid key',
  region: 'Wrong region',
  edition: 'Wrong edition',
  login: 'Sign-in fails',
  expired: 'Link expired',
  missing: 'Nothing received',
  other: 'Something else',
}
/** The label of a reason; null: its text wasn't read yet. */
export const reasonWord = (reason: DisputeReason | null): string =>
  reason === null ? 'Not read yet' : reasonWords[reason]
