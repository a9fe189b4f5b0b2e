import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Cents, cents } from '../../../../server/api/money.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatEur } from '../../ui/format.ts'
import { PanelSection, SidePanel } from '../../ui/layout/page.tsx'
import { PriceChart } from '../../ui/charts/price-chart.tsx'
import { MoneyField } from '../../ui/controls/fields/price-field.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './spending.module.css'

type Balance = {
  balanceCents: Cents | null
  lowCents: Cents | null
  readings: readonly { at: number; cents: Cents }[]
  tellsLedger: boolean
}
const sandboxTopUp = cents(50_000)
const failed = { onError: (error: unknown) => toastProblem(problemOf(error), null) }

/**
 * The panel next to the totals: the balance over time, the low-balance limit, and how to top up.
 */
export function BalancePanel({ balance }: { balance: Balance }) {
  const now = useAccountNow()
  const points = balance.readings.map(({ at, cents }) => ({ at, cents }))
  const first = points[0]
  return (
    <SidePanel title="Top-ups and warning" width={340}>
      {first === undefined || points.length < 2 ? null : (
        <PanelSection title="As read on this computer">
          <PriceChart
            label="Balance over time"
            from={first.at}
            to={Math.max(now, points.at(-1)?.at ?? 0)}
            line={{ name: 'Balance', points, tone: 'own' }}
            floorCents={balance.lowCents}
            height={132}
          />
        </PanelSection>
      )}
      <LowBalance lowCents={balance.lowCents} />
      <TopUp isSimulated={balance.tellsLedger} />
    </SidePanel>
  )
}

/** The balance below which Keydesk warns. */
function LowBalance({ lowCents }: { lowCents: Cents | null }) {
  const { id: accountId } = useAccount()
  const [low, setLow] = useState<Cents | null>(lowCents)
  const save = useMutation(
    api.spending.setLow.mutationOptions({
      ...failed,
      onSuccess: () =>
        toast({
          title: low === null ? 'Warning turned off' : `You’ll be warned below ${formatEur(low)}`,
        }),
    }),
  )
  return (
    <PanelSection title="Low balance">
      <MoneyField
        label="Warn below, EUR"
        cents={low}
        onChange={setLow}
        onEnter={() => save.mutate({ accountId, lowCents: low })}
      />
      <div className={styles.links}>
        <Button
          busy={save.isPending}
          disabled={low === lowCents}
          onClick={() => save.mutate({ accountId, lowCents: low })}
        >
          Save
        </Button>
        {lowCents === null ? null : (
          <Button
            kind="quiet"
            onClick={() => {
              setLow(null)
              save.mutate({ accountId, lowCents: null })
            }}
          >
            Turn off warning
          </Button>
        )}
      </div>
    </PanelSection>
  )
}

/** How to add money; in the sandbox, the transfer is simulated. */
function TopUp({ isSimulated }: { isSimulated: boolean }) {
  const { id: accountId } = useAccount()
  const [amount, setAmount] = useState<Cents | null>(sandboxTopUp)
  const topUp = useMutation(
    api.spending.topUp.mutationOptions({
      ...failed,
      onSuccess: ({ reference, balanceCents }) =>
        toast({
          title: 'Transfer received',
          text: `Reference ${reference}. The balance is now ${formatEur(balanceCents)}.`,
        }),
    }),
  )
  return (
    <PanelSection title="Top up">
      {isSimulated ? (
        <>
          <p className={styles.text}>
            In the sandbox, you simulate the bank transfer. No real money moves.
          </p>
          <MoneyField label="Amount, EUR" cents={amount} onChange={setAmount} />
          <div className={styles.links}>
            <Button
              kind="sandbox"
              busy={topUp.isPending}
              disabled={amount === null || amount < 100}
              onClick={() => {
                if (amount !== null) topUp.mutate({ accountId, cents: amount })
              }}
            >
              {amount === null ? 'Top up' : `Top up ${formatEur(amount)}`}
            </Button>
          </div>
        </>
      ) : (
        <p className={styles.text}>
          Send a bank transfer with a reference from the service’s dashboard. It is credited on
          arrival. The balance here updates within a minute.
        </p>
      )}
    </PanelSection>
  )
}
