import { useLocation } from 'wouter'
import type { Claim } from '../../../../contract/claims.ts'
import type { StoredKey } from '../../../../contract/order-records.ts'
import { copySecret } from '../../../lib/clipboard.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { useReveal } from '../../../ui/data-display/identity/masked-key.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { useHandedOver, useHandedWarning } from './handed-over.tsx'

/** What a person can do with one stored key. Each use is recorded before the key is shown. */
export function useKeyActions({
  orderId,
  kept,
  claim,
}: {
  orderId: string
  kept: StoredKey
  claim: Claim | null
}) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const read = async (use: 'revealed' | 'copied' | 'opened') => {
    try {
      if (!(await openVault())) throw new Error('The vault stays locked')
      return await rpc.orders.revealKey({ accountId, orderId, keyId: kept.keyId, use })
    } catch (error) {
      const problem = problemOf(error)
      if (problem.code !== 'NO_ANSWER') toastProblem(problem, `Key ${kept.masked}`)
      throw error
    }
  }
  const { value, busy, reveal, hide } = useReveal(async () =>
    JSON.stringify(await read('revealed')),
  )
  const shown = value === null ? null : (JSON.parse(value) as Awaited<ReturnType<typeof read>>)
  const handedOver = useHandedOver()
  const { guard, warning } = useHandedWarning()
  // Resolves after the question about a key that is already handed over, if there is one.
  const copy = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const use = async (): Promise<void> =>
        copySecret(
          'Key copied',
          (await read('copied')).value,
          kept.handedAt === null
            ? {
                label: 'Mark as handed over',
                run: () => handedOver.mark({ keys: [{ orderId, keyId: kept.keyId }], note: '' }),
              }
            : undefined,
        )
      guard([kept], 'Copy', () => void use().then(resolve, reject))
    })
  const startClaim = (): void => {
    if (claim !== null) return go(`/claims/${claim.claimId}`)
    void openVault()
      .then(async (opened) => {
        if (opened)
          go(
            `/claims/${(await rpc.claims.create({ accountId, orderId, keyId: kept.keyId })).claimId}`,
          )
      })
      .catch((error: unknown) => toastProblem(problemOf(error), `Key ${kept.masked}`))
  }
  return {
    /** The revealed key; null while it is masked. */
    shown,
    busy,
    reveal,
    hide,
    copy,
    /** Opens the key's link outside Keydesk. */
    openLink: (): void =>
      void read('opened').then(({ value: url }) =>
        window.open(url, '_blank', 'noopener,noreferrer'),
      ),
    removeMark: (): void => handedOver.takeBack({ orderId, key: kept }),
    startClaim,
    guard,
    warning,
  }
}
