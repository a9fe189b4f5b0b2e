import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Receiver } from '../../../contract/webhook-inspector.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'

/** The receiver on this computer, the received events, and the one that is shown. */
export function useWebhookInspector() {
  const { id: accountId } = useAccount()
  const [chosen, setChosen] = useState<string | null>(null)
  const failed = { onError: (error: unknown) => toastProblem(problemOf(error), null) }
  const receiver = useQuery(api.webhookInspector.receiver.queryOptions({ input: { accountId } }))
  const events = useQuery(api.webhookInspector.events.queryOptions({ input: { accountId } }))
  // The first event shown stays open, so that a new one doesn't replace it while a person reads it.
  const eventKey = chosen ?? events.data?.[0]?.eventKey ?? null
  if (eventKey !== chosen) setChosen(eventKey)
  const detail = useQuery({
    ...api.webhookInspector.event.queryOptions({ input: { accountId, eventKey: eventKey ?? '' } }),
    enabled: eventKey !== null,
  })
  const listen = useMutation(api.webhookInspector.listen.mutationOptions(failed))
  const stop = useMutation(api.webhookInspector.stop.mutationOptions(failed))
  const answer = useMutation(api.webhookInspector.setAnswer.mutationOptions(failed))
  const tolerance = useMutation(api.webhookInspector.setTolerance.mutationOptions(failed))
  const ask = useMutation(
    api.webhookInspector.requestTest.mutationOptions({
      ...failed,
      onSuccess: () =>
        toast({
          title: 'Test event requested',
          text: 'The service sends it to this account’s endpoint.',
        }),
    }),
  )
  const askNow = (): void => {
    if (!ask.isPending) ask.mutate({ accountId })
  }
  useShortcut('T', askNow)
  const shown = detail.data !== undefined && detail.data.eventKey === eventKey ? detail.data : null
  return {
    receiver,
    events,
    isEmpty: events.data?.length === 0,
    eventKey,
    choose: setChosen,
    /** The chosen event, once it is read. */
    shown,
    detail,
    listen: (): void => listen.mutate({ accountId }),
    isStarting: listen.isPending,
    stop: (): void => stop.mutate({ accountId }),
    isStopping: stop.isPending,
    setAnswer: (status: Receiver['answer']): void => answer.mutate({ accountId, answer: status }),
    setTolerance: (seconds: number): void => tolerance.mutate({ accountId, seconds }),
    requestTest: askNow,
    isRequesting: ask.isPending,
  }
}
