import { Select } from '@mantine/core'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { statusWords } from '../words.ts'

export const accountStatuses = ['active', 'pending', 'suspended', 'rejected'] as const
export type AccountStatus = (typeof accountStatuses)[number]
const isStatus = (text: string | null): text is AccountStatus =>
  accountStatuses.some((status) => status === text)

/** Whether an account can call its API. Only an active one can. */
export function StatusSection({
  status,
  busy,
  onChange,
}: {
  status: string
  busy: boolean
  onChange: (status: AccountStatus) => void
}) {
  return (
    <PanelSection title="Status">
      <Select
        aria-label="Status"
        disabled={busy}
        allowDeselect={false}
        value={status}
        data={accountStatuses.map((value) => ({ value, label: statusWords[value]?.word ?? value }))}
        onChange={(value) => {
          if (isStatus(value) && value !== status) onChange(value)
        }}
      />
    </PanelSection>
  )
}
