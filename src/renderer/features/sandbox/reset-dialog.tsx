import { NumberInput, SegmentedControl } from '@mantine/core'
import { IconClockHour4, IconDatabase, IconKey, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { rpc } from '../../lib/rpc.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import styles from './sandbox.module.css'
import { sandboxItself, useAct } from './use-act.ts'

/** The sandbox as at a first start, with its demo world or an empty one. */
export function ResetDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [seed, setSeed] = useState<'demo' | 'empty'>('demo')
  const [products, setProducts] = useState<number | string>(2000)
  const reset = useAct(
    () =>
      rpc.sandbox.control.reset({
        seed,
        ...(seed === 'demo' && typeof products === 'number' && { products }),
      }),
    () => ({
      title: 'The sandbox is as at a first start',
      text:
        seed === 'demo'
          ? 'The demo accounts are connected anew.'
          : 'It is empty: make accounts and products on its pages.',
    }),
  )
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      account={sandboxItself}
      title="Reset the sandbox?"
      confirmLabel="Reset the sandbox"
      destructive
      effects={[
        {
          icon: <IconDatabase size={16} stroke={1.6} />,
          what: 'All of its accounts, orders, sales and disputes are gone.',
          more: 'Snapshots stay.',
          tone: 'bad',
        },
        {
          icon: <IconUsers size={16} stroke={1.6} />,
          what:
            seed === 'demo'
              ? 'The demo accounts are connected anew.'
              : 'The demo accounts of this desk work no more.',
          more:
            seed === 'demo'
              ? 'Their delivered keys and rules on this desk go with the old world.'
              : 'Their keys are of the old world.',
          tone: 'warn',
        },
        {
          icon: <IconKey size={16} stroke={1.6} />,
          what: 'Keys that were made before are refused.',
        },
        {
          icon: <IconClockHour4 size={16} stroke={1.6} />,
          what: 'The clock is the machine’s again.',
        },
      ]}
      onConfirm={async () => {
        await reset.mutateAsync(undefined)
      }}
    >
      <div className={styles.stack}>
        <SegmentedControl
          aria-label="World to begin with"
          value={seed}
          onChange={(value) => setSeed(value === 'empty' ? 'empty' : 'demo')}
          data={[
            { value: 'demo', label: 'The demo world' },
            { value: 'empty', label: 'An empty one' },
          ]}
        />
        {seed === 'demo' ? (
          <NumberInput
            label="Products in its catalogue"
            min={1}
            max={1_000_000}
            allowDecimal={false}
            thousandSeparator=","
            value={products}
            onChange={setProducts}
          />
        ) : null}
      </div>
    </ConfirmDialog>
  )
}
