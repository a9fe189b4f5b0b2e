import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconGitBranch, IconPlus } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import type { SandboxBranch } from '../../../../contract/sandbox/sandbox-branches.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { ControlCard } from '../control/control-card.tsx'
import styles from '../sandbox.module.css'
import { useSandboxAction } from '../use-sandbox-action.ts'
import { BranchTable } from './branch-table.tsx'
import { OpenWorld, RejectedWorld } from './open-world.tsx'

/** Programs create and end branches, too. */
const readEveryMs = 3000

/** The branches, kept up to date. */
export const useBranches = () =>
  useQuery({ ...api.sandbox.branches.list.queryOptions(), refetchInterval: readEveryMs })

/** The running branches, and the buttons that create one: from the present, or from a file. */
export function BranchesCard({
  open,
  onOpen,
}: {
  open: string | null
  onOpen: (id: string | null) => void
}) {
  const [name, setName] = useState('')
  const [rejected, setRejected] = useState<ComponentProps<typeof RejectedWorld>['rejected'] | null>(
    null,
  )
  const list = useBranches()
  const branches = list.data?.results
  const created = (made: SandboxBranch): void => {
    setName('')
    onOpen(made.id)
  }
  const create = useSandboxAction(
    () => rpc.sandbox.branches.create(name.trim() === '' ? {} : { name }),
    (made) => ({
      title: `Created ${made.name ?? made.id}`,
      text: 'It has its own addresses and keys.',
    }),
    created,
  )
  useShortcut('B', () => create.mutate(undefined), { enabled: !create.isPending })
  return (
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
        <>
          <OpenWorld onRejected={setRejected} onOpened={created} />
          <form
            className={styles.naming}
            onSubmit={(event) => {
              event.preventDefault()
              if (!create.isPending) create.mutate(undefined)
            }}
          >
            <TextInput
              aria-label="Branch name"
              placeholder="Name, optional"
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button
              kind="primary"
              type="submit"
              keys={['B']}
              icon={<IconPlus size={16} stroke={1.6} />}
              busy={create.isPending}
            >
              New branch
            </Button>
          </form>
        </>
      }
    >
      {rejected === null ? null : (
        <div className={styles.rejected}>
          <RejectedWorld rejected={rejected} />
        </div>
      )}
      <p className={styles.empty}>
        A branch is a complete copy of the sandbox at this moment, with its own addresses and keys:
        orders, balances, clock and faults. Changes in it don’t affect the sandbox. It ends with the
        sandbox. A world file from a colleague opens as a branch, too.
      </p>
      {list.isError && branches === undefined ? (
        <ErrorState problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
      ) : branches === undefined || branches.length === 0 ? null : (
        <BranchTable branches={branches} open={open} onOpen={onOpen} />
      )}
    </ControlCard>
  )
}
