import { IconCamera, IconHistory } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { SandboxPoint } from '../../../../contract/sandbox/sandbox-control.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { ControlCard } from '../control/control-card.tsx'
import styles from '../sandbox.module.css'
import { BranchPanel } from './branch-panel.tsx'
import { BranchesCard, useBranches } from './branches-card.tsx'
import { DifferencesPanel } from './differences-panel.tsx'
import { PointList, PointPanel } from './point-list.tsx'
import { type AskedSnapshot, ConfirmSnapshot, SnapshotList } from './snapshot-list.tsx'

/** The content of the panel while no branch is open. */
type Shown = { snapshot: string } | { point: SandboxPoint } | null

/**
 * Branches, recent states and snapshots of the sandbox. The panel shows the open branch, what going
 * back undoes, or what changed since a snapshot.
 */
export function WorldsView({
  header,
  id,
  onOpen,
}: {
  header: ReactNode
  id: string | null
  onOpen: (id: string | null) => void
}) {
  const [asked, setAsked] = useState<AskedSnapshot | null>(null)
  const [shown, setShown] = useState<Shown>(null)
  const show = (next: Shown): void => {
    setShown(next)
    onOpen(null)
  }
  const open = useBranches().data?.results.find((branch) => branch.id === id)
  const point = open === undefined && shown !== null && 'point' in shown ? shown.point : null
  return (
    <Page>
      {header}
      <div className={styles.split}>
        <div>
          <BranchesCard open={id} onOpen={onOpen} />
          <ControlCard icon={IconHistory} title="Go back">
            <PointList open={point?.name ?? null} onOpen={(next) => show({ point: next })} />
          </ControlCard>
          <ControlCard icon={IconCamera} title="Snapshots">
            <SnapshotList onAsk={setAsked} onCompare={(snapshot) => show({ snapshot })} />
          </ControlCard>
        </div>
        {open !== undefined ? (
          <BranchPanel key={open.id} branch={open} onClose={() => onOpen(null)} />
        ) : point !== null ? (
          <PointPanel key={point.name} point={point} onClose={() => setShown(null)} />
        ) : shown !== null && 'snapshot' in shown ? (
          <DifferencesPanel
            key={shown.snapshot}
            name={shown.snapshot}
            onClose={() => setShown(null)}
          />
        ) : null}
      </div>
      <ConfirmSnapshot asked={asked} onClose={() => setAsked(null)} />
    </Page>
  )
}
