import { useQuery } from '@tanstack/react-query'
import { IconCamera, IconGitBranch, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { ControlCard } from '../control/control-card.tsx'
import styles from '../sandbox.module.css'
import { useSandboxAction } from '../use-sandbox-action.ts'
import { BranchPanel } from './branch-panel.tsx'
import { BranchTable } from './branch-table.tsx'
import { DifferencesPanel } from './differences-panel.tsx'
import { type AskedSnapshot, ConfirmSnapshot, SnapshotList } from './snapshot-list.tsx'

/** Programs create and end branches, too. */
const readEveryMs = 3000

/** Branches and snapshots of the sandbox. The panel shows the open branch's addresses and keys. */
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
  const [compared, setCompared] = useState<string | null>(null)
  const list = useQuery({
    ...api.sandbox.branches.list.queryOptions(),
    refetchInterval: readEveryMs,
  })
  const branches = list.data?.results
  const create = useSandboxAction(
    () => rpc.sandbox.branches.create(),
    (made) => ({ title: `Created ${made.id}`, text: 'It has its own addresses and keys.' }),
    (made) => onOpen(made.id),
  )
  useShortcut('B', () => create.mutate(undefined), { enabled: !create.isPending })
  const open = branches?.find((branch) => branch.id === id)
  return (
    <Page>
      {header}
      <div className={styles.split}>
        <div>
          <ControlCard
            flush
            icon={IconGitBranch}
            title="Branches"
            beside={
              branches === undefined ? null : (
                <span>{t('screens.sandbox-branches', { count: branches.length })}</span>
              )
            }
            actions={
              <Button
                kind="primary"
                keys={['B']}
                icon={<IconPlus size={16} stroke={1.6} />}
                busy={create.isPending}
                onClick={() => create.mutate(undefined)}
              >
                New branch
              </Button>
            }
          >
            <p className={styles.empty}>
              A branch is a complete copy of the sandbox at this moment, with its own addresses and
              keys: orders, balances, clock and faults. Changes in it don’t affect the sandbox. It
              ends with the sandbox.
            </p>
            {list.isError && branches === undefined ? (
              <ErrorState problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
            ) : branches === undefined || branches.length === 0 ? null : (
              <BranchTable branches={branches} open={id} onOpen={onOpen} />
            )}
          </ControlCard>
          <ControlCard icon={IconCamera} title="Snapshots">
            <SnapshotList
              onAsk={setAsked}
              onCompare={(name) => {
                setCompared(name)
                onOpen(null)
              }}
            />
          </ControlCard>
        </div>
        {open !== undefined ? (
          <BranchPanel key={open.id} branch={open} onClose={() => onOpen(null)} />
        ) : compared === null ? null : (
          <DifferencesPanel key={compared} name={compared} onClose={() => setCompared(null)} />
        )}
      </div>
      <ConfirmSnapshot asked={asked} onClose={() => setAsked(null)} />
    </Page>
  )
}
