import { NumberInput, TextInput } from '@mantine/core'
import { IconCertificate, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import {
  isOnThisComputer,
  type SandboxCertificate,
} from '../../../../contract/sandbox/sandbox-certificate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { ControlCard } from '../control/control-card.tsx'
import styles from '../sandbox.module.css'
import type { CertificateActions } from './use-certificate.ts'

const defaultSchedules = 500
const notHere = 'Only addresses of this computer, such as http://127.0.0.1:3000/hook'

/** The handler, the number of schedules, and the button that runs or cancels the certificate. */
export function CertificateForm({
  last,
  isActive,
  start,
  cancel,
}: { last: SandboxCertificate; isActive: boolean } & CertificateActions) {
  const [url, setUrl] = useState(last.url ?? 'http://127.0.0.1:3000/hook')
  const [probe, setProbe] = useState(last.probe ?? 'http://127.0.0.1:3000/state')
  const [schedules, setSchedules] = useState<number | string>(
    last.replay === null && last.schedules > 0 ? last.schedules : defaultSchedules,
  )
  const [seed, setSeed] = useState<number | string>('')
  const fits =
    isOnThisComputer(url.trim()) && isOnThisComputer(probe.trim()) && typeof schedules === 'number'
  const run = (): void => {
    if (!fits || isActive || start.isPending) return
    start.mutate({
      url: url.trim(),
      probe: probe.trim(),
      schedules: Number(schedules),
      ...(typeof seed === 'number' ? { seed } : {}),
    })
  }
  useShortcut('Ctrl+Enter', run, { enabled: !isActive })
  return (
    <ControlCard
      icon={IconCertificate}
      title="Webhook handler"
      actions={
        isActive ? (
          <Button
            icon={<IconPlayerStop size={16} stroke={1.6} />}
            busy={cancel.isPending}
            onClick={() => cancel.mutate(undefined)}
          >
            Cancel
          </Button>
        ) : (
          <Button
            kind="primary"
            keys={['Ctrl', 'Enter']}
            icon={<IconPlayerPlay size={16} stroke={1.6} />}
            disabled={!fits}
            busy={start.isPending}
            onClick={run}
          >
            {last.state === 'none' ? 'Run certificate' : 'Run again'}
          </Button>
        )
      }
    >
      <div className={styles.handler}>
        <TextInput
          label="Receives webhooks at"
          value={url}
          disabled={isActive}
          error={isOnThisComputer(url.trim()) ? null : notHere}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <TextInput
          label="Reports its state at"
          value={probe}
          disabled={isActive}
          error={isOnThisComputer(probe.trim()) ? null : notHere}
          onChange={(event) => setProbe(event.currentTarget.value)}
        />
        <NumberInput
          label="Schedules"
          hideControls
          min={1}
          max={10_000}
          allowDecimal={false}
          value={schedules}
          disabled={isActive}
          onChange={setSchedules}
        />
        <NumberInput
          label="Seed"
          placeholder={last.seed === null ? 'random' : `random, last ${last.seed}`}
          hideControls
          min={0}
          max={999_999_999}
          allowDecimal={false}
          value={seed}
          disabled={isActive}
          onChange={setSeed}
        />
      </div>
      <p className={styles.note}>
        Only addresses of this computer are allowed, because the certificate sends forged events. It
        doesn’t kill the handler; <code>keydesk-sandbox certify --start</code> does.
      </p>
    </ControlCard>
  )
}
