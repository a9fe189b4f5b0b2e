import { implement, os as server } from '@orpc/server'
import type { ProcedureMeta } from '../../contract/base.ts'
import { contract } from '../../contract/index.ts'
import type { SecretInventory } from '../../contract/app/vault.ts'
import type { SecondProof } from './protection/second-proof.ts'
import type { Passphrases } from '../passphrases/passphrases.ts'
import type { createExports } from './exports/exports.ts'
import type { createSecretClipboard } from './protection/secret-clipboard.ts'
import type { VaultFeature } from './vault.ts'

export type VaultService = {
  vault: VaultFeature
  exports: ReturnType<typeof createExports>
  clipboard: ReturnType<typeof createSecretClipboard>
  reportUse: () => void
  listSecrets: () => Promise<SecretInventory>
  removeCopies: () => void
  passphrases: Passphrases
}

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')

/** Implements the vault contract. */
export function createVaultRouter({
  vault,
  exports,
  clipboard,
  reportUse: used,
  listSecrets,
  removeCopies,
  passphrases: { requireStrong },
}: VaultService) {
  const os = implement(contract.vault)
  return os.router({
    state: os.state.handler(() => vault.state()),
    choosePassphrase: os.choosePassphrase.handler(async ({ input }) => {
      await requireStrong(input.passphrase)
      return vault.choosePassphrase(input.passphrase)
    }),
    unlock: os.unlock.handler(({ input }) => vault.unlock(input.passphrase)),
    lock: os.lock.handler(() => vault.lock()),
    unlockWithKeychain: os.unlockWithKeychain.handler(() => vault.unlockWithKeychain()),
    reportUse: os.reportUse.handler(used),
    rekey: os.rekey.handler(({ input }) => vault.rekey(input.passphrase)),
    changeProtection: os.changeProtection.handler(async ({ input }) => {
      if (input.as.kept === 'passphrase') await requireStrong(input.as.passphrase)
      return vault.changeProtection(input.passphrase, input.as)
    }),
    recoveryCopy: os.recoveryCopy.handler(async ({ input }) => {
      await requireStrong(input.wrapWith)
      const copy = await vault.recoveryCopy(input.passphrase, input.wrapWith)
      return { fileName: 'Keydesk recovery copy.json', base64: copy.toString('base64') }
    }),
    recover: os.recover.handler(async ({ input }) => {
      if (input.newPassphrase !== null) await requireStrong(input.newPassphrase)
      return vault.recover(bytes(input.base64), input.passphrase, input.newPassphrase)
    }),
    export: os.export.handler(async ({ input }) => {
      if (input.form === 'plain') return exports.plain(input.typed, input.accountId)
      await requireStrong(input.passphrase)
      return exports.sealed(input.passphrase, input.accountId)
    }),
    openExport: os.openExport.handler(({ input }) =>
      exports.open(bytes(input.base64), input.passphrase),
    ),
    revealExported: os.revealExported.handler(({ input }) =>
      exports.reveal(input.exportId, input.index),
    ),
    closeExport: os.closeExport.handler(() => exports.close()),
    secretInventory: os.secretInventory.handler(listSecrets),
    removeCopies: os.removeCopies.handler(removeCopies),
    copy: os.copy.handler(({ input }) => clipboard.copy(input.value)),
  })
}

/** Implements the contract of the second proof. */
export function createSecondProofRouter(secondProof: SecondProof, passphrases: Passphrases) {
  const os = implement(contract.secondProof)
  return os.router({
    state: os.state.handler(() => secondProof.state()),
    prove: os.prove.handler(({ input }) => secondProof.prove(input.challenge, input.passphrase)),
    setPassphrase: os.setPassphrase.handler(async ({ input }) => {
      await passphrases.requireStrong(input.passphrase)
      return secondProof.setPassphrase(input.passphrase)
    }),
    removePassphrase: os.removePassphrase.handler(() => secondProof.removePassphrase()),
  })
}

/** Requires a second proof for every procedure that the contract marks with `proof`. */
export const requireSecondProof = (secondProof: SecondProof) =>
  server
    .$context<Record<never, never>>()
    .$meta<ProcedureMeta>({})
    .middleware(async ({ next, path, procedure }, input) => {
      const { proof: action } = procedure['~orpc'].meta
      if (action === undefined) return next()
      const { method } = secondProof.state()
      secondProof.require(action, path.join('.'), input)
      const result = await next()
      secondProof.reportUnproven(action, method)
      return result
    })
