import { IconBox, IconWallet } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx'
import { NumberStepper } from '../controls/fields/number-stepper.tsx'
import { formatCents, formatCount } from '../format.ts'
import { cents } from '../../../../server/api/money.ts'

/** The values of a confirmation, which a test changes by an event while it is open. */
interface Reality {
  refund: number
  stock: number
}

/** A confirmation of values that can change while it is open, and of a number that a person chooses. */
export function FrozenDialog() {
  const [{ refund, stock }, setReality] = useState<Reality>({ refund: 3454, stock: 20 })
  const [units, setUnits] = useState(1)
  const [sent, setSent] = useState<string[]>([])
  useEffect(() => {
    const move = (event: Event): void => {
      if (event instanceof CustomEvent) setReality(event.detail)
    }
    window.addEventListener('reality', move)
    return () => window.removeEventListener('reality', move)
  }, [])
  return (
    <main>
      <p data-sent>{sent.join(' ')}</p>
      <ConfirmDialog
        opened
        onClose={() => {}}
        choice={units}
        onConfirm={async () => {
          setSent((before) => [...before, `${units}:${refund}`])
          throw new Error('stays open')
        }}
        account={{ name: 'Kestrel Keys', mode: 'live' }}
        title="Refund this customer?"
        effects={[
          { icon: <IconWallet />, what: 'Refund', amount: formatCents(cents(refund)) },
          {
            icon: <IconBox />,
            what: 'Stock',
            amount: `${formatCount(stock)} → ${formatCount(stock - units)}`,
          },
        ]}
        typed={{ text: formatCents(cents(refund)), verb: 'refund it' }}
        confirmLabel={`Refund EUR ${formatCents(cents(refund))}`}
      >
        <NumberStepper label="Units" value={units} min={1} max={9} onChange={setUnits} />
      </ConfirmDialog>
    </main>
  )
}
