import { ApiError, validationError } from '../api/errors.ts'
import { type Cents, formatEuros, subtractCents } from '../api/money.ts'
import type { Mode } from '../api/words.ts'
import type { Context } from './context.ts'
import { account, type Ledger, transfer } from './ledger.ts'
import type { PartnerRecord } from './ports/accounts.ts'
import { randomCode } from './test-units.ts'
import type { Credit } from './webhooks.ts'

export interface TopUps {
  /** A new reference for a bank transfer. */
  newReference(partnerId: string, mode: Mode): string
  /** The transfer arrived: credits the balance and writes the e-mail. REFERENCE_USED for one that arrived before. */
  arrive(
    partner: PartnerRecord,
    mode: Mode,
    amount: Cents,
    reference: string | undefined,
    at: number,
  ): { id: string; reference: string; amount: Cents; balance: Cents }
  /** Sets the test balance. */
  resetTest(partnerId: string, amount: Cents): Cents
}

/**
 * Prepaid balances (Partner API "What the service does"; dashboard interface). `credited` is told of each top-up, inside its
 * transaction.
 */
export function createTopUps({ store, clock, random }: Context, ledger: Ledger, credited: (credit: Credit, at: number) => void): TopUps {
  function issue(partnerId: string, mode: Mode, wanted: string | undefined): string {
    const reference = wanted ?? `KD-${randomCode(random, 4)}-${randomCode(random, 4)}-${randomCode(random, 4)}`
    store.accounts.insertReference({ reference, partnerId, mode, createdAt: clock.now(), usedAt: null })
    return reference
  }

  return {
    newReference: (partnerId, mode) => store.transaction(() => issue(partnerId, mode, undefined)),
    arrive: (partner, mode, amount, wanted, at) =>
      store.transaction(() => {
        const known = wanted === undefined ? undefined : store.accounts.reference(wanted)
        if (known && known.usedAt !== null) throw new ApiError('REFERENCE_USED')
        if (known && (known.partnerId !== partner.id || known.mode !== mode)) {
          throw validationError({ field: 'reference', message: 'belongs to another account or mode' })
        }
        const reference = known?.reference ?? issue(partner.id, mode, wanted)
        store.accounts.useReference(reference, at)
        const entry = ledger.post({
          ...{ mode, type: 'top_up', at, reference, partnerId: partner.id },
          postings: transfer(account.bank, account.partner(partner.id), amount),
        })
        if (partner.email !== null) {
          const text = `EUR ${formatEuros(amount)} arrived with the reference ${reference}. Your ${mode} balance is EUR ${formatEuros(entry.balanceAfter)}.`
          const subject = `Your balance was topped up by EUR ${formatEuros(amount)}`
          store.accounts.insertEmail({ partnerId: partner.id, to: partner.email, subject, text, at })
        }
        credited({ partnerId: partner.id, mode, amount, balance: entry.balanceAfter, reference, ledgerId: entry.id }, at)
        return { id: entry.id, reference, amount, balance: entry.balanceAfter }
      }),
    resetTest: (partnerId, amount) =>
      store.transaction(() => {
        const difference = subtractCents(amount, ledger.partnerBalance(partnerId, 'test'))
        const entry = ledger.post({
          ...{ mode: 'test', type: 'reset', at: clock.now(), partnerId },
          postings: transfer(account.bank, account.partner(partnerId), difference),
        })
        return entry.balanceAfter
      }),
  }
}
