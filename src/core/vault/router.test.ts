import { createRouterClient } from '@orpc/server'
import { expect, test } from 'vitest'
import type { SecretInventory, VaultState } from '../../contract/app/vault.ts'
import { failure } from '../failure.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { createSecondProofRouter, createVaultRouter } from './router.ts'
import type { VaultService } from './router.ts'
import type { SecondProof } from './protection/second-proof.ts'

const state: VaultState = {
  state: 'open',
  kept: 'passphrase',
  entries: 3,
  openedAt: 5,
  rekeying: false,
  lockedBy: null,
}
const inventory: SecretInventory = {
  keychain: { available: true, name: 'Test keychain', reason: null },
  dataFolder: '/data',
  accounts: [],
  vaultEntry: null,
  files: [],
  sandboxKey: false,
}
const opened = { exportId: 'e', exportedAt: 5, entries: [] }
const proofState = { method: 'security-passphrase', canSet: true, setAt: 5 } as const
const strong = 'quartz lantern meadow violin'
const weak = 'weak passphrase'
const base64 = Buffer.from('a file').toString('base64')

/** The routers over a vault that only records its calls. */
function start() {
  const calls: unknown[][] = []
  const returns =
    <Result>(name: string, result: Result) =>
    (...given: unknown[]): Result => {
      calls.push([name, ...given])
      return result
    }
  const later = <Result>(name: string, result: Result) => returns(name, Promise.resolve(result))
  const passphrases = {
    async requireStrong(passphrase: string) {
      if (passphrase === weak) throw failure('WEAK_PASSPHRASE', 'Too easy.', 'Choose another.')
    },
  }
  const vault = {
    state: returns('state', state),
    choosePassphrase: later('choosePassphrase', state),
    unlock: later('unlock', state),
    lock: returns('lock', state),
    unlockWithKeychain: later('unlockWithKeychain', state),
    rekey: later('rekey', state),
    changeProtection: later('changeProtection', state),
    recoveryCopy: later('recoveryCopy', Buffer.from('a copy')),
    recover: later('recover', state),
  }
  const service = {
    vault,
    exports: {
      plain: returns('plain', { fileName: 'keys.csv', base64 }),
      sealed: later('sealed', { fileName: 'keys.keydesk', base64 }),
      open: later('open', opened),
      reveal: returns('reveal', { value: 'KEY' }),
      close: returns('close', undefined),
    },
    clipboard: { copy: later('copy', { clearsAfterMs: 30_000 }) },
    reportUse: () => void calls.push(['reportUse']),
    listSecrets: () => later('listSecrets', inventory)(),
    removeCopies: () => void calls.push(['removeCopies']),
    passphrases,
  } as unknown as VaultService
  const secondProof = {
    state: returns('proofState', proofState),
    prove: later('prove', undefined),
    setPassphrase: later('setPassphrase', proofState),
    removePassphrase: returns('removePassphrase', proofState),
  } as unknown as SecondProof
  return {
    calls,
    api: createRouterClient(createVaultRouter(service)),
    proofs: createRouterClient(createSecondProofRouter(secondProof, service.passphrases)),
  }
}

test('passes each request to the vault, with files as bytes', async () => {
  const { api, calls } = start()
  const file = Buffer.from('a file')
  expect(await api.state()).toEqual(state)
  expect(await api.choosePassphrase({ passphrase: strong })).toEqual(state)
  expect(await api.unlock({ passphrase: weak })).toEqual(state)
  expect(await api.lock()).toEqual(state)
  expect(await api.unlockWithKeychain()).toEqual(state)
  await api.reportUse()
  expect(await api.rekey({ passphrase: null })).toEqual(state)
  expect(await api.recoveryCopy({ passphrase: null, wrapWith: strong })).toEqual({
    fileName: 'Keydesk recovery copy.json',
    base64: Buffer.from('a copy').toString('base64'),
  })
  expect(await api.recover({ base64, passphrase: weak, newPassphrase: null })).toEqual(state)
  expect(await api.openExport({ base64, passphrase: weak })).toEqual(opened)
  expect(await api.revealExported({ exportId: 'e', index: 0 })).toEqual({ value: 'KEY' })
  await api.closeExport()
  expect(await api.secretInventory()).toEqual(inventory)
  await api.removeCopies()
  expect(await api.copy({ value: 'KEY' })).toEqual({ clearsAfterMs: 30_000 })
  expect(calls).toEqual([
    ['state'],
    ['choosePassphrase', strong],
    ['unlock', weak],
    ['lock'],
    ['unlockWithKeychain'],
    ['reportUse'],
    ['rekey', null],
    ['recoveryCopy', null, strong],
    ['recover', file, weak, null],
    ['open', file, weak],
    ['reveal', 'e', 0],
    ['close'],
    ['listSecrets'],
    ['removeCopies'],
    ['copy', 'KEY'],
  ])
})

test('exports the keys of one account or of all, encrypted or not', async () => {
  const { api, calls } = start()
  const accountId = 'account-1'
  await api.export({ form: 'sealed', passphrase: strong, accountId })
  expect(await api.export({ form: 'plain', typed: 'typed', accountId })).toMatchObject({
    fileName: 'keys.csv',
  })
  await api.export({ form: 'plain', typed: 'typed' })
  expect(calls).toEqual([
    ['sealed', strong, accountId],
    ['plain', 'typed', accountId],
    ['plain', 'typed', null],
  ])
})

test('changes the protection to the keychain or to a strong passphrase', async () => {
  const { api, calls } = start()
  const chosen = { kept: 'passphrase', passphrase: strong } as const
  await api.changeProtection({ passphrase: weak, as: { kept: 'keychain' } })
  await api.changeProtection({ passphrase: null, as: chosen })
  await api.recover({ base64, passphrase: weak, newPassphrase: strong })
  expect(calls).toEqual([
    ['changeProtection', weak, { kept: 'keychain' }],
    ['changeProtection', null, chosen],
    ['recover', Buffer.from('a file'), weak, strong],
  ])
})

type Started = ReturnType<typeof start>
test.each<[string, (started: Started) => Promise<unknown>]>([
  ['the vault', ({ api }) => api.choosePassphrase({ passphrase: weak })],
  [
    'a changed protection',
    ({ api }) =>
      api.changeProtection({ passphrase: null, as: { kept: 'passphrase', passphrase: weak } }),
  ],
  ['a recovery copy', ({ api }) => api.recoveryCopy({ passphrase: null, wrapWith: weak })],
  [
    'a recovered vault',
    ({ api }) => api.recover({ base64, passphrase: strong, newPassphrase: weak }),
  ],
  ['an export', ({ api }) => api.export({ form: 'sealed', passphrase: weak })],
  ['the second proof', ({ proofs }) => proofs.setPassphrase({ passphrase: weak })],
])('rejects a weak passphrase for %s, and does nothing', async (_what, work) => {
  const started = start()
  expect(await problemOfFailure(work(started))).toMatchObject({ code: 'WEAK_PASSPHRASE' })
  expect(started.calls).toEqual([])
})

test('passes each request to the second proof', async () => {
  const { proofs, calls } = start()
  expect(await proofs.state()).toEqual(proofState)
  await proofs.prove({ challenge: 'c', passphrase: weak })
  expect(await proofs.setPassphrase({ passphrase: strong })).toEqual(proofState)
  expect(await proofs.removePassphrase()).toEqual(proofState)
  expect(calls).toEqual([
    ['proofState'],
    ['prove', 'c', weak],
    ['setPassphrase', strong],
    ['removePassphrase'],
  ])
})
