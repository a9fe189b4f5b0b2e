import { useMutation, useQuery } from '@tanstack/react-query'
import { IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'

/** The kill switch: its state, and the actions to stop and resume. */
export function useStopSwitch() {
  const state = useQuery(api.priceWatch.switch.queryOptions()).data
  const onError = (error: unknown): void => {
    toastProblem(problemOf(error), null)
  }
  const stop = useMutation({
    mutationFn: () => rpc.priceWatch.stopAll(),
    onError,
    onSuccess: ({ returned }) => {
      toast({
        kind: 'waits',
        title: 'Price rules stopped',
        text: [
          returned === 0
            ? 'Rules send nothing.'
            : `${formatCount(returned)} weren’t sent. They’re proposed again when you resume.`,
          'Prices that you set yourself are still sent.',
        ].join(' '),
      })
    },
  })
  const resume = useMutation({
    mutationFn: () => rpc.priceWatch.resume(),
    onError,
    onSuccess: () => {
      toast({
        title: 'Price rules resumed',
        text: 'Every rule decides again with fresh prices.',
      })
    },
  })
  return {
    state,
    stop: () => stop.mutate(),
    resume: () => resume.mutate(),
    busy: stop.isPending || resume.isPending,
  }
}

/** Ctrl+. stops everything that rules send, on every page. */
export function StopKey() {
  const { state, stop } = useStopSwitch()
  useShortcut(
    'Ctrl+.',
    () => {
      if (state?.stoppedAt === null) stop()
    },
    { where: 'everywhere', enabled: state !== undefined },
  )
  return null
}

/** Stops all sending; while stopped, resumes it. */
export function StopButton() {
  const { state, stop, resume, busy } = useStopSwitch()
  if (state === undefined) return null
  if (state.stoppedAt !== null)
    return (
      <Button busy={busy} icon={<IconPlayerPlay size={16} stroke={1.6} />} onClick={resume}>
        Resume sending
      </Button>
    )
  return (
    <Button
      kind="danger"
      busy={busy}
      icon={<IconPlayerStopFilled size={14} />}
      keys={['Ctrl', '.']}
      onClick={stop}
    >
      Stop all
    </Button>
  )
}
