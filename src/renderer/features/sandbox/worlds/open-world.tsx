import { FileButton, NumberInput } from '@mantine/core'
import {
  IconBellOff,
  IconDatabase,
  IconFileImport,
  IconGitBranch,
  IconKey,
  IconRepeat,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '../../../../contract/localization/localized.ts'
import {
  longestWorldFile,
  type SandboxBranch,
  type WorldFacts,
} from '../../../../contract/sandbox/sandbox-branches.ts'
import type { Problem } from '../../../../contract/base.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog, type Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { formatBytes, formatFullMoment } from '../../../ui/format.ts'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'

type Chosen = { name: string; text: string; facts: WorldFacts }
type Rejected = { name: string; problem: Problem | null; bytes: number }

const nameOf = (file: string): string => file.replace(/(\.world)?(\.json)?$/, '').slice(0, 100)

/** Opens a world file as a branch, after a preview of the effects. */
export function OpenWorld({
  onRejected,
  onOpened,
}: {
  onRejected: (rejected: Rejected | null) => void
  onOpened: (branch: SandboxBranch) => void
}) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const again = useRef<() => void>(null)
  const choose = async (file: File): Promise<void> => {
    const name = nameOf(file.name) || 'world'
    again.current?.()
    onRejected(null)
    if (file.size > longestWorldFile)
      return onRejected({ name: file.name, problem: null, bytes: file.size })
    try {
      const text = await file.text()
      setChosen({ name, text, facts: await rpc.sandbox.branches.inspect({ text }) })
    } catch (error) {
      onRejected({ name: file.name, problem: problemOf(error), bytes: file.size })
    }
  }
  return (
    <>
      <FileButton
        accept=".world,.json,application/json"
        resetRef={again}
        onChange={(file) => {
          if (file !== null) void choose(file)
        }}
      >
        {({ onClick }) => (
          <Button icon={<IconFileImport size={16} stroke={1.6} />} onClick={onClick}>
            Open world file…
          </Button>
        )}
      </FileButton>
      {chosen === null ? null : (
        <OpenDialog chosen={chosen} onClose={() => setChosen(null)} onOpened={onOpened} />
      )}
    </>
  )
}

/** Why a chosen file wasn't opened, and what to do. */
export function RejectedWorld({ rejected: { name, problem, bytes } }: { rejected: Rejected }) {
  if (problem !== null)
    return <ProblemNotice problem={{ ...problem, what: `${name}: ${problem.what}` }} />
  return (
    <Notice tone="bad" title={`${name} is too large to open here.`}>
      It has {formatBytes(bytes)}, and the limit is {formatBytes(longestWorldFile)}. Nothing was
      opened. Repeat it with <code>npx keydesk-sandbox replay</code>.
    </Notice>
  )
}

const effectsOf = (name: string, requests: number): Effect[] => [
  {
    icon: <IconGitBranch size={16} stroke={1.6} />,
    what: `The branch “${name}” is created.`,
    more: 'It has its own addresses and keys, and ends with the sandbox.',
  },
  {
    icon: <IconDatabase size={16} stroke={1.6} />,
    what: 'Nothing is replaced.',
    more: 'The sandbox, its snapshots and other branches stay as they are.',
  },
  {
    icon: <IconRepeat size={16} stroke={1.6} />,
    what: t('screens.sandbox-world-repeats', { count: requests }),
    more: 'Each answer is compared with the one in the file.',
  },
  {
    icon: <IconKey size={16} stroke={1.6} />,
    what: 'Secrets are stand-ins.',
    more: 'The file contains no key of the original session.',
  },
  {
    icon: <IconBellOff size={16} stroke={1.6} />,
    what: 'The branch sends no webhooks.',
    more: 'Its clock moves only with requests.',
  },
]

function OpenDialog({
  chosen: { name, text, facts },
  onClose,
  onOpened,
}: {
  chosen: Chosen
  onClose: () => void
  onOpened: (branch: SandboxBranch) => void
}) {
  const all = facts.requests.length
  const [requests, setRequests] = useState(all)
  const open = useSandboxAction(
    () => rpc.sandbox.branches.open({ text, name, requests }),
    () => null,
    onOpened,
  )
  const last = facts.requests[requests - 1]
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      account={sandboxAccount}
      title={`Open ${name} as a branch?`}
      lead={
        facts.seed === 'demo'
          ? t('screens.sandbox-world-demo', {
              count: facts.products,
              at: formatFullMoment(facts.at),
            })
          : `An empty world, started at ${formatFullMoment(facts.at)}.`
      }
      confirmLabel="Open as a branch"
      choice={requests}
      effects={effectsOf(name, requests)}
      onConfirm={async () => {
        await open.mutateAsync(undefined)
      }}
    >
      {all === 0 ? null : (
        <div className={styles.stack}>
          <NumberInput
            label={t('screens.sandbox-world-stop', { count: all })}
            description={
              last === undefined
                ? 'The state before the first request.'
                : `The last one is ${last.method} ${last.path}, answered ${last.status}.`
            }
            min={0}
            max={all}
            clampBehavior="strict"
            allowDecimal={false}
            thousandSeparator=","
            value={requests}
            onChange={(value) => {
              if (typeof value === 'number') setRequests(value)
            }}
          />
        </div>
      )}
    </ConfirmDialog>
  )
}
