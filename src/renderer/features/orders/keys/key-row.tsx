import { useQuery } from '@tanstack/react-query'
import {
  IconExternalLink,
  IconEye,
  IconEyeOff,
  IconFlag,
  IconMessage,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react'
import { useState } from 'react'
import { isClaimable } from '../../../../../server/api/limits.ts'
import type { Claim } from '../../../../contract/claims.ts'
import type { StoredKey } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { ClaimTimeLeft, ServiceMoment, useAccountNow } from '../../../lib/account/account-time.tsx'
import { api } from '../../../lib/core/rpc.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { CopyButton } from '../../../ui/controls/buttons/copy-button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { HideCountdown } from '../../../ui/data-display/identity/masked-key.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { claimLabel } from '../../../lib/labels/claim-labels.ts'
import { HandOverDialog, handedText } from './handed-over.tsx'
import { KeyValue } from './key-value.tsx'
import { useKeyActions } from './use-key-actions.ts'
import styles from '../orders.module.css'

const icon = { size: 16, stroke: 1.6 } as const

/** The account's claims, by key id. */
export function useOrderClaims(): ReadonlyMap<string, Claim> {
  const { id: accountId } = useAccount()
  const { data } = useQuery(api.claims.list.queryOptions({ input: { accountId } }))
  return new Map(data?.rows.map((claim) => [claim.keyId, claim]))
}

export interface KeyToolsProps {
  orderId: string
  kept: StoredKey
  label: string
  /** The key's product with its edition. */
  product: string
  claim: Claim | null
  onMessage: () => void
}

/**
 * The row of one stored key: masked, or revealed for 30 seconds in its form; copied, sent with
 * instructions, claimed.
 */
export function KeyTools({ orderId, kept, label, product, claim, onMessage }: KeyToolsProps) {
  const [leaving, setLeaving] = useState<string | null>(null)
  const [handing, setHanding] = useState(false)
  const actions = useKeyActions({ orderId, kept, claim })
  const { shown } = actions
  return (
    <tr data-row>
      <td>
        {shown === null ? (
          <span className={cx(styles.key, styles.masked)}>{kept.masked}</span>
        ) : (
          <KeyValue shown={shown} masked={kept.masked} label={label} />
        )}
        {kept.handedAt === null ? null : (
          <span className={styles.keyTag} title={handedText(kept)}>
            <StatusTag>Handed over</StatusTag>
          </span>
        )}
        {kept.replacement ? (
          <span className={styles.keyTag}>
            <StatusTag tone={kept.seenAt === null ? 'info' : 'neutral'}>
              {kept.seenAt === null ? 'New, replaces a claimed key' : 'Replacement'}
            </StatusTag>
          </span>
        ) : null}
      </td>
      <td>
        <ServiceMoment at={kept.deliveredAt} />
      </td>
      <td>
        {claim === null ? (
          <ClaimTimeLeft until={kept.claimUntil} />
        ) : (
          <StatusTag tone={claimLabel(claim).tone}>{claimLabel(claim).word}</StatusTag>
        )}
      </td>
      <td>
        <KeyButtons
          kept={kept}
          label={label}
          claim={claim}
          actions={actions}
          onLeave={setLeaving}
          onHandOver={() => setHanding(true)}
          onMessage={onMessage}
        />
        {actions.warning}
        {handing ? (
          <HandOverDialog
            keys={[{ orderId, keyId: kept.keyId }]}
            what={`${label.replace(/^k/, 'K')}: ${product}`}
            onClose={() => setHanding(false)}
          />
        ) : null}
        <LeaveDialog host={leaving} onClose={() => setLeaving(null)} onOpen={actions.openLink} />
      </td>
    </tr>
  )
}

/** The buttons of a stored key. */
function KeyButtons({
  kept,
  label,
  claim,
  actions: { shown, busy, reveal, hide, copy, removeMark, startClaim, guard },
  onLeave,
  onHandOver,
  onMessage,
}: Pick<KeyToolsProps, 'kept' | 'label' | 'claim' | 'onMessage'> & {
  actions: ReturnType<typeof useKeyActions>
  /** The person wants to open the link of this host. */
  onLeave: (host: string) => void
  onHandOver: () => void
}) {
  const now = useAccountNow()
  const isPicture = kept.contentType.startsWith('image/')
  return (
    <div className={styles.tools}>
      {shown === null ? null : <HideCountdown />}
      {shown?.kind === 'link' && shown.host !== null ? (
        <IconButton
          small
          label={`Open the link of ${label}…`}
          onClick={() => guard([kept], 'Open', () => onLeave(shown.host ?? ''))}
        >
          <IconExternalLink {...icon} />
        </IconButton>
      ) : null}
      <IconButton
        small
        label={shown === null ? `Reveal ${label}` : `Hide ${label}`}
        disabled={busy}
        onClick={shown === null ? reveal : hide}
      >
        {shown === null ? <IconEye {...icon} /> : <IconEyeOff {...icon} />}
      </IconButton>
      {isPicture ? null : <CopyButton label={`Copy ${label}`} onCopy={copy} />}
      <IconButton
        small
        label={
          kept.handedAt === null
            ? `Mark ${label} as handed over…`
            : `Remove the mark “handed over” from ${label}`
        }
        onClick={() => (kept.handedAt === null ? onHandOver() : removeMark())}
      >
        {kept.handedAt === null ? <IconUserCheck {...icon} /> : <IconUserX {...icon} />}
      </IconButton>
      {isPicture ? null : (
        <IconButton small label={`Copy ${label} with instructions`} onClick={onMessage}>
          <IconMessage {...icon} />
        </IconButton>
      )}
      <IconButton
        small
        label={claim === null ? `Claim ${label}…` : `Open claim for ${label}`}
        disabled={claim === null && !isClaimable(kept.claimUntil, now)}
        onClick={startClaim}
      >
        <IconFlag {...icon} />
      </IconButton>
    </div>
  )
}

/** Asks before the link of a key is opened, which may redeem it. */
function LeaveDialog({
  host,
  onClose,
  onOpen,
}: {
  /** Null while no link is to be opened. */
  host: string | null
  onClose: () => void
  onOpen: () => void
}) {
  return (
    <Dialog
      opened={host !== null}
      onClose={onClose}
      title={`Open ${host ?? ''}?`}
      lead="This key is a link to the site above. Opening it may redeem it. It is meant for your customer."
      actions={
        <>
          <Button size="md" keys={['Esc']} data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            onClick={() => {
              onOpen()
              onClose()
            }}
          >
            Open in browser
          </Button>
        </>
      }
    />
  )
}
