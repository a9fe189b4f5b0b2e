import { useMutation, useQuery } from '@tanstack/react-query'
import { IconPlayerPlay, IconPlayerStopFilled } from '@tabler/icons-react'
import { problemOf } from '../../lib/problem.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { Button } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { useShortcut } from '../../ui/shortcuts.ts'
import { toast, toastProblem } from '../../ui/toasts.tsx'

/** The kill switch: how it stands, and both ways. */
export function useSwitch() {
  const state = useQuery(api.priceWatch.switch.queryOptions()).data
  const onError = (error: unknown): void => {
    toastProblem(problemOf(error))
  }
  const stop = useMutation({
    mutationFn: () => rpc.priceWatch.stopAll(),
    onError,
    onSuccess: ({ returned }) => {
      toast({
        kind: 'waits',
        title: 'All sending of prices is stopped',
        text:
          returned === 0
            ? 'Nothing was on its way. Prices stay as they are.'
            : `${formatCount(returned)} were not sent. They are proposed again when you let it go on.`,
      })
    },
  })
  const resume = useMutation({
    mutationFn: () => rpc.priceWatch.resume(),
    onError,
    onSuccess: () => {
      toast({
        title: 'Sending of prices goes on',
        text: 'Every rule decides anew with fresh prices.',
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
  const { state, stop } = useSwitch()
  useShortcut(
    'Ctrl+.',
    () => {
      if (state?.stoppedAt === null) stop()
    },
    { inDialog: true, enabled: state !== undefined },
  )
  return null
}

/** Stops at once; while stopped it lets go on. */
export function StopButton() {
  const { state, stop, resume, busy } = useSwitch()
  if (state === undefined) return null
  if (state.stoppedAt !== null)
    return (
      <Button busy={busy} icon={<IconPlayerPlay size={16} stroke={1.6} />} onClick={resume}>
        Let it go on
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
