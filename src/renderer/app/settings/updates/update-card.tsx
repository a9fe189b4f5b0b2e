import { IconAlertTriangle, IconCircleCheckFilled, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { InstallCommand, UpdateState } from '../../../../contract/app/updates.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button, LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { formatBytes, formatCount, formatDay, formatTimeLeft } from '../../../ui/format.ts'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { refusalText } from './refusal-text.ts'
import styles from './updates.module.css'
import type { ActOnUpdate } from './use-updates.ts'

/** How many changes are listed before a person asks for all. */
const fewChanges = 3

/**
 * The offered or rejected version and what a person can do with it, in Settings and over the status
 * bar. Nothing while there is neither.
 */
export function UpdateCard({ state, act }: { state: UpdateState; act: ActOnUpdate }) {
  switch (state.status) {
    case 'sources':
    case 'off':
    case 'current':
    case 'checking':
      return null
    case 'refused':
      return (
        <Frame
          tone="bad"
          title="This update was rejected"
          text={`You keep ${state.current}. ${state.refusal === null ? '' : refusalText[state.refusal]}`}
        />
      )
    case 'failed':
      return (
        <Frame
          tone="bad"
          title="Couldn’t reach the update server"
          text={`You keep ${state.current}. Keydesk tries again tomorrow, or check again now.`}
        />
      )
    case 'available':
    case 'downloading':
      return <Available state={state} act={act} />
    case 'ready':
    case 'installed':
      return <Ready state={state} act={act} />
  }
}

function Frame({
  tone,
  title,
  text,
  children,
}: {
  tone?: 'bad'
  title: string
  text: string
  children?: ReactNode
}) {
  const Icon = tone === 'bad' ? IconAlertTriangle : IconDownload
  return (
    <div className={styles.card} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <div className={styles.head}>
        <span className={styles.icon}>
          <Icon size={18} stroke={1.6} aria-hidden />
        </span>
        <div>
          <b>{title}</b>
          <p>{text}</p>
        </div>
      </div>
      {children}
    </div>
  )
}

const released = ({ offer, current }: UpdateState): string =>
  offer === null
    ? `You have ${current}.`
    : `Released ${formatDay(offer.releasedAt)}, you have ${current}`

function Changes({ changes }: { changes: readonly string[] }) {
  const [all, setAll] = useState(false)
  if (changes.length === 0) return null
  const shown = all ? changes : changes.slice(0, fewChanges)
  return (
    <div className={styles.changes}>
      <h3>What’s new</h3>
      <ul>
        {shown.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {shown.length === changes.length ? null : (
        <LinkButton onClick={() => setAll(true)}>
          {t('screens.updates-all-changes', { count: changes.length })}
        </LinkButton>
      )}
    </div>
  )
}

function Available({ state, act }: { state: UpdateState; act: ActOnUpdate }) {
  const { offer, done, status } = state
  if (offer === null) return null
  const download = (): void => act(() => rpc.updates.download())
  return (
    <Frame title={`Update available: Keydesk ${offer.version}`} text={released(state)}>
      <Changes changes={offer.changes} />
      {status === 'downloading' ? (
        <div className={styles.progress}>
          <ProgressBar share={done / offer.bytes} label="Downloading" tone="accent" />
        </div>
      ) : (
        <div className={styles.buttons}>
          <Button kind="primary" size="md" onClick={download}>
            Download {formatBytes(offer.bytes)}
          </Button>
        </div>
      )}
    </Frame>
  )
}

/** The work in flight, such as "1 upload and 2 orders". */
function busyText({ uploads, changes, orders }: UpdateState['busy']): string {
  const parts = [
    uploads === 0 ? null : t('screens.updates-uploads', { count: uploads }),
    changes === 0 ? null : t('screens.updates-bulk-changes', { count: changes }),
    orders === 0 ? null : t('screens.updates-orders', { count: orders }),
  ].filter((part) => part !== null)
  return new Intl.ListFormat('en').format(parts)
}

function BusyNotice({ busy }: { busy: UpdateState['busy'] }) {
  return (
    <div className={styles.busy}>
      <p>
        <b>{busyText(busy)} must finish first</b>
        {busy.leftMs === null ? null : <span>{formatTimeLeft(busy.leftMs)} left</span>}
      </p>
      {busy.first === null ? null : (
        <>
          <p>
            {busy.first.title}, {formatCount(busy.first.done)} of {formatCount(busy.first.total)}{' '}
            done
          </p>
          <ProgressBar
            share={busy.first.done / busy.first.total}
            label="Work in flight"
            tone="warn"
          />
        </>
      )}
    </div>
  )
}

function Ready({ state, act }: { state: UpdateState; act: ActOnUpdate }) {
  const { offer, status, command, busy } = state
  const isBusy = busy.uploads + busy.changes + busy.orders > 0
  const installs = status === 'ready' && command !== null
  const title =
    status === 'installed'
      ? 'A newer version is installed'
      : `Update ready: Keydesk ${offer?.version ?? ''}`
  return (
    <Frame title={title} text={released(state)}>
      {offer === null ? null : <Changes changes={offer.changes} />}
      {isBusy && !installs ? <BusyNotice busy={busy} /> : null}
      <ul className={styles.facts}>
        {offer === null || status !== 'ready' ? null : (
          <Fact>Signature verified, {formatBytes(offer.bytes)} downloaded</Fact>
        )}
        <Fact>Your data is copied before its format changes</Fact>
        <Fact>Queued changes stay queued</Fact>
      </ul>
      {installs ? (
        <Install command={command} />
      ) : (
        <Restart state={state} isBusy={isBusy} act={act} />
      )}
    </Frame>
  )
}

function Fact({ children }: { children: ReactNode }) {
  return (
    <li>
      <IconCircleCheckFilled size={15} aria-hidden />
      <span>{children}</span>
    </li>
  )
}

const goesOn = 'Work in flight continues at the next start.'
const installSteps: Record<InstallCommand['steps'], string> = {
  'keep-running':
    'Run this command in a terminal. Keydesk keeps working and offers a restart afterwards.',
  'quit-first': `Quit Keydesk, run this command in a terminal, and start Keydesk again. ${goesOn}`,
  'drag-to-applications':
    'Quit Keydesk, run this command in Terminal, drag Keydesk into the Applications folder, ' +
    `and start it again. ${goesOn}`,
}

function Install({ command: { line, steps } }: { command: InstallCommand }) {
  return (
    <>
      <pre className={styles.command}>{line}</pre>
      <div className={styles.progress}>{installSteps[steps]}</div>
    </>
  )
}

function Restart({
  state,
  isBusy,
  act,
}: {
  state: UpdateState
  isBusy: boolean
  act: ActOnUpdate
}) {
  if (state.restartsWhenIdle)
    return (
      <div className={styles.buttons}>
        <Button size="md" onClick={() => act(() => rpc.updates.cancelRestart())}>
          Don’t restart
        </Button>
        <span>Keydesk restarts when the work has finished.</span>
      </div>
    )
  return (
    <div className={styles.buttons}>
      {isBusy ? (
        <Button
          kind="primary"
          size="md"
          onClick={() => act(() => rpc.updates.restart({ when: 'idle' }))}
        >
          Restart when it finishes
        </Button>
      ) : null}
      <Button
        kind={isBusy ? 'standard' : 'primary'}
        size="md"
        disabled={isBusy}
        onClick={() => act(() => rpc.updates.restart({ when: 'now' }))}
      >
        Restart now
      </Button>
    </div>
  )
}
