import { IconServer, IconShieldLock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { NetworkState, RestoredNetwork } from '../../../../contract/app/network.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'

const icon = { size: 16, stroke: 1.6 }

const proxyText = (proxy: RestoredNetwork['proxy']): string | null =>
  proxy === null
    ? null
    : proxy.use === 'own'
      ? `Proxy ${proxy.address}`
      : 'No proxy, ignoring the system’s settings'

/** Network settings of a restored backup, which a person adopts or discards. */
export function RestoredSettings({
  restored,
  onChanged,
}: {
  restored: RestoredNetwork
  onChanged: (now: NetworkState) => void
}) {
  const [asking, setAsking] = useState(false)
  const discard = useMutation({
    mutationFn: () => rpc.network.discardRestored(),
    onSuccess: onChanged,
    onError: (error) => {
      toastProblem(problemOf(error), null)
    },
  })
  const proxy = proxyText(restored.proxy)
  const contents = [
    ...(proxy === null ? [] : [proxy]),
    ...restored.authorities.map(({ name }) => `Authority “${name}”`),
  ].join(', ')
  return (
    <>
      <Notice
        tone="warn"
        title="The restored backup has network settings that aren’t used."
        action={
          <>
            <Button busy={discard.isPending} onClick={() => discard.mutate()}>
              Discard
            </Button>
            <Button onClick={() => setAsking(true)}>Adopt…</Button>
          </>
        }
      >
        {contents}. Adopt them only if you chose them yourself.
      </Notice>
      {asking ? (
        <ConfirmDialog
          opened
          account={null}
          title="Adopt the backup’s network settings"
          confirmLabel="Adopt the settings"
          onClose={() => setAsking(false)}
          effects={[
            ...(proxy === null
              ? []
              : [
                  {
                    icon: <IconServer {...icon} />,
                    what: proxy,
                    more: 'Every connection to a service uses it.',
                  },
                ]),
            ...restored.authorities.map(({ name, fingerprint }) => ({
              icon: <IconShieldLock {...icon} />,
              what: `Trust “${name}”`,
              more: `It can vouch for any service, and then read API keys. SHA-256 ${fingerprint}`,
            })),
          ]}
          onConfirm={async () => onChanged(await rpc.network.adoptRestored())}
        />
      ) : null}
    </>
  )
}
