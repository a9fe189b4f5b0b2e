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
import { useLocation } from 'wouter'
import type { Claim } from '../../../../contract/claims.ts'
import type { StoredKey } from '../../../../contract/order-records.ts'
import { copySecret } from '../../../lib/clipboard.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { ClaimTimeLeft, ServiceMoment, useAccountNow } from '../../../lib/account/account-time.tsx'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { CopyButton } from '../../../ui/controls/buttons/copy-button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { HideCountdown, useReveal } from '../../../ui/data-display/identity/masked-key.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { claimLabel } from '../../../lib/labels/claim-labels.ts'
import { HandOverDialog, handedText, useHandedOver, useHandedWarning } from './handed-over.tsx'
import { KeyValue } from './key-value.tsx'
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
  claim: Claim | null
  onMessage: () => void
}

/**
 * The row of one stored key: masked, or revealed for 30 seconds in its form; copied, sent with
 * instructions, claimed.
 */
export function KeyTools({ orderId, kept, label, claim, onMessage }: KeyToolsProps) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const now = useAccountNow()
  const [leaving, setLeaving] = useState<{ host: string; url: string } | null>(null)
  const read = async (use: 'revealed' | 'copied' | 'opened') => {
    try {
      if (!(await openVault())) throw new Error('The vault stays locked')
      return await rpc.orders.revealKey({ accountId, orderId, keyId: kept.keyId, use })
    } catch (error) {
      const problem = problemOf(error)
      if (problem.code !== 'NO_ANSWER') toastProblem(problem)
      throw error
    }
  }
  const { value, busy, reveal, hide } = useReveal(async () =>
    JSON.stringify(await read('revealed')),
  )
  const shown = value === null ? null : (JSON.parse(value) as Awaited<ReturnType<typeof read>>)
  const handedOver = useHandedOver()
  const { guard, warning } = useHandedWarning()
  const [handing, setHanding] = useState(false)
  // Resolves after the question about a key that is already handed over, if there is one.
  const copy = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const use = async (): Promise<void> =>
        copySecret(
          'Key copied',
          (await read('copied')).value,
          kept.handedAt === null
            ? {
                label: 'Mark as handed over',
                run: () => handedOver.mark({ keys: [{ orderId, keyId: kept.keyId }], note: '' }),
              }
            : undefined,
        )
      guard([kept], 'Copy', () => void use().then(resolve, reject))
    })
  const isPicture = kept.contentType.startsWith('image/')
  const startClaim = (): void => {
    if (claim !== null) return go(`/claims/${claim.claimId}`)
    void openVault()
      .then(async (opened) => {
        if (opened)
          go(
            `/claims/${(await rpc.claims.create({ accountId, orderId, keyId: kept.keyId })).claimId}`,
          )
      })
      .catch((error: unknown) => toastProblem(problemOf(error)))
  }
  return (
    <tr>
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
        <div className={styles.tools}>
          {shown === null ? null : <HideCountdown />}
          {shown?.kind === 'link' && shown.host !== null ? (
            <IconButton
              small
              label={`Open the link of ${label}…`}
              onClick={() =>
                guard([kept], 'Open', () =>
                  setLeaving({ host: shown.host ?? '', url: shown.value }),
                )
              }
            >
              <IconExternalLink {...icon} />
            </IconButton>
          ) : null}
          <IconButton
            small
            label={value === null ? `Reveal ${label}` : `Hide ${label}`}
            disabled={busy}
            onClick={value === null ? reveal : hide}
          >
            {value === null ? <IconEye {...icon} /> : <IconEyeOff {...icon} />}
          </IconButton>
          {isPicture ? null : <CopyButton label={`Copy ${label}`} onCopy={copy} />}
          <IconButton
            small
            label={
              kept.handedAt === null
                ? `Mark ${label} as handed over…`
                : `Remove the mark “handed over” from ${label}`
            }
            onClick={() =>
              kept.handedAt === null
                ? setHanding(true)
                : handedOver.takeBack({ orderId, key: kept })
            }
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
            disabled={claim === null && kept.claimUntil <= now}
            onClick={startClaim}
          >
            <IconFlag {...icon} />
          </IconButton>
        </div>
        {warning}
        {handing ? (
          <HandOverDialog
            keys={[{ orderId, keyId: kept.keyId }]}
            what={`The ${label}`}
            onClose={() => setHanding(false)}
          />
        ) : null}
        <Dialog
          opened={leaving !== null}
          onClose={() => setLeaving(null)}
          title={`Open ${leaving?.host ?? ''}?`}
          lead="This key is a link to the site above. Opening it may redeem it. It is meant for your customer."
          actions={
            <>
              <Button size="md" keys={['Esc']} data-autofocus onClick={() => setLeaving(null)}>
                Cancel
              </Button>
              <Button
                size="md"
                onClick={() => {
                  void read('opened').then(({ value: url }) =>
                    window.open(url, '_blank', 'noopener,noreferrer'),
                  )
                  setLeaving(null)
                }}
              >
                Open in browser
              </Button>
            </>
          }
        />
      </td>
    </tr>
  )
}
