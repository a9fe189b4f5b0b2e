import { expect, test } from 'vitest'
import { missingStep } from './missing-step.ts'

const complete = {
  key: 'svcs_abcdefghijklmnopqrstuvwx4f2c',
  baseUrl: 'https://api.example.com/v1',
  name: 'Shop',
  check: 'accepted' as const,
  storage: 'possible' as const,
}

test('names the next missing step, and none once an account can be connected', () => {
  const of = (part: Partial<Parameters<typeof missingStep>[0]>) =>
    missingStep({ ...complete, ...part })
  expect(of({})).toBeNull()
  expect(of({ key: '' })).toBe('Enter the API key.')
  expect(of({ key: 'hello' })).toBe('This isn’t an API key of the service.')
  expect(of({ key: 'svc_' })).toBe('The API key isn’t complete.')
  expect(of({ baseUrl: '' })).toBe('Enter the service address.')
  expect(of({ baseUrl: 'http://api.example.com' })).toBe('Correct the service address.')
  expect(of({ check: 'asking' })).toBe('Checking the key…')
  expect(of({ check: 'refused' })).toBe('The key wasn’t accepted.')
  expect(of({ name: '' })).toBe('Enter a name.')
  expect(of({ storage: 'unknown' })).toBe('Looking for this system’s keychain…')
  expect(of({ storage: 'agreement missing' })).toBe('Agree to keep the key in memory.')
})
