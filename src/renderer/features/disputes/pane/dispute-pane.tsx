import { useQuery } from '@tanstack/react-query'
import { type ForwardedRef, forwardRef, useEffect, useImperativeHandle, useRef } from 'react'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from './pane.module.css'
import { LoadedPane } from './loaded-pane.tsx'
import type { PaneHandle, PaneProps } from './pane-props.ts'

/** One dispute: its deadline, the conversation, the answer, and the side panel. */
export const DisputePane = forwardRef(function DisputePane(
  props: PaneProps,
  ref: ForwardedRef<PaneHandle>,
) {
  const accountId = props.account.id
  const { disputeId } = props
  const query = useQuery({
    ...api.disputes.dispute.queryOptions({ input: { accountId, disputeId } }),
    retry: false,
  })
  const detail = query.data
  const messages = detail?.messages ?? null
  const unread = detail?.unread ?? false
  useEffect(() => {
    if (unread && messages !== null)
      void rpc.disputes
        .markRead({ accountId, disputeId, messages })
        .catch((error: unknown) => toastProblem(problemOf(error), disputeId))
  }, [accountId, disputeId, messages, unread])

  const loaded = useRef<PaneHandle>(null)
  /** A shortcut pressed while the dispute or its texts are loading runs once they are loaded. */
  const early = useRef<{
    run: (pane: PaneHandle) => void
    needsTexts: boolean
    hasAsked: boolean
  } | null>(null)
  const runEarly = (): void => {
    const waiting = early.current
    if (waiting === null || loaded.current === null || detail === undefined) return
    if (!waiting.needsTexts || !detail.locked) {
      early.current = null
      return waiting.run(loaded.current)
    }
    if (waiting.hasAsked) return
    waiting.hasAsked = true
    const giveUp = (): void => {
      if (early.current === waiting) early.current = null
    }
    void openVault().then(
      (isOpen) => isOpen || giveUp(),
      (error: unknown) => {
        giveUp()
        toastProblem(problemOf(error), disputeId)
      },
    )
  }
  useEffect(runEarly)
  const whenLoaded = (run: (pane: PaneHandle) => void, needsTexts = false): void => {
    early.current = { run, needsTexts, hasAsked: false }
    runEarly()
  }
  useImperativeHandle(ref, () => ({
    reply: () => whenLoaded((pane) => pane.reply()),
    templates: () => whenLoaded((pane) => pane.templates()),
    fillTemplate: (place) => whenLoaded((pane) => pane.fillTemplate(place), true),
    act: (kind) => whenLoaded((pane) => pane.act(kind)),
    snooze: () => whenLoaded((pane) => pane.snooze()),
    done: () => whenLoaded((pane) => pane.done()),
    evidence: () => whenLoaded((pane) => pane.evidence()),
    togglePanel: () => whenLoaded((pane) => pane.togglePanel()),
    shown: () => loaded.current?.shown() ?? null,
  }))
  if (detail !== undefined) return <LoadedPane ref={loaded} detail={detail} {...props} />
  return (
    <div className={styles.pane}>
      {query.isError ? (
        <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <div className={styles.paneBars} aria-hidden>
          <i />
          <i />
          <i />
          <i />
        </div>
      )}
    </div>
  )
})
