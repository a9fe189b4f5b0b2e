import { ApiError, validationError } from '../../api/errors.ts'
import { type Cents, formatEuros, subtractCents } from '../../api/money.ts'
import type { Mode } from '../../api/schemas/enums.ts'
import type { Context } from '../context.ts'
import { account, type Ledger, transfer } from './ledger.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { PartnerRecord } from '../ports/accounts.ts'
import type { Mail } from '../ports/post.ts'
import { randomCode } from '../delivery/test-units.ts'
import type { Credit } from '../webhooks/webhooks.ts'

export interface TopUps {
  /** A new reference for a bank transfer. */
  newReference(partnerId: string, mode: Mode): string
  /**
   * Credits an incoming transfer and writes the e-mail. REFERENCE_USED when a transfer with this
   * reference has arrived before.
   */
  credit(
    partner: PartnerRecord,
    mode: Mode,
    amount: Cents,
    reference: string | undefined,
    at: number,
  ): { id: string; reference: string; amount: Cents; balance: Cents }
  /** Sets the test balance. */
  resetTest(partnerId: string, amount: Cents): Cents
}

/** Callbacks for a credited top-up. */
export interface TopUpListeners {
  /** Called inside the transaction that credits it. */
  credited(credit: Credit, at: number): void
  /** Called after that transaction, with the e-mail it wrote. */
  mailed(mail: Mail): void
}

/** Prepaid balances (Partner API "What the service does"; dashboard interface). */
export function createTopUps(
  { store, clock, random }: Context,
  ledger: Ledger,
  { credited, mailed }: TopUpListeners,
): TopUps {
  function issue(partnerId: string, mode: Mode, wanted: string | undefined): string {
    const reference =
      wanted ?? `KD-${randomCode(random, 4)}-${randomCode(random, 4)}-${randomCode(random, 4)}`
    store.accounts.insertReference({
      reference,
      partnerId,
      mode,
      createdAt: clock.now(),
      usedAt: null,
    })
    return reference
  }

  return {
    newReference: (partnerId, mode) => store.transaction(() => issue(partnerId, mode, undefined)),
    credit(partner, mode, amount, wanted, at) {
      const { mail, ...topUp } = store.transaction(() => {
        const known = wanted === undefined ? undefined : store.accounts.reference(wanted)
        if (known && known.usedAt !== null) throw new ApiError('REFERENCE_USED')
        if (known && (known.partnerId !== partner.id || known.mode !== mode)) {
          throw validationError({
            field: 'reference',
            message: 'belongs to another account or mode',
          })
        }
        const reference = known?.reference ?? issue(partner.id, mode, wanted)
        store.accounts.useReference(reference, at)
        reachCrashPoint('topup.used')
        const entry = ledger.post({
          mode,
          type: 'top_up',
          at,
          reference,
          partnerId: partner.id,
          postings: transfer(account.bank, account.partner(partner.id), amount),
        })
        reachCrashPoint('topup.credited')
        const balance = entry.balanceAfter
        const confirmation =
          partner.email === null ? null : mailOf(partner.email, mode, amount, reference, balance)
        if (confirmation !== null)
          store.accounts.insertEmail({ partnerId: partner.id, ...confirmation, at })
        credited(
          { partnerId: partner.id, mode, amount, balance, reference, ledgerId: entry.id },
          at,
        )
        return { id: entry.id, reference, amount, balance, mail: confirmation }
      })
      reachCrashPoint('topup.committed')
      if (mail !== null) mailed(mail)
      return topUp
    },
    resetTest: (partnerId, amount) =>
      store.transaction(() => {
        const difference = subtractCents(amount, ledger.partnerBalance(partnerId, 'test'))
        const entry = ledger.post({
          mode: 'test',
          type: 'reset',
          at: clock.now(),
          partnerId,
          postings: transfer(account.bank, account.partner(partnerId), difference),
        })
        return entry.balanceAfter
      }),
  }
}

function mailOf(to: string, mode: Mode, amount: Cents, reference: string, balance: Cents): Mail {
  return {
    to,
    subject: `Your balance was topped up by EUR ${formatEuros(amount)}`,
    text:
      `EUR ${formatEuros(amount)} arrived with the reference ${reference}. ` +
      `Your ${mode} balance is EUR ${formatEuros(balance)}.`,
  }
}
