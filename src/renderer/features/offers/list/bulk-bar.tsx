import { IconArrowsDownUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { BulkChange } from '../../../../contract/offers/offer-bulk.ts'
import { BulkBar } from '../../../ui/layout/bulk-bar.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { BulkMenu } from '../bulk/bulk-menu.tsx'
import { byPercent } from './use-bulk-selection.ts'

/** Actions for the checked offers. */
export function OfferBulkBar({
  checked,
  total,
  onSelectAll,
  onClose,
  onChange,
}: {
  checked: ReadonlySet<string>
  total: number
  onSelectAll: () => void
  onClose: () => void
  onChange: (change: BulkChange) => void
}) {
  return (
    <BulkBar selected={checked.size} total={total} onSelectAll={onSelectAll} onClose={onClose}>
      <Button
        keys={['R']}
        icon={<IconArrowsDownUp size={16} stroke={1.6} />}
        onClick={() => onChange(byPercent)}
      >
        Re-price…
      </Button>
      <Button
        keys={['P']}
        icon={<IconPlayerPause size={16} stroke={1.6} />}
        onClick={() => onChange({ kind: 'status', status: 'paused' })}
      >
        Pause…
      </Button>
      <Button
        keys={['A']}
        icon={<IconPlayerPlay size={16} stroke={1.6} />}
        onClick={() => onChange({ kind: 'status', status: 'active' })}
      >
        Activate…
      </Button>
      <BulkMenu offerIds={[...checked]} onChange={onChange} />
    </BulkBar>
  )
}
