import { NumberInput, SegmentedControl } from '@mantine/core'
import { IconClockHour4, IconDatabase, IconKey, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { rpc } from '../../../lib/core/rpc.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'

/** Resets the sandbox to a first start, with its demo world or an empty one. */
export function ResetDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [seed, setSeed] = useState<'demo' | 'empty'>('demo')
  const [products, setProducts] = useState<number | string>(2000)
  const reset = useSandboxAction(
    () =>
      rpc.sandbox.control.reset({
        seed,
        ...(seed === 'demo' && typeof products === 'number' && { products }),
      }),
    () => ({
      title: 'Sandbox reset',
      text:
        seed === 'demo'
          ? 'The demo accounts are connected again.'
          : 'It is empty. Create accounts and products on its pages.',
    }),
  )
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      account={sandboxAccount}
      title="Reset the sandbox?"
      confirmLabel="Reset sandbox"
      choice={seed}
      destructive
      effects={[
        {
          icon: <IconDatabase size={16} stroke={1.6} />,
          what: 'All its accounts, orders, sales and disputes are deleted.',
          more: 'Snapshots stay.',
          tone: 'bad',
        },
        {
          icon: <IconUsers size={16} stroke={1.6} />,
          what:
            seed === 'demo'
              ? 'The demo accounts are connected again.'
              : 'The demo accounts in Keydesk stop working.',
          more:
            seed === 'demo'
              ? 'Their delivered keys and rules in Keydesk are deleted.'
              : 'Their keys aren’t valid in the new world.',
          tone: 'warn',
        },
        {
          icon: <IconKey size={16} stroke={1.6} />,
          what: 'Existing sandbox keys stop working.',
        },
        {
          icon: <IconClockHour4 size={16} stroke={1.6} />,
          what: 'The clock returns to the computer’s time.',
        },
      ]}
      onConfirm={async () => {
        await reset.mutateAsync(undefined)
      }}
    >
      <div className={styles.stack}>
        <SegmentedControl
          aria-label="New world"
          value={seed}
          onChange={(value) => setSeed(value === 'empty' ? 'empty' : 'demo')}
          data={[
            { value: 'demo', label: 'Demo world' },
            { value: 'empty', label: 'Empty world' },
          ]}
        />
        {seed === 'demo' ? (
          <NumberInput
            label="Products in the catalogue"
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
