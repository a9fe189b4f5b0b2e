import { SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Cents, cents } from '../../../../../server/api/money.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatEur } from '../../../ui/format.ts'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { MoneyField } from '../../../ui/controls/fields/price-field.tsx'
import styles from '../sandbox.module.css'
import { useSandboxAction } from '../use-sandbox-action.ts'

/** Simulates a bank transfer with a reference that counts once, or sets the test balance. */
export function TopUpSection({ id }: { id: string }) {
  const [mode, setMode] = useState<'live' | 'test'>('live')
  const [amount, setAmount] = useState<Cents | null>(cents(10_000))
  const [reference, setReference] = useState('')
  const make = useSandboxAction(
    () => rpc.sandbox.money.topUpReference({ id, mode }),
    () => null,
    (made) => setReference(made.reference),
  )
  const topUp = useSandboxAction(
    (cents: Cents) =>
      rpc.sandbox.money.topUp({
        id,
        mode,
        amount: cents,
        ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
      }),
    (made) => ({
      title: 'Transfer received',
      text: `Reference ${made.reference}. The balance is now ${formatEur(made.balance)}.`,
    }),
    () => setReference(''),
  )
  const set = useSandboxAction(
    (balance: Cents) => rpc.sandbox.money.setTestBalance({ id, amount: balance }),
    ({ balance }) => ({ title: `The test balance is now ${formatEur(balance)}` }),
  )
  return (
    <PanelSection
      title="Top up"
      aside={
        <SegmentedControl
          aria-label="Mode of the balance"
          value={mode}
          onChange={(value) => setMode(value === 'test' ? 'test' : 'live')}
          data={[
            { value: 'live', label: 'LIVE' },
            { value: 'test', label: 'TEST' },
          ]}
        />
      }
    >
      <div className={styles.stack}>
        <MoneyField label="Amount" cents={amount} onChange={setAmount} />
        <div className={styles.row}>
          <TextInput
            className="grow"
            aria-label="Transfer reference"
            placeholder="New reference"
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
          <Button busy={make.isPending} onClick={() => make.mutate(undefined)}>
            Create reference
          </Button>
        </div>
      </div>
      <div className={styles.row}>
        <Button
          kind="sandbox"
          busy={topUp.isPending}
          disabled={amount === null || amount < 1}
          onClick={() => {
            if (amount !== null) topUp.mutate(amount)
          }}
        >
          {amount === null ? 'Top up' : `Top up ${formatEur(amount)}`}
        </Button>
        {mode === 'test' ? (
          <Button
            busy={set.isPending}
            disabled={amount === null}
            onClick={() => {
              if (amount !== null) set.mutate(amount)
            }}
          >
            Set as balance
          </Button>
        ) : null}
      </div>
    </PanelSection>
  )
}
