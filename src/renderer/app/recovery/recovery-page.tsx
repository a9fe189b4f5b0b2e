import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { BackupSummary } from '../../../contract/app/backup.ts'
import type { RecoveryState } from '../../../contract/app/recovery.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CopyButton } from '../../ui/controls/buttons/copy-button.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { toast } from '../../ui/feedback/toasts.tsx'
import { formatBytes, formatClock, formatFullMoment } from '../../ui/format.ts'
import { RestoreDialog } from '../settings/backup/restore-dialog.tsx'
import { RestoreFlow } from '../settings/backup/restore-flow.tsx'
import { Brand } from '../shell/brand.tsx'
import { CheckedFiles } from './checked-files.tsx'
import { exportReadable } from './export-readable.ts'
import styles from './recovery-page.module.css'
import { possibleWays, problemWords, wayWords } from './recovery-text.ts'
import type { Way } from './recovery-text.ts'

/**
 * What is damaged, what is intact, and the ways to continue. Nothing changes until a person chooses
 * one.
 */
export function RecoveryPage({ state }: { state: RecoveryState }) {
  const { title, lead } = problemWords[state.problem]
  useEffect(() => {
    document.title = `${title} · Keydesk`
  }, [title])
  return (
    <div className={styles.window}>
      <header className={styles.bar}>
        <Brand />
      </header>
      <main className={styles.main}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        <div className={styles.card}>
          <CheckedFiles state={state} />
          <Ways state={state} />
        </div>
        <Foot state={state} />
      </main>
    </div>
  )
}

function Ways({ state }: { state: RecoveryState }) {
  const possible = possibleWays(state)
  const [chosen, setChosen] = useState<Way | null>(null)
  const [restoring, setRestoring] = useState(false)
  const [checked, setChecked] = useState<{ restoreId: string; summary: BackupSummary } | null>(null)
  const way = chosen ?? possible[0] ?? 'export'
  const run = useMutation({ mutationFn: take })

  async function take(): Promise<void> {
    switch (way) {
      case 'before-update':
        return setChecked(
          await rpc.backup.checkBeforeUpdate({ name: state.beforeUpdate?.name ?? '' }),
        )
      case 'repair':
        await rpc.recovery.repair()
        return location.reload()
      case 'retry':
        return reopen()
      case 'read-only':
        await rpc.recovery.openReadOnly()
        return location.reload()
      case 'restore':
        return setRestoring(true)
      case 'export': {
        const { fileName, unreadable } = await exportReadable()
        toast({
          title: 'Readable data exported',
          text:
            unreadable.length === 0 ? fileName : `${fileName}. Left out: ${unreadable.join(', ')}`,
        })
      }
    }
  }
  return (
    <form
      className={styles.ways}
      onSubmit={(event) => {
        event.preventDefault()
        run.mutate()
      }}
    >
      <h2>Choose how to continue</h2>
      <div role="radiogroup" aria-label="Ways to continue" className={styles.options}>
        {possible.map((each, index) => (
          <label key={each} className={styles.option} data-on={each === way || undefined}>
            <input
              type="radio"
              name="way"
              checked={each === way}
              disabled={run.isPending}
              onChange={() => {
                setChosen(each)
                run.reset()
              }}
            />
            <span>
              <b>{wayWords[each].name}</b>{' '}
              {index === 0 ? <span className={styles.recommended}>Recommended</span> : null}{' '}
              <span className={styles.text}>{textOf(each, state)}</span>
            </span>
          </label>
        ))}
      </div>
      {run.isError ? <ProblemNotice problem={problemOf(run.error)} /> : null}
      <Button
        type="submit"
        kind="primary"
        size="lg"
        wide
        busy={run.isPending}
        keys={['Enter']}
        autoFocus
      >
        {wayWords[way].button}
      </Button>
      {checked === null ? null : (
        <RestoreDialog {...checked} reopen={reopen} onClose={() => setChecked(null)} />
      )}
      {restoring ? <RestoreFlow reopen={reopen} onClose={() => setRestoring(false)} /> : null}
    </form>
  )
}

/** What a way does. For the data from before an update, also which data. */
function textOf(way: Way, { beforeUpdate }: RecoveryState): string {
  const { text } = wayWords[way]
  if (way !== 'before-update' || beforeUpdate === null) return text
  const { at, version, bytes } = beforeUpdate
  return `${text} It is from ${formatFullMoment(at)}, before version ${version}: ${formatBytes(bytes)}.`
}

/** Opens the data folder, whose content has changed. */
async function reopen(): Promise<void> {
  await rpc.recovery.open()
  location.reload()
}

/** The code for support, and the way out. */
function Foot({ state }: { state: RecoveryState }) {
  const bytes = state.files.reduce((sum, file) => sum + file.bytes, 0)
  const code = [state.problem, state.detail].filter((part) => part !== null).join(' · ')
  return (
    <footer className={styles.foot}>
      <span className="kd-mono">
        {code} · checked {formatClock(state.checkedAt)}, {formatBytes(bytes)}
      </span>
      <CopyButton small label="Copy the code" onCopy={() => navigator.clipboard.writeText(code)} />
      {state.can.quit ? (
        <Button kind="quiet" onClick={() => void rpc.recovery.quit()}>
          Quit
        </Button>
      ) : null}
    </footer>
  )
}
