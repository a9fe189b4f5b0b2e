import { useQuery } from '@tanstack/react-query'
import { type ForwardedRef, forwardRef, useEffect, useImperativeHandle, useRef } from 'react'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../disputes.module.css'
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
        .catch((error: unknown) => toastProblem(problemOf(error)))
  }, [accountId, disputeId, messages, unread])

  const loaded = useRef<PaneHandle>(null)
  /** A shortcut pressed while the dispute is loading runs once it is loaded. */
  const early = useRef<((pane: PaneHandle) => void) | null>(null)
  useEffect(() => {
    const run = early.current
    if (loaded.current === null || run === null) return
    early.current = null
    run(loaded.current)
  })
  const whenLoaded = (run: (pane: PaneHandle) => void): void => {
    if (loaded.current === null) early.current = run
    else run(loaded.current)
  }
  useImperativeHandle(ref, () => ({
    reply: () => whenLoaded((pane) => pane.reply()),
    templates: () => whenLoaded((pane) => pane.templates()),
    fillTemplate: (place) => whenLoaded((pane) => pane.fillTemplate(place)),
    act: (kind) => whenLoaded((pane) => pane.act(kind)),
    snooze: () => whenLoaded((pane) => pane.snooze()),
    evidence: () => whenLoaded((pane) => pane.evidence()),
    togglePanel: () => whenLoaded((pane) => pane.togglePanel()),
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
