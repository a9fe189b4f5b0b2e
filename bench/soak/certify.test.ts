import { expect, test } from 'vitest'
import soakCertify from './certify.ts'

test('the certificate finds planted bugs in at most three steps and passes correct handlers', async () => {
  const told: string[] = []
  const result = await soakCertify({
    rounds: 60,
    seed: Math.floor(Date.now() / 86_400_000),
    log: (text) => told.push(text),
    bugs: ['trusts-delivery-id', 'signs-parsed-json', 'remembers-before-verifying'],
  })
  expect(result, told.join('\n')).toMatchObject({ wrong: 0, found: 3, schedules: 180 })
}, 300_000)
