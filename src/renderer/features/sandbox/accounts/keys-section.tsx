import { IconKeyOff, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { SandboxKey } from '../../../../contract/sandbox/sandbox-accounts.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatDay, formatMoment } from '../../../ui/format.ts'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { NewKeyDialog, type NewKey } from './new-key-dialog.tsx'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'
import { useSandboxNow } from '../sandbox-time.tsx'

const stateOf = ({ revokedAt, expiresAt, lastUsedAt }: SandboxKey, now: number): string => {
  if (revokedAt != null) return `revoked ${formatMoment(revokedAt, now)}`
  const used = lastUsedAt == null ? 'not used' : `used ${formatMoment(lastUsedAt, now)}`
  return expiresAt == null ? used : `${used}, until ${formatDay(expiresAt)}`
}

export interface KeysSectionProps {
  owner: string
  kind: 'partner' | 'seller'
  keys: readonly SandboxKey[] | undefined
  onMake: (wanted: NewKey) => Promise<string>
  onRevoke: (keyId: string) => Promise<void>
}

/** An account's keys by their last four characters: create, show once, revoke. */
export function KeysSection({ owner, kind, keys, onMake, onRevoke }: KeysSectionProps) {
  const now = useSandboxNow()
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<SandboxKey | null>(null)
  const revoke = useSandboxAction(onRevoke, () => ({
    title: 'Key revoked',
    text: 'Its next request will be rejected.',
  }))
  const shown = (keys ?? []).toSorted(
    (a, b) => Number(a.revokedAt != null) - Number(b.revokedAt != null),
  )
  return (
    <PanelSection
      title="Keys"
      aside={
        <Button
          size="xs"
          icon={<IconPlus size={14} stroke={1.6} />}
          onClick={() => setMaking(true)}
        >
          New key…
        </Button>
      }
    >
      <ul className={styles.lines} aria-label="Keys">
        {shown.map((key) => (
          <li key={key.id}>
            <span title={key.scopes?.join(', ')}>
              <code>
                {key.prefix}…{key.lastFour}
              </code>
            </span>
            <small>{stateOf(key, now)}</small>
            {key.revokedAt == null ? (
              <Button
                size="xs"
                kind="quiet"
                aria-label={`Revoke the key that ends in ${key.lastFour}`}
                onClick={() => setRevoking(key)}
              >
                Revoke…
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {keys?.length === 0 ? <p className={styles.note}>None yet.</p> : null}
      {making ? (
        <NewKeyDialog owner={owner} kind={kind} onMake={onMake} onClose={() => setMaking(false)} />
      ) : null}
      <ConfirmDialog
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        account={sandboxAccount}
        destructive
        title={`Revoke ${revoking?.prefix ?? ''}…${revoking?.lastFour ?? ''}?`}
        confirmLabel="Revoke key"
        effects={[
          {
            icon: <IconKeyOff size={16} stroke={1.6} />,
            what: 'Requests with this key will be rejected.',
            more: 'You can’t undo this, but you can create a new key.',
            tone: 'bad',
          },
        ]}
        onConfirm={async () => {
          if (revoking !== null) await revoke.mutateAsync(revoking.id)
        }}
      />
    </PanelSection>
  )
}
