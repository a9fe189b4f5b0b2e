import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { failure } from '../../failure.ts'
import { confirmPlainExport } from '../../vault/vault.ts'
import { lastFour } from '../../mask-key.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import type { OffersContext } from '../context.ts'
import { withdrawnKeyRecord } from '../schema.ts'
import { requireWithdrawal, withdrawalStore } from './withdrawal-store.ts'
import type { WithdrawalStore } from './withdrawal-store.ts'
import { releaseWithdrawn, withdrawnValues } from './withdrawn-values.ts'
import type { WithdrawnValue } from './withdrawn-values.ts'
import { localEntry } from '../../local-entry.ts'

type Inputs = InferContractRouterInputs<Contract['offers']['withdrawals']>
type Outputs = InferContractRouterOutputs<Contract['offers']['withdrawals']>

/** Access to withdrawn keys in the vault: masked, revealed, exported, or returned to their offer. */
export function createWithdrawnKeys(
  context: OffersContext,
  sessionOf: (accountId: string) => OfferSession,
) {
  const storeOf = (accountId: string): WithdrawalStore =>
    withdrawalStore(sessionOf(accountId).store.db)
  const note = (accountId: string, what: Localized, detail: Localized): void =>
    context.activity.add(
      localEntry({
        accountId,
        what,
        detail,
      }),
    )

  return {
    /** The saved keys in plain text, for a feature that returns them to their offer. */
    values: (accountId: string, withdrawalId: string): Generator<WithdrawnValue, void, void> =>
      withdrawnValues(context.vault, sessionOf(accountId).store.db, accountId, withdrawalId),
    /**
     * Finds a withdrawn key in the vault by its fingerprint and returns it masked; null if no
     * withdrawal has it. Throws Failure `VAULT_LOCKED`.
     */
    holding(
      accountId: string,
      fingerprint: Buffer,
    ): { withdrawalId: string; position: number; masked: string; last4: string | null } | null {
      const found = storeOf(accountId).holding(fingerprint)
      if (found === undefined) return null
      const { sealed, ...held } = found
      return {
        ...held,
        last4: lastFour(
          context.vault
            .open(accountId, withdrawnKeyRecord(held.withdrawalId, held.position), sealed)
            .toString(),
        ),
      }
    },
    /** Deletes keys from the vault that are on their offer again. */
    release: (accountId: string, withdrawalId: string, positions: readonly number[]): void =>
      releaseWithdrawn(sessionOf(accountId).store.db, withdrawalId, positions),
    keys({ accountId, withdrawalId, offset = 0, limit = 100 }: Inputs['keys']): Outputs['keys'] {
      requireWithdrawal(storeOf(accountId), withdrawalId)
      const store = storeOf(accountId)
      return { total: store.kept(withdrawalId), keys: store.keys(withdrawalId, offset, limit) }
    },
    reveal({ accountId, withdrawalId, position }: Inputs['reveal']): Outputs['reveal'] {
      const sealed = storeOf(accountId).sealed(withdrawalId, position)
      if (sealed === undefined)
        throw failure(
          'NOT_FOUND',
          'This key isn’t stored on this computer.',
          'Check the withdrawal.',
        )
      context.vault.assertUnlocked()
      const value = context.vault
        .open(accountId, withdrawnKeyRecord(withdrawalId, position), sealed)
        .toString()
      note(
        accountId,
        localized('offers.withdrawn-key-revealed'),
        localized('offers.withdrawn-key', {
          number: position + 1,
          offer: requireWithdrawal(storeOf(accountId), withdrawalId).name,
        }),
      )
      return { value }
    },
    export({ accountId, withdrawalId, typed }: Inputs['export']): Outputs['export'] {
      confirmPlainExport(typed)
      const { name, offerId } = requireWithdrawal(storeOf(accountId), withdrawalId)
      const store = storeOf(accountId)
      context.vault.assertUnlocked()
      const total = store.kept(withdrawalId)
      // Keys that are on their offer again leave gaps between the positions of the others.
      const values = [
        ...withdrawnValues(context.vault, sessionOf(accountId).store.db, accountId, withdrawalId),
      ].map(({ value }) => value)
      note(
        accountId,
        localized('offers.withdrawn-keys-exported'),
        localized('offers.withdrawn-keys-plain', { keys: total, offer: name }),
      )
      return {
        fileName: `withdrawn-keys-${offerId}-${new Date(context.clock.now()).toISOString().slice(0, 10)}.txt`,
        base64: Buffer.from(`${values.join('\n')}\n`).toString('base64'),
      }
    },
  }
}
