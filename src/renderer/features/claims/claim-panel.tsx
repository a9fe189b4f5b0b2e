import { Textarea } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { ClaimDetail } from '../../../contract/claims.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { claimLabel, isUnsentClaim } from '../../lib/labels/claim-labels.ts'
import { productLine, variantLabel } from '../../lib/labels/product-labels.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { ClaimTimeLeft, ServiceMoment } from '../../lib/account/account-time.tsx'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { ErrorState, ProblemCodes } from '../../ui/feedback/error-state.tsx'
import { Fact, Facts } from '../../ui/data-display/facts.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { PanelSection, SidePanel } from '../../ui/layout/page.tsx'
import { focusIfFree } from '../../ui/hooks/focus-if-free.ts'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { StatusTag } from '../../ui/data-display/status-tag.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { ClaimOutcome } from './claim-outcome.tsx'
import styles from './claims.module.css'
import { Screenshot } from './screenshot-field.tsx'
import type { Picture } from './screenshot-field.tsx'

const closedVaultCodes: ReadonlySet<ProblemCode> = new Set(['VAULT_LOCKED', 'VAULT_UNSET'])

/** One claim: its text and screenshot while it is a draft, and its result afterwards. */
export function ClaimPanel({
  claimId,
  writes,
  onClose,
}: {
  claimId: string
  /** Whether the text of a draft takes the focus: the page was opened for this claim. */
  writes: boolean
  onClose: () => void
}) {
  const { id: accountId } = useAccount()
  const claim = useQuery(
    api.claims.claim.queryOptions({ input: { accountId, claimId }, retry: false }),
  )
  const { refetch } = claim
  const locked = claim.isError && closedVaultCodes.has(problemOf(claim.error).code)
  useEffect(() => {
    if (locked)
      void openVault().then(
        (opened) => {
          if (opened) void refetch()
        },
        () => {},
      )
  }, [locked, refetch])
  if (claim.data === undefined) {
    return (
      <SidePanel title="Claim" width={420} onClose={onClose}>
        {claim.isError ? (
          <ErrorState
            problem={problemOf(claim.error)}
            onRetry={() => void openVault().then(() => claim.refetch())}
          />
        ) : null}
      </SidePanel>
    )
  }
  return <ClaimForm claim={claim.data} writes={writes} onClose={onClose} />
}

/** The text of a claim while it is a draft, and the actions on it. */
function useClaimDraft(claim: ClaimDetail, onDiscarded: () => void) {
  const { id: accountId } = useAccount()
  const ref = { accountId, claimId: claim.claimId }
  const [text, setText] = useState(claim.message)
  const failed = {
    onError: (error: unknown) =>
      toastProblem(problemOf(error), `${productLine(claim)}, ${claim.externalId}`),
  }
  const save = useMutation(api.claims.save.mutationOptions(failed))
  const file = useMutation(
    api.claims.file.mutationOptions({
      ...failed,
      onSuccess: (filed) => {
        if (filed.state === 'filed')
          toast({
            title: 'Claim filed',
            text: 'The supplier has it. The result is shown here.',
          })
      },
    }),
  )
  const discard = useMutation(
    api.claims.discard.mutationOptions({ ...failed, onSuccess: onDiscarded }),
  )
  const isSending = useRef(false)
  // A click on the button leaves the text, which saves it: that doesn't keep the claim from being sent.
  const send = async (): Promise<void> => {
    if (!isUnsentClaim(claim) || text.trim() === '' || isSending.current) return
    isSending.current = true
    try {
      await save.mutateAsync({ ...ref, message: text })
      if (claim.files === 'here') await file.mutateAsync(ref)
    } finally {
      isSending.current = false
    }
  }
  return {
    text,
    setText,
    save,
    file,
    send,
    saveText: () => save.mutate({ ...ref, message: text }),
    savePicture: (screenshot: Picture | null) =>
      save.mutate({ ...ref, message: text.trim() === '' ? claim.message : text, screenshot }),
    drop: () => discard.mutate(ref),
  }
}

/** The claimed unit with its order, its key and its dates. */
function ClaimedUnit({ claim, isDraft }: { claim: ClaimDetail; isDraft: boolean }) {
  const [, go] = useLocation()
  const { tone, word } = claimLabel(claim)
  return (
    <PanelSection title="Unit" aside={<StatusTag tone={tone}>{word}</StatusTag>}>
      <Facts>
        <Fact label="Key" mono>
          {claim.masked}
        </Fact>
        <Fact label="Order" mono>
          {claim.orderId}
        </Fact>
        {isDraft ? (
          <Fact label="Time left to claim">
            <ClaimTimeLeft until={claim.claimUntil} />
          </Fact>
        ) : null}
        {claim.disputeId === null ? null : (
          <Fact label="Dispute" mono>
            {claim.disputeId}
          </Fact>
        )}
        {claim.escalatesAt === null ? null : (
          <Fact label="Escalates to support">
            <ServiceMoment at={claim.escalatesAt} />
          </Fact>
        )}
      </Facts>
      <div className={styles.links}>
        <Button size="xs" onClick={() => go(`/orders/${claim.orderId}`)}>
          Open order
        </Button>
      </div>
    </PanelSection>
  )
}

/** The buttons of a draft. Where the claim can't be filed by Keydesk, it is only saved. */
function DraftActions({
  claim,
  isEmpty,
  isSaving,
  isFiling,
  onDiscard,
  onSave,
  onFile,
}: {
  claim: ClaimDetail
  isEmpty: boolean
  isSaving: boolean
  isFiling: boolean
  onDiscard: () => void
  onSave: () => void
  onFile: () => void
}) {
  return (
    <div className={styles.foot}>
      <Button kind="quiet" onClick={onDiscard}>
        Discard draft
      </Button>
      {claim.files === 'here' ? (
        <Button
          kind="primary"
          keys={['Ctrl', 'Enter']}
          busy={isFiling}
          disabled={isEmpty}
          onClick={onFile}
        >
          File claim
        </Button>
      ) : (
        <Button busy={isSaving} disabled={isEmpty} onClick={onSave}>
          Save draft
        </Button>
      )}
    </div>
  )
}

function ClaimForm({
  claim,
  writes,
  onClose,
}: {
  claim: ClaimDetail
  writes: boolean
  onClose: () => void
}) {
  const { text, setText, saveText, savePicture, save, file, drop, send } = useClaimDraft(
    claim,
    onClose,
  )
  const isDraft = isUnsentClaim(claim)
  const here = claim.files === 'here'
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (writes) focusIfFree(field.current)
  }, [writes])
  useShortcut('Ctrl+Enter', () => void send().catch(() => {}), { enabled: isDraft && here })
  return (
    <SidePanel
      title={claim.name}
      detail={[variantLabel(claim), `${claim.externalId}, line ${claim.line}`]
        .filter(Boolean)
        .join(' · ')}
      width={420}
      onClose={onClose}
      footer={
        !isDraft ? undefined : (
          <DraftActions
            claim={claim}
            isEmpty={text.trim() === ''}
            isSaving={save.isPending}
            isFiling={file.isPending}
            onDiscard={drop}
            onSave={saveText}
            onFile={() => void send().catch(() => {})}
          />
        )
      }
    >
      <ClaimedUnit claim={claim} isDraft={isDraft} />
      {claim.problem === null ? null : (
        <PanelSection>
          <Notice tone={claim.state === 'unknown' ? 'warn' : 'bad'} title={claim.problem.what}>
            {claim.problem.effect} {claim.problem.next}
            <ProblemCodes problem={claim.problem} />
          </Notice>
        </PanelSection>
      )}
      <PanelSection title="What happened">
        {isDraft ? (
          <Textarea
            ref={field}
            aria-label="What happened"
            autosize
            minRows={4}
            maxRows={12}
            value={text}
            maxLength={10_000}
            onChange={(event) => setText(event.currentTarget.value)}
            onBlur={() => {
              if (text.trim() !== '' && text !== claim.message) saveText()
            }}
          />
        ) : (
          <p className={styles.text}>{claim.message}</p>
        )}
      </PanelSection>
      <Screenshot claim={claim} isDraft={isDraft} onPicture={savePicture} />
      <ClaimOutcome claim={claim} isDraft={isDraft} isSaved={!isDraft || text === claim.message} />
    </SidePanel>
  )
}
