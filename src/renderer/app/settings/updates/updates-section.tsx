import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconAlertTriangle, IconCircleCheckFilled, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { InstallCommand, UpdateState } from '../../../../contract/app/updates.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button, LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { formatBytes, formatDay, formatFullMoment, formatTimeLeft } from '../../../ui/format.ts'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { SettingRow } from '../setting-row.tsx'
import { refusalText } from './refusal-text.ts'
import styles from './updates-section.module.css'

/** How many changes are listed before a person asks for all. */
const fewChanges = 3

type Act = (step: () => Promise<UpdateState>) => void

/** Keydesk’s own updates: their state, the offered version, and when it is applied. */
export function UpdatesSection() {
  const client = useQueryClient()
  const state = useQuery(api.updates.state.queryOptions()).data
  const run = useMutation({
    mutationFn: (step: () => Promise<UpdateState>) => step(),
    onSuccess: (now) => client.setQueryData(api.updates.state.queryKey(), now),
    onError: (error) => toastProblem(problemOf(error), null),
  })
  if (state === undefined) return null
  const act: Act = (step) => run.mutate(step)
  return (
    <section aria-label="Updates">
      <h2>Updates</h2>
      <SummaryRow state={state} act={act} />
      <Card state={state} act={act} />
    </section>
  )
}

function summaryOf({ status, checkedAt }: UpdateState): string {
  if (status === 'sources')
    return 'Keydesk doesn’t look for updates here. Install a newer version, or update the sources.'
  if (status === 'off')
    return 'Updates are off: no update address is configured, so nothing is requested.'
  if (status === 'checking') return 'Checking for updates…'
  return checkedAt === null
    ? 'Not checked since Keydesk was started.'
    : `Last checked ${formatFullMoment(checkedAt)}.${status === 'current' ? ' Keydesk is up to date.' : ''}`
}

function SummaryRow({ state, act }: { state: UpdateState; act: Act }) {
  const canCheck = !['sources', 'off', 'installed'].includes(state.status)
  return (
    <SettingRow name={`Keydesk ${state.current}`} text={summaryOf(state)}>
      {canCheck ? (
        <Button
          busy={state.status === 'checking'}
          disabled={state.status === 'downloading'}
          onClick={() => act(() => rpc.updates.check())}
        >
          Check for updates
        </Button>
      ) : null}
    </SettingRow>
  )
}

function Card({ state, act }: { state: UpdateState; act: Act }) {
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

function Available({ state, act }: { state: UpdateState; act: Act }) {
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
      {busy.share === null ? null : (
        <ProgressBar share={busy.share} label="Work in flight" tone="warn" />
      )}
    </div>
  )
}

function Ready({ state, act }: { state: UpdateState; act: Act }) {
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

function Restart({ state, isBusy, act }: { state: UpdateState; isBusy: boolean; act: Act }) {
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
