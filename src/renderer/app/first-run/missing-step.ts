import { addressError, isCompleteKey, keyError } from '../accounts/key-field.ts'
import type { KeyCheckState } from './use-key-check.ts'

/**
 * Why an account can't be connected yet: the next thing that is missing. Null when it can. A button
 * that is off shows this sentence beside it.
 */
export function missingStep(given: {
  key: string
  baseUrl: string
  name: string
  check: KeyCheckState['state']
  /**
   * Whether the key can be stored: not known while the keychain is looked for; without a keychain,
   * the person has to agree to keep the key in memory.
   */
  storage: 'unknown' | 'agreement missing' | 'possible'
}): string | null {
  const { key, baseUrl, name, check, storage } = given
  if (key === '') return 'Enter the API key.'
  if (keyError(key) !== null) return 'This isn’t an API key of the service.'
  if (!isCompleteKey(key)) return 'The API key isn’t complete.'
  if (baseUrl === '') return 'Enter the service address.'
  if (addressError(baseUrl) !== null) return 'Correct the service address.'
  if (check === 'refused') return 'The key wasn’t accepted.'
  if (check !== 'accepted') return 'Checking the key…'
  if (name === '') return 'Enter a name.'
  if (storage === 'unknown') return 'Looking for this system’s keychain…'
  return storage === 'possible' ? null : 'Agree to keep the key in memory.'
}
