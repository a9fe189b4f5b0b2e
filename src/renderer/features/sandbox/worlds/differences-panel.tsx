import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { IconButton } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { ProgressRing } from '../../../ui/feedback/progress-ring.tsx'
import { formatCount } from '../../../ui/format.ts'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import styles from '../sandbox.module.css'
import { withUtc } from '../words.ts'

const present = ''

/** What changed from a snapshot to the present state or to another snapshot, in sentences. */
export function DifferencesPanel({ name, onClose }: { name: string; onClose: () => void }) {
  const [to, setTo] = useState(present)
  const snapshots = useQuery(api.sandbox.control.snapshots.queryOptions()).data?.results ?? []
  const compared = useQuery({
    ...api.sandbox.control.compareSnapshot.queryOptions({
      input: { name, to: to === present ? null : to },
    }),
    staleTime: 0,
    retry: false,
  })
  return (
    <SidePanel
      title={`Changes since ${name}`}
      width={460}
      onClose={onClose}
      actions={
        <IconButton label="Compare again" onClick={() => void compared.refetch()}>
          <IconRefresh size={16} stroke={1.6} />
        </IconButton>
      }
    >
      <PanelSection>
        <Select
          label="Compare with"
          data={[
            { value: present, label: 'The present state' },
            ...snapshots
              .filter((snapshot) => snapshot.name !== name)
              .map((snapshot) => ({ value: snapshot.name, label: snapshot.name })),
          ]}
          value={to}
          allowDeselect={false}
          onChange={(value) => setTo(value ?? present)}
        />
      </PanelSection>
      {compared.isError ? (
        <ErrorState problem={problemOf(compared.error)} onRetry={() => void compared.refetch()} />
      ) : compared.data === undefined ? (
        <PanelSection>
          <ProgressRing label="Comparing" />
        </PanelSection>
      ) : (
        <Differences {...compared.data} />
      )}
    </SidePanel>
  )
}

type Difference = { area: string; id: string; text: string }

/** The differences by area; `title` heads their number. */
export function Differences({
  title,
  total,
  results,
}: {
  title?: string
  total: number
  results: readonly Difference[]
}) {
  const areas = [...Map.groupBy(results, ({ area }) => area)]
  return (
    <>
      <PanelSection {...(title !== undefined && { title })}>
        <p>
          <b>{t('screens.sandbox-differences', { count: total })}</b>
          {total > results.length ? ` The first ${formatCount(results.length)} are listed.` : null}
        </p>
      </PanelSection>
      {areas.map(([area, differences]) => (
        <PanelSection
          key={area}
          title={`${area.charAt(0).toUpperCase()}${area.slice(1)}`}
          aside={formatCount(differences.length)}
        >
          <ul className={styles.differences}>
            {differences.map(({ id, text }) => (
              <li key={id}>{withUtc(text)}</li>
            ))}
          </ul>
        </PanelSection>
      ))}
    </>
  )
}
