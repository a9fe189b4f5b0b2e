import { t } from '../../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { IconKey, IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import type { Withdrawal } from '../../../../contract/offers/withdrawals.ts'
import { copySecret } from '../../../lib/clipboard.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { formatCount, formatMoment } from '../../../ui/format.ts'
import { MaskedKey } from '../../../ui/data-display/identity/masked-key.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { PlainExportDialog } from '../../../ui/feedback/plain-export-dialog.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { NumberStepper } from '../../../ui/controls/fields/number-stepper.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import styles from '../parts.module.css'

const keys = (count: number): string => t('counts.keys', { count })

/** Withdraws keys of an offer: saves them in the vault, then shows them. */
export function WithdrawDialog({
  offer,
  onClose,
  onKept,
}: {
  offer: OfferRow
  onClose: () => void
  onKept: (withdrawal: Withdrawal) => void
}) {
  const account = useAccount()
  const { stock } = offer
  // No number is proposed: withdrawn keys leave the stock.
  const [count, setCount] = useState(0)
  const [failed, setFailed] = useState<ReturnType<typeof problemOf> | null>(null)
  const confirm = async (): Promise<void> => {
    if (!(await openVault())) throw new Error('the vault is still locked')
    try {
      onKept(
        await rpc.offers.withdrawals.withdraw({
          accountId: account.id,
          offerId: offer.offerId,
          count: count === stock ? null : count,
          expectedStock: stock,
          typed: String(count),
        }),
      )
    } catch (error) {
      setFailed(problemOf(error))
      throw error
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={confirm}
      account={account}
      destructive
      title={`Withdraw keys of ${offer.name}?`}
      lead={
        `${variantLabel(offer)}. The service returns the oldest keys first, and only once. ` +
        'They’re saved in your vault before you see them.'
      }
      effects={[
        {
          icon: <IconKey size={16} stroke={1.6} />,
          what: t('screens.offers-keys-leave', { count }),
          amount: `${formatCount(stock)} to ${formatCount(Math.max(0, stock - count))}`,
          tone: 'bad',
        },
        {
          icon: <IconLock size={16} stroke={1.6} />,
          what: 'They’re saved in your vault, encrypted',
        },
      ]}
      incomplete={count === 0 || count > stock}
      choice={count}
      confirmLabel={count === 0 ? 'Withdraw keys' : `Withdraw ${keys(count)}`}
      typed={{ text: String(count), verb: 'withdraw' }}
      failure={failed === null ? null : <ProblemNotice problem={failed} />}
    >
      <div className={styles.count}>
        <span>Number of keys</span>
        <NumberStepper
          label="Keys to withdraw"
          value={count}
          min={0}
          max={stock}
          onChange={setCount}
        />
        <Button size="xs" disabled={count === stock} onClick={() => setCount(stock)}>
          All {formatCount(stock)}
        </Button>
      </div>
    </ConfirmDialog>
  )
}

const stateTexts: Record<Withdrawal['state'], string> = {
  sending: 'requested, not received yet',
  unknown: 'response lost',
  kept: 'in the vault',
  refused: 'rejected',
}

/** Withdrawals of an offer, newest first. */
export function Withdrawals({
  offerId,
  onOpen,
}: {
  offerId: string
  onOpen: (withdrawal: Withdrawal) => void
}) {
  const { id: accountId } = useAccount()
  const list =
    useQuery(api.offers.withdrawals.list.queryOptions({ input: { accountId, offerId } })).data ?? []
  if (list.length === 0) return null
  return (
    <PanelSection title="Withdrawn">
      <ul className={styles.list}>
        {list.slice(0, 10).map((each) => (
          <li key={each.withdrawalId}>
            <span>
              {keys(each.state === 'kept' ? each.kept : (each.asked ?? each.kept))}{' '}
              {stateTexts[each.state]} <time>{formatMoment(each.at, Date.now())}</time>
            </span>
            {each.kept === 0 ? null : (
              <Button size="xs" onClick={() => onOpen(each)}>
                Show
              </Button>
            )}
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}

/** The keys of one withdrawal: masked, and revealed one by one, copied or saved. */
export function WithdrawnKeys({
  withdrawal: { withdrawalId, name, kept },
  onClose,
}: {
  withdrawal: Withdrawal
  onClose: () => void
}) {
  const account = useAccount()
  const [offset, setOffset] = useState(0)
  const page = useQuery(
    api.offers.withdrawals.keys.queryOptions({
      input: { accountId: account.id, withdrawalId, offset, limit: 20 },
    }),
  )
  const value = async (position: number): Promise<string> => {
    if (!(await openVault())) throw new Error('the vault is still locked')
    return (await rpc.offers.withdrawals.reveal({ accountId: account.id, withdrawalId, position }))
      .value
  }
  const [saves, setSaves] = useState(false)
  const save = async (typed: string): Promise<void> => {
    const { fileName, base64 } = await rpc.offers.withdrawals.export({
      accountId: account.id,
      withdrawalId,
      typed,
    })
    saveFile(fileName, base64)
  }
  if (saves)
    return (
      <PlainExportDialog
        account={account}
        what={`${keys(kept)} of ${name}`}
        onExport={save}
        onClose={() => setSaves(false)}
      />
    )
  return (
    <Dialog
      opened
      onClose={onClose}
      closable
      account={account}
      width={560}
      title={`${keys(kept)} of ${name}`}
      lead="Saved in your vault, in the order in which the service returned them."
      note="Anyone can read the keys in a saved file."
      actions={
        <>
          <Button size="md" onClick={() => void openVault().then((isOpen) => setSaves(isOpen))}>
            Save as text…
          </Button>
          <Button size="md" kind="primary" keys={['Esc']} data-autofocus onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {page.data === undefined ? <NotRead query={page} /> : null}
      <ul className={styles.list}>
        {page.data?.keys.map(({ position, masked }) => (
          <li key={position}>
            <span>
              <MaskedKey
                masked={masked}
                label={`key ${position + 1}`}
                onReveal={() => value(position)}
                onCopy={async () => copySecret('Key copied', await value(position))}
              />
            </span>
          </li>
        ))}
      </ul>
      {kept <= 20 ? null : (
        <div className={styles.count}>
          <span>
            {formatCount(offset + 1)} to {formatCount(Math.min(kept, offset + 20))} of{' '}
            {formatCount(kept)}
          </span>
          <Button disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - 20))}>
            Previous
          </Button>
          <Button disabled={offset + 20 >= kept} onClick={() => setOffset(offset + 20)}>
            Next
          </Button>
        </div>
      )}
    </Dialog>
  )
}
