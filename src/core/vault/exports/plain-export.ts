import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { failure } from '../../failure.ts'

/**
 * Checks the text that a person typed before keys are exported unencrypted.
 *
 * @throws Failure INVALID_INPUT if it isn't {@link PLAIN_EXPORT_PHRASE}
 */
export function confirmPlainExport(typed: string): void {
  if (typed.trim() !== PLAIN_EXPORT_PHRASE)
    throw failure(
      'INVALID_INPUT',
      'The confirmation text doesn’t match.',
      `Type “${PLAIN_EXPORT_PHRASE}”.`,
      { effect: 'Nothing was exported.' },
    )
}
